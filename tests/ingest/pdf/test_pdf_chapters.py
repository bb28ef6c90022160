"""Chapters of books in one size of type: by the table of contents, by bookmarks, or by their place and capitals."""

from __future__ import annotations

import io
import textwrap
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.pdf.headings.table_of_contents import title_keys
from colde.ingest.reading_limits import Reading
from tests.ingest.pdf_samples.books import TITLES, Book, book, contract
from tests.ingest.pdf_samples.prose import paragraph


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


@pytest.mark.parametrize("bold_number", [True, False])
def test_a_numbered_paragraph_with_bold_first_words_is_no_heading(bold_number: bool) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    y = 780.0
    for number in range(1, 5):
        canvas.setFont("Times-Bold", 12)
        canvas.drawString(60, y, f"{number}. THE DUTIES OF THE CARRIER")
        for part in (1, 2):
            y -= 26
            canvas.setFont("Times-Bold" if bold_number else "Helvetica", 12)
            canvas.drawString(60, y, f"{number}.{part}")
            canvas.setFont("Times-Bold", 12)
            canvas.drawString(90, y, "List of the Present Carriers and Notice of New Ones.")
            canvas.setFont("Helvetica", 12)
            canvas.drawString(395, y, "Northway")
            for line in textwrap.wrap(f"shall tell the buyer of them. {paragraph(7 * number + part, 3)}", 80):
                y -= 14
                canvas.drawString(90, y, line)
        y -= 30
    canvas.save()
    names = headings(buffer.getvalue())
    assert names == [f"{number}. THE DUTIES OF THE CARRIER" for number in range(1, 5)]


def test_a_list_without_page_numbers_ends_where_its_text_begins() -> None:
    made = Book()
    made.centred("CONTENTS")
    long = "OF THE TAVERN, AND OF WHAT BEFELL THE COUNTESS IN CONSEQUENCE OF THE STORM"
    titles = ["THE FERRY", "RUIN", long, "THE BELL AND THE HARBOUR", "A DUEL"]
    for title in titles:
        made.entry(title, None, dots=False)
    for number, title in enumerate(titles, 1):
        made.space(2)
        made.centred(title)
        made.space(1)
        for _ in range(3):
            made.text(paragraph(number, 4))
            made.text("“Yes,” said he.")
    document = convert(made.done(), "book.pdf", Reading())
    assert [s.heading for s in document.sections if s.heading] == titles
    assert document.text.count("“Yes,” said he.") == 15
