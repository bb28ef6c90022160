"""A review is saved and opened again, with or without the texts; what is kept of it goes onto the pages."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest

from colde.report.content.review_export import (
    ReviewError,
    comparison_tables,
    parse_marks,
    read_review,
    review_table,
    review_to_json,
)
from colde.report.content.reviewed_passages import passages_to_highlight, reviewed_passages, unplaced_note
from colde.report.html.html_report import to_html
from colde.report.printed.pdf_annotations import COLOURS, passage_annotations
from colde.report.redline.review_comments import review_comments
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.results.shared_text import PassageKind
from colde.text.document import Box, Span
from tests.report.example import example


def reviewed() -> tuple[Comparison, Decisions]:
    whole = example()
    assert whole.shared is not None
    kinds: list[PassageKind] = ["edited"] * 3 + ["same topic"] * 6 + ["paraphrased"]
    passages = tuple(replace(p, kind=kind) for p, kind in zip(whole.shared.passages, kinds, strict=True))
    said = (("rejected", ""), ("", '=HYPERLINK("x")'), ("accepted", "Found by hand."))
    marks = tuple(
        Mark(p.a, p.b, decision, note)  # type: ignore[arg-type]
        for p, (decision, note) in zip(passages, said, strict=False)
    )
    section = whole.b.sections[1]
    decisions = Decisions(marks, (), (Span(section.start, section.end),))
    return replace(whole, shared=replace(whole.shared, passages=passages), review=decisions), decisions


@pytest.mark.parametrize("texts", [True, False])
def test_what_is_saved_comes_back(texts: bool) -> None:
    whole, decisions = reviewed()
    review = read_review(review_to_json(whole.a, whole.b, decisions, texts=texts).encode())
    assert review.decisions == decisions
    assert review.fits(whole.a, whole.b)
    assert not review.fits(whole.b, whole.a)
    assert review.documents == ((whole.a, whole.b) if texts else None)
    assert (whole.a.text in review_to_json(whole.a, whole.b, decisions, texts=False)) is False


def test_marks_on_rows_of_the_chart_are_saved_and_are_on_no_passage_and_no_change() -> None:
    whole, decisions = reviewed()
    passage, *_ = decisions.marks
    rows = (Mark(passage.a, None, "accepted", "The row.", row="listed"), Mark(passage.a, None, row="added"))
    both = replace(decisions, marks=(*decisions.marks, rows[0]))
    saved = read_review(review_to_json(whole.a, whole.b, both, texts=False).encode())
    assert saved.decisions == both
    assert decisions.joined_by(both).marks == both.marks
    assert decisions.joined_by(Decisions(rows)).marks[-1] == rows[1], "one mark for each row"
    with_rows = replace(whole, review=both)
    assert reviewed_passages(with_rows) == reviewed_passages(whole)
    assert unplaced_note(with_rows) == ""
    assert "The row." not in " ".join(comment.text for comment in review_comments(with_rows))
    with pytest.raises(ReviewError):
        parse_marks([{"a": None, "b": None, "decision": "accepted", "note": "", "row": "listed"}])
    with pytest.raises(ReviewError):
        parse_marks([{"a": [0, 1], "b": None, "decision": "accepted", "note": "", "row": "other"}])


def broken(change: dict[str, Any]) -> bytes:
    whole, decisions = reviewed()
    return json.dumps(json.loads(review_to_json(whole.a, whole.b, decisions, texts=True)) | change).encode()


def test_a_review_of_version_0_2_left_nothing_out() -> None:
    whole, decisions = reviewed()
    file = json.loads(review_to_json(whole.a, whole.b, decisions, texts=False))
    del file["left_out"]
    assert read_review(json.dumps(file).encode()).decisions == Decisions(decisions.marks)


def test_a_review_of_an_earlier_list_opens_and_says_what_could_not_be_placed() -> None:
    whole, decisions = reviewed()
    assert unplaced_note(whole) == ""
    moved = replace(decisions.marks[2], a=Span(3, 9))
    for marks, begins in (
        ((moved,), "1 decision of the review could not be placed: its passage is"),
        (
            (moved, replace(moved, a=Span(1, 2))),
            "2 decisions of the review could not be placed: their passages are",
        ),
    ):
        old = replace(whole, review=replace(decisions, marks=marks))
        assert unplaced_note(old).startswith(begins)
        assert unplaced_note(old) in to_html(old)
    on_a_change = replace(decisions, marks=(replace(moved, change=True),))
    assert unplaced_note(replace(whole, review=on_a_change)) == ""


def test_decisions_turn_with_the_pair() -> None:
    _, decisions = reviewed()
    turned = decisions.swapped()
    assert (turned.without_a, turned.without_b) == (decisions.without_b, ())
    assert turned.marks[0].a == decisions.marks[0].b
    assert turned.swapped() == decisions


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
        broken({"left_out": [1]}),
        broken({"left_out": {"a": [[5, 2]], "b": []}}),
        broken({"a": {"sha256": "0" * 64, "document": {"text": "another"}}}),
    ],
)
def test_what_is_no_review_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(ReviewError, match=r"\w"):
        read_review(data)


LIMITED = b'{"kind": "colde review", "version": 1, "a": {"sha256": "%s"}, "b": {"sha256": "%s"}, "marks": [], "x": %s}'
"""A review with another part."""


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (b"[" + b"[[]]," * 1_000_000 + b"[]]", "more than 2,097,152 bytes"),
        (b"[" + b"[[]]," * 2_000_000 + b"[]]", "more than 8,388,608 bytes"),
        (b"[" * 1_000_000, "nested too deeply|truncated|more than"),
    ],
)
def test_a_review_has_a_small_limit_and_other_parts_take_no_memory(part: bytes, message: str) -> None:
    digest = b"0" * 64
    data = LIMITED % (digest, digest, part)
    tracemalloc.start()
    try:
        with pytest.raises(ReviewError, match=message):
            read_review(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(data)


def test_the_memory_of_the_texts_is_bounded_by_their_size() -> None:
    """The costliest list that a document may have: boxes of sentences."""
    whole, decisions = reviewed()
    file = json.loads(review_to_json(whole.a, whole.b, decisions, texts=True))
    file["a"]["document"]["sections"][0][6] = [[0, 1, "BOXES"]]
    boxes = "[" + "[1,0,0,0,0]," * 50_000 + "[1,0,0,0,0]]"
    data = json.dumps(file).replace('"BOXES"', boxes).encode()
    tracemalloc.start()
    try:
        with pytest.raises(ReviewError):
            read_review(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 45 * len(data)


def test_texts_that_are_too_long_are_left_out_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, decisions = reviewed()
    monkeypatch.setattr("colde.report.content.review_export.MAX_FILE_BYTES", 2_000)
    written = review_to_json(whole.a, whole.b, decisions, texts=True)
    monkeypatch.undo()
    review = read_review(written.encode())
    assert review.documents is None and review.decisions == decisions


def test_a_review_fits_no_shorter_text() -> None:
    whole, decisions = reviewed()
    beyond = replace(decisions, without_a=(Span(0, len(whole.a.text) + 1),))
    review = read_review(review_to_json(whole.a, whole.b, beyond, texts=False).encode())
    assert not review.fits(whole.a, whole.b)


def test_passages_keep_their_numbers_and_what_was_rejected_stays_away() -> None:
    whole, _ = reviewed()
    found = reviewed_passages(whole)
    assert [m.number for m in found] == list(range(1, 11))
    assert [m.number for m in passages_to_highlight(found)] == [2, 3, 10], (
        "one rejected, six on the same topic"
    )
    rows = list(csv.DictReader(io.StringIO(review_table(whole))))
    assert [row["decision"] for row in rows[:3]] == ["rejected", "open", "accepted"]
    assert rows[1]["note"].startswith("'="), "no formula"
    (gone,) = [row for row in rows if row["decision"] == "left out"]
    assert (gone["number"], gone["a_text"], gone["b_section"]) == ("", "", whole.b.sections[1].heading)
    assert gone["b_text"] in whole.b.text


def test_every_output_of_a_comparison_contains_its_review() -> None:
    whole, _ = reviewed()
    marks = json.loads(whole.to_json())["review"]["marks"]
    assert [(mark["decision"], mark["note"]) for mark in marks[:2]] == [
        ("rejected", ""),
        ("", '=HYPERLINK("x")'),
    ]
    table = dict(comparison_tables(whole))["review.csv"]
    page = to_html(whole)
    for output in (table, page):
        assert "Found by hand." in output
        assert "accepted" in output
        assert "rejected" in output
        assert "eft out" in output
    assert '"out":"b:1"' in page, "the view of the report leaves it out, too"
    plain = replace(whole, review=None)
    assert json.loads(plain.to_json())["review"] is None
    assert "review.csv" not in dict(comparison_tables(plain))
    assert "Left out with What if" not in to_html(plain)


def test_notes_stand_where_the_sentences_are_and_say_what_is_there() -> None:
    whole, _ = reviewed()
    box = Box(3, 10.0, 20.0, 100.0, 30.0)
    sections = tuple(
        replace(s, sentences=tuple(replace(x, boxes=(box,)) for x in s.sentences)) for s in whole.a.sections
    )
    paged = replace(whole, a=replace(whole.a, sections=sections, pages=3))
    made = passage_annotations(paged, "a")
    assert [note.text.split()[0] for note in made] == ["2", "3", "10"]
    assert made[1].text.endswith("Found by hand.")
    assert made[1].colour == COLOURS["edited"] and made[2].colour == COLOURS["paraphrased"]
    assert {b for note in made for b in note.boxes} == {box}
    assert passage_annotations(paged, "b") == (), "B has no pages"


def test_what_was_left_out_is_noted_on_its_pages() -> None:
    whole, decisions = reviewed()
    section = whole.a.sections[0]
    box = Box(1, 10.0, 20.0, 100.0, 30.0)
    sentences = tuple(replace(x, boxes=(box,)) for x in section.sentences)
    sections = (replace(section, sentences=sentences), *whole.a.sections[1:])
    paged = replace(whole.a, sections=sections, pages=1)
    span = Span(section.start, section.end)
    made = passage_annotations(replace(whole, a=paged, review=replace(decisions, without_a=(span,))), "a")
    assert f"Left out with What if: {section.heading}" in [note.text for note in made]


def test_marks_from_a_page_are_checked() -> None:
    assert parse_marks([]) == ()
    with pytest.raises(ReviewError):
        parse_marks([{"a": [0, 1], "b": [0, 1], "decision": "", "note": "x" * 5000}])
    with pytest.raises(ReviewError):
        parse_marks(None)
