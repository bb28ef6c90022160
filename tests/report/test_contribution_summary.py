"""What made the score, in a sentence."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import lru_cache

import numpy as np
import pytest

import colde
from colde.explain.contribution import contribution_map
from colde.report.contribution_summary import summarise_contribution
from colde.report.view_payload import view_payload
from colde.results.comparison import Comparison

TEXTS = (
    "# Method\n\nThe tide comes in over the bar twice a day and the pilots wait for the wind to drop.\n\n"
    "# Results\n\nBread rises in a warm oven for an hour and the crust is done when it sounds hollow.\n",
    "# Approach\n\nPilots wait for tide and wind at the bar before they take any ship into the harbour.\n\n"
    "# Evaluation\n\nBread with a hollow crust came out of the oven after an hour of warm weather outside.\n",
)


@lru_cache
def compared() -> Comparison:
    a, b = map(colde.read_text, TEXTS)
    return colde.compare(a, b, models=["tfidf"])


def with_parts(values: list[list[float]], score: float | None = None) -> Comparison:
    found = compared()
    old = found.maps["tfidf"]["contribution_section"]
    whole = float(np.sum(values)) if score is None else score
    new = contribution_map(np.array(values), old.rows, old.columns, "section", whole, "Parts.")
    return replace(
        found,
        results=(replace(found.results[0], score=whole),),
        maps={"tfidf": {"contribution_section": new}},
    )


def test_of_a_comparison() -> None:
    found = summarise_contribution(compared())
    assert found is not None and found.model == "tfidf" and found.cells == 4 and found.half == 1
    assert {(p.a, p.b) for p in found.pairs[:2]} == {(0, 0), (1, 1)}
    section = compared().maps["tfidf"]["contribution_section"]
    assert found.pairs[0].part == pytest.approx(section.values.max())
    assert found.pairs[0].share == pytest.approx(section.values.max() / compared().results[0].score)
    (model,) = view_payload(compared())["models"]
    assert model["made"] == asdict(found) | {
        "pairs": list(map(asdict, found.pairs)),
        "words": list(map(asdict, found.words)),
    }


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([[0.0, 0.0], [0.0, 0.6]], "All of the score comes from “Results” ↔ “Evaluation”."),
        (
            [[0.2, 0.0], [0.0, 0.4]],
            "Two thirds of the score comes from “Results” ↔ “Evaluation”; with “Method” ↔",
        ),
        ([[0.08, 0.02], [0.0, 0.04]], "57 % of the score comes from “Method” ↔ “Approach”; with"),
    ],
)
def test_in_words(values: list[list[float]], says: str) -> None:
    found = summarise_contribution(with_parts(values))
    assert found is not None and found.sentence.startswith(says) and found.sentence.endswith(".")


def test_what_speaks_against() -> None:
    found = summarise_contribution(with_parts([[0.6, -0.2], [0.0, 0.1]]))
    assert found is not None and found.against == pytest.approx(-0.4)


def test_nothing_to_say() -> None:
    assert summarise_contribution(with_parts([[0.0, 0.0], [0.0, 0.0]])) is None
    assert (
        summarise_contribution(with_parts([[0.01, 0.0], [0.0, 0.0]], score=0.5)) is None
    )  # the rest is the reference's
    assert summarise_contribution(replace(compared(), maps={})) is None


def test_words_are_named_with_what_they_add() -> None:
    found = summarise_contribution(compared())
    score = compared().results[0]
    assert found is not None and len(found.words) == 3
    assert found.words == tuple(w for w in score.words if w.word.isalpha())[:3]
    together = sum(w.part for w in found.words)
    assert found.more.startswith("The words “") and found.more.endswith(f"add {together:.2f}.")


def test_the_section_that_speaks_against_it_is_named() -> None:
    found = summarise_contribution(with_parts([[0.5, 0.2], [-0.3, 0.05]]))
    assert found is not None and found.opposed is not None
    assert (found.opposed.document, found.opposed.section) == ("a", 1)
    assert found.opposed.part == pytest.approx(-0.25)
    assert found.more.endswith("“Results” in A speaks against it: it takes 0.25 away.")
    weak = summarise_contribution(with_parts([[0.5, 0.2], [-0.051, 0.05]]))
    assert weak is not None and weak.opposed is None
