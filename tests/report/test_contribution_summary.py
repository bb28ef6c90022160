"""Contribution to the score, in a sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

import colde
from colde.explain.contribution import contribution_map
from colde.report.html.view_payload import view_payload
from colde.report.wording.contribution_summary import summarise_contribution
from colde.results.comparison import Comparison
from colde.serialise import to_value
from colde.text.document import Span

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
        models=(replace(found.models[0], score=whole),),
        maps={"tfidf": {"contribution_section": new}},
    )


def with_many_parts(values: NDArray[np.float64]) -> Comparison:
    """A comparison of texts with a section for each row and column."""
    words = "The pilots wait for the tide at the bar, and bread rises in an oven for an hour."
    a, b = (
        colde.read_text("\n\n".join(f"# {name} {k}\n\n{words} Number {k}." for k in range(count)))
        for name, count in zip("AB", values.shape, strict=True)
    )
    spans = ([Span(s.start, s.end) for _, s in d.compared()] for d in (a, b))
    parts = contribution_map(values, *spans, "section", float(values.sum()), "Parts.")
    result = replace(compared().models[0], score=float(values.sum()), words=())
    return replace(compared(), a=a, b=b, models=(result,), maps={"tfidf": {"contribution_section": parts}})


def test_of_a_comparison() -> None:
    summary = summarise_contribution(compared())
    assert summary is not None and summary.model == "tfidf" and summary.cells == 4 and summary.half == 1
    assert [(p.a.section, p.b.section) for p in summary.pairs[:2]] in (
        [("Method", "Approach"), ("Results", "Evaluation")],
        [("Results", "Evaluation"), ("Method", "Approach")],
    )
    section = compared().maps["tfidf"]["contribution_section"]
    assert summary.pairs[0].part == pytest.approx(section.values.max())
    assert summary.pairs[0].share == pytest.approx(section.values.max() / compared().models[0].score)
    (model,) = view_payload(compared())["models"]
    assert model["made"] == to_value(summary) and model["made"]["pairs"][0]["inside"][0]["share"] > 0


def test_listed_and_other_pairs_add_up_to_the_score() -> None:
    values = np.random.default_rng(0).gamma(0.5, size=(9, 8)) - 0.02
    summary = summarise_contribution(with_many_parts(values))
    assert summary is not None and summary.lowering.count > 0
    listed = sum(p.part for p in summary.pairs)
    assert listed + summary.raising.part + summary.lowering.part == pytest.approx(values.sum(), rel=1e-5)
    assert len(summary.pairs) + summary.raising.count == (values > 0).sum()
    assert [p.part for p in summary.pairs] == sorted((p.part for p in summary.pairs), reverse=True)
    assert summary.share == pytest.approx(sum(p.share for p in summary.pairs)) and summary.share >= 0.5


def test_the_pairs_of_finer_passages_lie_in_those_of_their_sections() -> None:
    summary = summarise_contribution(compared())
    sentences = compared().maps["tfidf"]["contribution_sentence"]
    assert summary is not None and (summary.passages, summary.finer) == ("sections", "sentences")
    for pair in summary.pairs:
        assert pair.inside
        assert all(x.a.start <= y.a.start < y.a.end <= x.a.end for x, y in ((pair, q) for q in pair.inside))
    assert max(q.part for p in summary.pairs for q in p.inside) == pytest.approx(sentences.values.max())


def test_texts_of_one_section_are_listed_by_finer_passages() -> None:
    maps = dict(compared().maps["tfidf"])
    del maps["contribution_section"], maps["contribution_chunk"]
    summary = summarise_contribution(replace(compared(), maps={"tfidf": maps}))
    assert summary is not None and (summary.passages, summary.finer) == ("sentences", "")
    assert "“The tide comes in" in summary.sentence or "“Bread rises" in summary.sentence


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([[0.0, 0.0], [0.0, 0.6]], "All of the score comes from “Results” ↔ “Evaluation”."),
        (
            [[0.2, 0.0], [0.0, 0.4]],
            "Two thirds of the score comes from “Results” ↔ “Evaluation”; with “Method” ↔",
        ),
        ([[0.08, 0.02], [0.0, 0.04]], "57 % of the score comes from “Method” ↔ “Approach”; with"),
        ([[0.08, -0.02], [-0.04, 0.0]], "All of the positive contribution comes from “Method” ↔ “Approach”."),
    ],
)
def test_in_words(values: list[list[float]], says: str) -> None:
    summary = summarise_contribution(with_parts(values))
    assert summary is not None and summary.sentence.startswith(says) and summary.sentence.endswith(".")


def test_a_score_from_all_of_the_text_is_called_that_and_one_from_few_pairs_is_not() -> None:
    even = np.random.default_rng(0).uniform(0.9, 1.1, (10, 10)) / 200
    summary = summarise_contribution(with_many_parts(even))
    assert summary is not None and summary.even
    assert summary.sentence.startswith("The score comes evenly from all of the text: half of it comes from ")
    few = even / 10
    few[range(6), range(6)] = 0.1
    summary = summarise_contribution(with_many_parts(few))
    assert summary is not None and not summary.even and "evenly" not in summary.sentence
    assert summary.sentence.startswith(
        "Half of the score comes from 4 of 100 pairs of sections, 3 % of the text;"
    )
    assert summary.held(3) == "These 3 of 100 pairs of sections make up 46 % of the score."


def test_a_part_without_weight_is_not_listed() -> None:
    values = np.full((10, 10), 1e-5)
    values[0, 0] = 0.5
    summary = summarise_contribution(with_many_parts(values))
    assert summary is not None and len(summary.pairs) == 1 and summary.raising.count == 99


def test_nothing_to_say() -> None:
    assert summarise_contribution(with_parts([[0.0, 0.0], [0.0, 0.0]])) is None
    assert (
        summarise_contribution(with_parts([[0.01, 0.0], [0.0, 0.0]], score=0.5)) is None
    )  # the rest is the reference's
    assert summarise_contribution(replace(compared(), maps={})) is None


def test_words_are_named_with_what_they_add() -> None:
    found = summarise_contribution(compared())
    score = compared().models[0]
    assert found is not None and len(found.words) == 3
    assert found.words == tuple(w for w in score.words if w.word.isalpha())[:3]
    together = sum(w.part for w in found.words)
    assert found.more.startswith("The words “") and found.more.endswith(f"add {together:.2f}.")


def test_the_section_that_speaks_against_it_is_named() -> None:
    found = summarise_contribution(with_parts([[0.5, 0.2], [-0.3, 0.05]]))
    assert found is not None and found.opposed is not None
    assert (found.opposed.document, found.opposed.section) == ("a", 1)
    assert found.opposed.part == pytest.approx(-0.25)
    assert found.more.endswith("“Results” in A lowers the score by 0.25.")
    weak = summarise_contribution(with_parts([[0.5, 0.2], [-0.051, 0.05]]))
    assert weak is not None and weak.opposed is None
