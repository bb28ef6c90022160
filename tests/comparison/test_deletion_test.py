"""What an account of a score is worth on one pair: without what it calls strongest the score falls farther."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import colde
from colde.cli import main
from colde.comparison.questions import deletion_test
from colde.comparison.questions.deletion_test import (
    cut_characters,
    deletion_orders,
    first_share,
    measure_faithfulness,
    with_faithfulness,
)
from colde.encoders.encoder_names import PACKAGED
from colde.errors import ModelError
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span

SHARED = "The fresnel lens bends light by a prism of glass; the harbour pilots read its rhythm from the bar at dawn."
OTHERS = [
    "Bread rises in a warm oven for an hour until its crust sounds hollow to the baker and cools on a rack at noon.",
    "Sheep graze on the moor above the village while shepherds mend dry stone walls with frozen hands in winter.",
    "A violin is varnished with resin and oil; its maker waits for weeks before strings are drawn over the bridge.",
    "Voters queue before the school where clerks tick names on lists and fold ballots into sealed urns of steel.",
]


@pytest.fixture(scope="module")
def comparison() -> colde.Comparison:
    a = "\n\n".join(f"# Part {k}\n\n{text}" for k, text in enumerate([SHARED, *OTHERS[:2]]))
    b = "\n\n".join(f"# Chapter {k}\n\n{text}" for k, text in enumerate([*OTHERS[2:], SHARED]))
    return colde.compare(colde.read_text(a), colde.read_text(b), models=["tfidf", "bm25"])


def test_the_strongest_takes_more_than_chance(comparison: colde.Comparison) -> None:
    found = measure_faithfulness(comparison, "tfidf")
    assert found is not None and found.own > found.chance
    assert found == measure_faithfulness(comparison, "tfidf")  # the same whenever it is asked
    judged = comparison.with_faithfulness()
    assert judged.faithfulness == {"tfidf": found}
    first_model, second = judged.to_dict()["models"]
    assert (
        first_model["faithfulness"] == {"own": found.own, "chance": found.chance}
        and "faithfulness" not in second
    )


def test_nothing_is_said_where_nothing_can_be_left_out(comparison: colde.Comparison) -> None:
    short = colde.compare(colde.read_text(SHARED), colde.read_text(SHARED), models=["tfidf"])
    assert with_faithfulness(short).faithfulness == {}
    with pytest.raises(ModelError, match="does not explain its score"):
        measure_faithfulness(comparison, "dssm")
    with pytest.raises(ModelError, match="name it again"):
        measure_faithfulness(replace(comparison, reference="a folder"), "tfidf")


def test_very_many_sentences_are_not_measured(
    comparison: colde.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = sum(len(list(d.sentences())) for d in (comparison.a, comparison.b))
    asked: list[str] = []
    monkeypatch.setattr(deletion_test, "measure_faithfulness", lambda _, name, **options: asked.append(name))
    for most in (sentences - 1, sentences):
        monkeypatch.setattr(deletion_test, "MOST_SENTENCES", most)
        assert with_faithfulness(comparison) is comparison
    assert asked == [comparison.models[0].name]


def test_sentences_that_chunks_cut_are_counted_by_character() -> None:
    one, two = OTHERS[0], OTHERS[1]
    document = colde.read_text(f"{one} {two}")
    second = len(one) + 1
    for begins, characters in (
        ([0, second], 0),
        ([0, 9, second], len(one)),
        ([0, 9, 30, second + 9], len(one + two)),
    ):
        chunks = [Span(begin, begin + 1) for begin in begins]
        assert cut_characters(document, chunks) == characters
    assert cut_characters(replace(document, sections=()), [Span(0, 1)]) == 0


def test_texts_of_very_long_sentences_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of a sentence has to be encoded each time; whole sentences are known."""
    sentences = " ".join(OTHERS * 6)
    chance = random.Random(0)
    letters = " ".join("".join(chance.choices("acgt", k=70)) for _ in range(30))
    asked: list[str] = []
    monkeypatch.setattr(deletion_test, "measure_faithfulness", lambda _, name, **options: asked.append(name))
    monkeypatch.setattr(deletion_test, "MOST_CUT", 1_000)
    for text, model in ((sentences, "colde"), (letters, "colde"), (letters, "tfidf")):
        a, b = (colde.read_text(text + end) for end in ("", " The end is near."))
        with_faithfulness(colde.compare(a, b, model, encoder=PACKAGED))
    assert asked == ["colde", "tfidf"]


def test_orders_go_by_what_a_letter_adds_and_leave_each_text_a_chunk() -> None:
    rows = (Span(0, 10), Span(10, 40), Span(40, 50))
    values = np.array([[0.1], [0.2], [0.0]], dtype=np.float32)
    made = SimilarityMap(
        values, rows, (Span(0, 20),), "attribution", "Parts.", role="contribution", level="chunk"
    )
    own, *random = deletion_orders(made, 2)
    assert own == [("b", Span(0, 20)), ("a", rows[0]), ("a", rows[1]), ("a", rows[2])]
    assert all(sorted(map(str, o)) == sorted(map(str, own)) for o in random)
    assert first_share(own, 0.1) == [("a", rows[0])] and first_share(own, 1.0) == [
        ("a", rows[0]),
        ("a", rows[1]),
    ]


def test_the_json_file_says_it(
    comparison: colde.Comparison, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, document in (("a.md", comparison.a), ("b.md", comparison.b)):
        (tmp_path / name).write_text(document.text)
    files = [str(tmp_path / name) for name in ("a.md", "b.md")]
    assert main(["compare", *files, "--model", "tfidf", "--json", "-", "--quiet"]) == 0
    faithfulness = json.loads(capsys.readouterr().out)["models"][0].get("faithfulness")
    assert faithfulness is None or faithfulness.keys() == {"own", "chance"}
