"""A review is saved and opened again, with or without the texts; what is kept of it goes onto the pages."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from colde.report.annotated import notes
from colde.report.review import (
    Mark,
    ReviewError,
    from_json,
    kept,
    marks_of,
    matches,
    review_table,
    to_json,
)
from colde.results.comparison import Comparison
from colde.text.document import Box, Span
from tests.report.example import example


def reviewed() -> tuple[Comparison, tuple[Mark, ...]]:
    whole = example()
    weights = [0.9, 0.8, *[0.2] * (len(whole.evidence) - 2)]
    evidence = tuple(
        replace(e, model="colde", kind="reworded", weight=w)
        for e, w in zip(whole.evidence, weights, strict=True)
    )
    said = (("rejected", ""), ("", '=HYPERLINK("x")'), ("accepted", "Found by hand."))
    marks = tuple(
        Mark(Span(e.a.start, e.a.end), Span(e.b.start, e.b.end), decision, note)  # type: ignore[arg-type]
        for e, (decision, note) in zip(evidence, said, strict=False)
    )
    return replace(whole, evidence=evidence), marks


@pytest.mark.parametrize("texts", [True, False])
def test_what_is_saved_comes_back(texts: bool) -> None:
    whole, marks = reviewed()
    review = from_json(to_json(whole.a, whole.b, marks, texts=texts).encode())
    assert review.marks == marks
    assert review.fits(whole.a, whole.b)
    assert not review.fits(whole.b, whole.a)
    assert review.documents == ((whole.a, whole.b) if texts else None)
    assert (whole.a.text in to_json(whole.a, whole.b, marks, texts=False)) is False


def broken(change: dict[str, Any]) -> bytes:
    whole, marks = reviewed()
    return json.dumps(json.loads(to_json(whole.a, whole.b, marks, texts=True)) | change).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\x00\xff",
        b'{"kind": "colde review", "version": 1}',
        broken({"version": 2}),
        broken({"marks": "none"}),
        broken({"marks": [{"a": [3, 1], "b": [0, 4], "decision": "", "note": ""}]}),
        broken({"marks": [{"a": [0, 1], "b": [0, 4], "decision": "burned", "note": ""}]}),
        broken({"a": {"sha256": "0" * 64, "document": {"text": "another"}}}),
    ],
)
def test_what_is_no_review_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(ReviewError, match=r"\w"):
        from_json(data)


def test_matches_keep_their_numbers_and_what_was_rejected_stays_away() -> None:
    whole, marks = reviewed()
    found = matches(whole, marks)
    assert [m.number for m in found] == list(range(1, len(whole.evidence) + 1))
    assert [m.number for m in kept(found)] == [2, 3], "one rejected, one above the cut, one accepted"
    rows = list(csv.DictReader(io.StringIO(review_table(whole, found))))
    assert [row["decision"] for row in rows[:3]] == ["rejected", "open", "accepted"]
    assert rows[1]["note"].startswith("'="), "no formula"


def test_notes_stand_where_the_sentences_are_and_say_what_is_there() -> None:
    whole, marks = reviewed()
    box = Box(3, 10.0, 20.0, 100.0, 30.0)
    sections = tuple(
        replace(s, sentences=tuple(replace(x, boxes=(box,)) for x in s.sentences)) for s in whole.a.sections
    )
    paged = replace(whole, a=replace(whole.a, sections=sections))
    made = notes(paged, matches(paged, marks), "a")
    assert [note.text.split()[0] for note in made] == ["2", "3"]
    assert made[1].text.endswith("Found by hand.")
    assert {b for note in made for b in note.boxes} == {box}
    assert notes(paged, matches(paged, marks), "b") == (), "B has no pages"


def test_marks_from_a_page_are_checked() -> None:
    assert marks_of([]) == ()
    with pytest.raises(ReviewError):
        marks_of([{"a": [0, 1], "b": [0, 1], "decision": "", "note": "x" * 5000}])
    with pytest.raises(ReviewError):
        marks_of(None)
