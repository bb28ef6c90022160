"""Warnings stand at the pages they are about."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from colde.ingest.document_json import to_dict
from colde.ingest.pdf.pdf_file import _page_runs
from colde.report.page_warnings import page_warnings
from colde.report.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.text.document import ReadWarning
from tests.report.example import example


@given(st.sets(st.integers(1, 60), min_size=1))
def test_runs_of_pages_hold_these_pages_and_no_others(numbers: set[int]) -> None:
    runs = _page_runs(sorted(numbers))
    assert [page for first, last in runs for page in range(first, last + 1)] == sorted(numbers)
    assert all(later[0] > earlier[1] + 1 for earlier, later in pairwise(runs))


def test_a_warning_without_pages_stands_at_no_place(comparison: Comparison) -> None:
    warnings = (
        ReadWarning("the text seems to be Finnish; 12 pages say little"),
        ReadWarning("pages 3–5 and 8 cannot be read", ((3, 5), (8, 8))),
        ReadWarning("page 4 is odd", ((4, 4),)),
    )
    document = replace(comparison.a, warnings=warnings, pages=9)
    assert [(n["first"], n["last"]) for n in page_warnings(document)] == [(3, 5), (4, 4), (8, 8)]
    assert page_warnings(document)[0]["text"] == "Pages 3–5 and 8 cannot be read"
    notes = view_payload(replace(comparison, a=document))["documents"]["a"]["notes"]
    assert len(notes) == 3
    assert to_dict(document)["warnings"][1:] == ["pages 3–5 and 8 cannot be read", "page 4 is odd"]


def test_the_view_knows_what_was_set_aside() -> None:
    documents = view_payload(example())["documents"]
    assert documents["a"]["aside"] == "references 12 words"
    assert documents["a"]["notes"] == []
