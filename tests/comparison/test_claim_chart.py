"""The claim chart: rows of A, and what each other document has for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import colde
from colde.comparison.claim_chart import ClaimChart, added_rows, claim_chart, named_passages
from colde.comparison.part_notation import parse_parts
from colde.corpus.samples import sample_named
from colde.errors import PartError
from colde.results import counterparts
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Document, Span
from colde.text.places import line_at

pytestmark = pytest.mark.slow

RULES = """# Rules of the boathouse

## Keys

1. Members must return the key of the boathouse to the porter before nine in the evening.

2. Guests may not take a boat out unless a member of the society is on board with them.

3. The treasurer shall publish the accounts of the society every year in the month of March.

## About us

Our boathouse was built of oak in the spring of 1911. The river froze in the winter after that.
"""
HANDBOOK = """# Handbook for rowers

## Evenings

Welcome to the club. Members must return the key of the boathouse to the porter before nine in the evening. Lamps hang
in the hall, and cakes are sold on Sundays by the youth of the village.

## Visitors

Guests may take no boat out unless a member of our society is on board with them. Towels can be borrowed at the desk.

## Weather

When the wind is strong a red flag flies above the pier. The forecast is read aloud at breakfast by the cook.
"""


def read(text: str, name: str) -> Document:
    return colde.read(text.encode(), name=name)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return colde.compare(read(RULES, "rules.md"), read(HANDBOOK, "handbook.md"), "tfidf")


@pytest.fixture(scope="module")
def chart(comparison: Comparison) -> ClaimChart:
    return claim_chart([comparison])


def test_rows_are_requirements_with_what_is_found(chart: ClaimChart, comparison: Comparison) -> None:
    assert [row.number for row in chart.rows] == [1, 2, 3]
    key, guests, accounts = (row.cells[0] for row in chart.rows)
    assert key.found and key.counterparts[0].kind == "identical"
    assert "return the key" in key.counterparts[0].b.text
    assert guests.found and "no boat" in guests.counterparts[0].b.text
    assert accounts.found is False and len(accounts.counterparts) == 1
    assert accounts.probability is not None and accounts.probability > 0.5


def test_a_passage_is_found_where_it_is_and_not_where_it_is_not(comparison: Comparison) -> None:
    away = colde.compare(
        comparison.a, read(HANDBOOK.replace("Members must return", "Cats never lose"), "x.md"), "tfidf"
    )
    search = away.counterpart_search()
    assert search is not None
    row = claim_chart([comparison]).rows[0].a
    before = comparison.counterpart_search()
    assert before is not None
    sure, unsure = before.probability(Span(row.start, row.end)), search.probability(Span(row.start, row.end))
    assert sure is not None and unsure is not None and sure >= unsure


@pytest.mark.parametrize("block", [1, 2, 9])
def test_passages_read_ahead_have_the_same_probabilities(
    comparison: Comparison, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counterparts, "BLOCK", block)
    search, ahead = comparison.counterpart_search(), comparison.counterpart_search()
    assert search is not None and ahead is not None
    spans = [Span(row.a.start, row.a.end) for row in claim_chart([comparison], "sentences").rows]
    alone = [search.probability(span) or 0.0 for span in spans]
    assert [ahead.probability(span) for span in ahead.read_ahead(spans)] == pytest.approx(alone, abs=0.02)


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (
            "Members must not return the key of the boathouse to the porter before nine in the evening.",
            "opposite",
        ),
        (
            "Each member must return the key of the boathouse to the porter before nine in the evening.",
            "edited",
        ),
    ],
)
def test_a_counterpart_that_contradicts_the_row_is_opposite(
    comparison: Comparison, rule: str, kind: str
) -> None:
    there = RULES.split("\n\n")[2].removeprefix("1. ")
    other = colde.compare(comparison.a, read(HANDBOOK.replace(there, rule), "other.md"), "tfidf")
    cell = claim_chart([other]).rows[0].cells[0]
    assert cell.found and cell.counterparts[0].kind == kind


def test_other_rows_can_be_chosen(comparison: Comparison) -> None:
    assert len(claim_chart([comparison], "sentences").rows) == 5
    named = named_passages(read(RULES, "rules.md"), parse_parts("a:1,a@0-40")["a"])
    assert Span(0, 40) in named
    texts = [row.a.text for row in claim_chart([comparison], passages=named).rows]
    assert any("built of oak" in text for text in texts) and not any("treasurer" in text for text in texts)


@pytest.mark.parametrize("notation", ["a:9", "a:0.1", "a@0-9999"])
def test_passages_that_do_not_exist_are_refused(notation: str) -> None:
    with pytest.raises(PartError, match=r"rules\.md"):
        named_passages(read(RULES, "rules.md"), parse_parts(notation)["a"])


def test_each_document_has_a_column(comparison: Comparison) -> None:
    again = claim_chart([comparison, comparison])
    assert [d.source for d in again.documents] == ["handbook.md", "handbook.md"]
    assert all(len(row.cells) == 2 for row in again.rows)


def test_decisions_of_the_review_stand_in_the_cells(comparison: Comparison, chart: ClaimChart) -> None:
    row = chart.rows[0]
    b = row.cells[0].counterparts[0].b
    mark = Mark(Span(row.a.start, row.a.end), Span(b.start, b.end), "accepted", "as agreed")
    cells = [r.cells[0] for r in claim_chart([replace(comparison, review=Decisions((mark,)))]).rows]
    assert (cells[0].decision, cells[0].note) == ("accepted", "as agreed")
    assert not any(cell.decision for cell in cells[1:])


def test_a_decision_on_a_row_comes_before_one_on_a_passage(comparison: Comparison, chart: ClaimChart) -> None:
    key, _, accounts = chart.rows
    b = key.cells[0].counterparts[0].b
    here, there = Span(key.a.start, key.a.end), Span(accounts.a.start, accounts.a.end)
    marks = (
        Mark(here, Span(b.start, b.end), "accepted", "the passage"),
        Mark(here, None, "rejected", "the row", row="listed"),
        Mark(there, None, "accepted", "", row="listed"),
        Mark(Span(0, 3), None, "accepted", "of no row", row="listed"),
    )
    rows = claim_chart([replace(comparison, review=Decisions(marks))]).rows
    assert [(row.cells[0].decision, row.cells[0].note) for row in rows] == [
        ("rejected", "the row"),
        ("", ""),
        ("accepted", ""),
    ]


def test_rows_that_the_reviewer_added_join_the_requirements(comparison: Comparison) -> None:
    start = comparison.a.text.index("Our boathouse")
    added = Mark(Span(start, start + 55), None, row="added")
    listed = claim_chart([comparison]).rows[0].a
    marks = (
        added,
        Mark(Span(listed.start, listed.end), None, row="added"),  # a row without it, too
        Mark(Span(0, 10**6), None, row="added"),  # of another text
    )
    reviewed = Decisions(marks)
    rows = claim_chart([replace(comparison, review=reviewed)]).rows
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert rows[3].a.text.startswith("Our boathouse was built of oak")
    assert added.a in added_rows(reviewed)
    assert added_rows(reviewed.swapped()) == ()
    assert added_rows(reviewed.swapped().swapped()) == added_rows(reviewed)


def test_nothing_is_claimed_where_nothing_was_searched(comparison: Comparison) -> None:
    unknown = claim_chart([replace(comparison, shared=None, sentences=None)])
    assert {row.cells[0].found for row in unknown.rows} == {None}
    assert unknown.documents[0].not_searched


def test_places_and_fields(chart: ClaimChart) -> None:
    written = chart.to_dict()
    assert set(written) == {"version", "a", "documents", "miss_rates", "rows"}
    row = written["rows"][0]
    assert set(row) == {"number", "a", "cells"}
    assert set(row["a"]) >= {"start", "end", "section", "page", "line", "text"}
    assert set(row["cells"][0]) == {"found", "probability", "counterparts", "decision", "note"}


def test_lines_of_a_page_are_counted() -> None:
    pdf = colde.read(sample_named("licence").a_pdf)
    first, *_ = (s for _, s in pdf.sentences())
    lines = [line_at(pdf, s.start) or 0 for _, s in pdf.sentences() if pdf.page_at(s.start) == 2]
    assert line_at(pdf, first.start) == 1
    assert lines[0] == 1 and lines == sorted(lines) and len(set(lines)) > 10
    assert line_at(colde.read_text("A text has no pages at all."), 0) is None
