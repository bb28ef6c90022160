"""Warnings find the pages they speak of, in the very words in which a PDF's reader names them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from colde.comparison import Comparison
from colde.ingest.pdf.source import _named
from colde.report.notes import page_notes, pages_named
from colde.report.payload import view_payload
from tests.report.example import example


@given(st.sets(st.integers(1, 60), min_size=1))
def test_named_pages_are_found_again(numbers: set[int]) -> None:
    named = _named(sorted(numbers))
    for warning in (f"{named} have no text (scans?) and were skipped", f"the text of {named} is garbled"):
        found = [page for first, last in pages_named(warning) for page in range(first, last + 1)]
        assert found == sorted(numbers)


def test_a_warning_without_pages_stands_at_no_place(comparison: Comparison) -> None:
    warnings = (
        "the text seems to be Finnish; 12 pages say little",
        "pages 3–5 and 8 cannot be read",
        "page 4 is odd",
    )
    document = replace(comparison.a, warnings=warnings, pages=9)
    assert [(n["first"], n["last"]) for n in page_notes(document)] == [(3, 5), (4, 4), (8, 8)]
    assert page_notes(document)[0]["text"] == "Pages 3–5 and 8 cannot be read"
    assert page_notes(replace(document, pages=None)) == []
    notes = view_payload(replace(comparison, a=document))["documents"]["a"]["notes"]
    assert len(notes) == 3


def test_the_view_knows_what_was_set_aside() -> None:
    documents = view_payload(example())["documents"]
    assert documents["a"]["aside"] == "references"
    assert documents["a"]["notes"] == []
