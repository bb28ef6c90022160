"""A pair of sentences word by word: parts of the cell of `contribution_sentence`, which they add up to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import colde
from colde import models
from colde.cli import main
from colde.comparison.questions.word_by_word import word_contributions
from colde.errors import ModelError, PartError
from colde.explain.word_contribution import words_of_span
from colde.models.base import Matcher, WordByWord
from colde.text.document import Span
from colde.text.word_weights.term_weights import words_of
from tests.models.drawn_states import over_drawn_states

A = (
    "# Harbour\n\nThe harbour pilots read the fresnel lens: its prism, a prism of glass, bends light. Café — naïve!\n\n"
    "# Bread\n\nBread rises in a warm oven. … The crust cracks; it sings (softly)."
)
B = (
    "# Light\n\nA prism in every fresnel lens turns the light. Pilots read it at dawn. Nobody bakes bread on the rock, "
    "where the keeper lives."
)


@pytest.fixture(scope="module")
def known() -> dict[str, Matcher]:
    return {**over_drawn_states(), "tfidf": models.load("tfidf"), "bm25": models.load("bm25")}


@pytest.fixture(scope="module")
def comparison() -> colde.Comparison:
    return colde.compare(colde.read_text(A), colde.read_text(B), models=["tfidf", "bm25"])


@pytest.mark.parametrize("name", ["tfidf", "bm25", "minilm", "colde", "colde_words"])
def test_words_add_up_to_the_cell_of_their_sentences(known: dict[str, Matcher], name: str) -> None:
    model = known[name]
    assert isinstance(model, WordByWord)
    a, b = model.encode([colde.read_text(A), colde.read_text(B)])
    result = model.match(a, b)
    cells = result.maps["contribution_sentence"]
    total = result.maps["contribution_section"].reference or 0.0
    for row in range(len(cells.rows)):
        for column in range(len(cells.columns)):
            found = model.word_contributions(a, b, row, column)
            assert (found.role, found.level, found.scale) == ("contribution", "word", "diverging")
            own = float(found.values.sum(dtype=np.float64))
            assert own == pytest.approx(cells.values[row, column], abs=1e-6)
            assert found.residual == pytest.approx(0.0, abs=1e-6)
            total += own
            for document, passages, words in (
                (a.document, cells.rows[row], found.rows),
                (b.document, cells.columns[column], found.columns),
            ):
                said = [document.text[s.start : s.end] for s in words]
                assert all(s.strip() for s in said) and words[0].start >= passages.start
    assert total == pytest.approx(
        result.score, abs=1e-5
    )  # nothing is lost on the way from the score to its words


def test_a_shared_word_is_a_cell_at_each_place_where_it_stands(known: dict[str, Matcher]) -> None:
    model = known["tfidf"]
    assert isinstance(model, WordByWord)
    one, other = colde.read_text(A), colde.read_text(B)
    a, b = model.encode([one, other])
    cells = model.match(a, b).maps["contribution_sentence"]
    row, column = (
        next(k for k, s in enumerate(spans) if "prism" in text[s.start : s.end])
        for spans, text in ((cells.rows, one.text), (cells.columns, other.text))
    )
    found = model.word_contributions(a, b, row, column)
    told = {
        (one.text[s.start : s.end], other.text[t.start : t.end])
        for s, row in zip(found.rows, found.values, strict=True)
        for t, value in zip(found.columns, row, strict=True)
        if value
    }
    assert ("prism", "prism") in told and ("fresnel", "fresnel") in told and all(x == y for x, y in told)
    places = [k for k, s in enumerate(found.rows) if one.text[s.start : s.end] == "prism"]
    other = [k for k, s in enumerate(found.columns) if other.text[s.start : s.end] == "prism"]
    assert len(places) == 2 and found.values[places[0], other[0]] == found.values[places[1], other[0]] > 0


def test_words_are_those_that_are_counted() -> None:
    document = colde.read_text(A)
    text = document.text
    words = [text[s.start : s.end].lower() for s in words_of_span(document, Span(0, len(text)))]
    assert [w for w in words if len(w) > 1] == words_of(text)
    assert words_of_span(document, Span(text.index("—"), text.index("—") + 1)) == (
        Span(text.index("—"), text.index("—") + 1),
    )


def test_sentences_by_number_by_place_and_the_strongest(comparison: colde.Comparison) -> None:
    cells = comparison.maps["tfidf"]["contribution_sentence"]
    row, column = np.unravel_index(int(cells.values.argmax()), cells.values.shape)
    strongest = word_contributions(comparison)
    assert (strongest.model, strongest.row, strongest.column) == ("tfidf", row, column)
    assert strongest.total == pytest.approx(float(cells.values.max()), abs=1e-7)
    (a, b, value), *_ = strongest.strongest(3)
    one, other = comparison.a.text, comparison.b.text
    assert one[a.start : a.end].lower() == other[b.start : b.end].lower() and value > 0
    span = cells.rows[row]
    placed = word_contributions(comparison, Span(span.start + 1, span.end), cells.columns[column], "bm25")
    assert (placed.model, placed.row, placed.column) == ("bm25", row, column)
    np.testing.assert_array_equal(comparison.words(int(row), int(column)).values, strongest.map.values)


def test_errors_say_what_there_is(comparison: colde.Comparison) -> None:
    with pytest.raises(PartError, match="there are 0 to"):
        comparison.words(99, 0)
    with pytest.raises(ModelError, match="does not split its score"):
        comparison.words(0, 0, model="dssm")
    with pytest.raises(TypeError, match="referrer"):
        comparison.words(0, 0, referrer=None)  # type: ignore[call-arg]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text(A)
    (tmp_path / "b.md").write_text(B)
    files = [str(tmp_path / "a.md"), str(tmp_path / "b.md"), "--model", "tfidf", "--quiet"]
    assert main(["compare", *files, "--words", "strongest", "--json", "-"]) == 0
    made = json.loads(capsys.readouterr().out)["maps"]["tfidf"]
    assert made["contribution_word"]["level"] == "word"
    cell = max(v for row in made["contribution_sentence"]["values"] for v in row)
    found = sum(v for row in made["contribution_word"]["values"] for v in row)
    assert found + made["contribution_word"]["residual"] == pytest.approx(cell, abs=1e-6)
    assert main(["compare", *files, "--words", "1:1"]) == 0
    assert "to the score of TF-IDF" in capsys.readouterr().out
    assert main(["compare", *files, "--words", "1"]) == 2
    assert main(["compare", *files, "--words", "1:99"]) != 0
