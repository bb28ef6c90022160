"""Chapters of books in one size of type: by the table of contents, by bookmarks, or by their place and capitals."""

from __future__ import annotations

from typing import Any

import pytest

from colde.ingest.pdf import convert
from colde.ingest.pdf.table_of_contents import title_keys
from colde.ingest.reading_limits import Reading
from tests.ingest.pdf_samples.books import TITLES, book, contract


def headings(data: bytes) -> list[str]:
    document = convert(data, "book.pdf", Reading())
    return [s.heading for s in document.sections if s.heading and s.role is None]


@pytest.mark.parametrize("flowing", [True, False])
@pytest.mark.parametrize(
    "layout",
    [
        {"contents": "dots"},
        {"contents": "numbers", "heads": "number"},
        {"contents": "plain"},
        {"contents": "dots", "heads": "chapter"},
        {"contents": "numbers", "lower_case": True},
        {"contents": "plain", "lower_case": True},
        {"contents": None},
        {"contents": None, "heads": "chapter"},
        {"contents": None, "bookmarks": True, "lower_case": True},
        {"contents": None, "numbered_list": True},
        {"contents": "dots", "font": "Courier"},
    ],
)
def test_chapters(layout: dict[str, Any], flowing: bool) -> None:
    names = headings(book(**layout, flowing=flowing))
    expected = {key for title in TITLES for key in title_keys(title)}
    chapters = [name for name in names if any(key.endswith(tuple(expected)) for key in title_keys(name))]
    assert len(chapters) == len(TITLES), names
    assert len(names) <= len(TITLES) + 4 * layout.get("numbered_list", False)


def test_a_table_of_contents_is_no_text() -> None:
    document = convert(book(contents="plain"), "book.pdf", Reading())
    assert document.text.count(TITLES[0]) == 1
    assert "CONTENTS" not in document.text


CLAUSE = (
    "IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR ANY LOSS OF PROFIT OR OF DATA, HOWEVER IT IS CAUSED, AND ON ANY "
    "THEORY OF LIABILITY, EVEN IF IT HAS BEEN TOLD OF THE CHANCE OF SUCH A LOSS BEFOREHAND."
)


@pytest.mark.parametrize(
    "clause", [CLAUSE, "THE GOODS ARE SOLD AS THEY ARE, WITH ALL FAULTS.", CLAUSE[:120] + "."]
)
def test_clauses_in_capitals_are_no_headings(clause: str) -> None:
    assert not [name for name in headings(contract([clause] * 5)) if name.startswith(clause[:12])]
