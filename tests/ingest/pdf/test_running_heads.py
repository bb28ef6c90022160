"""Lines at the top of several pages: running heads are left out, headings and first lines of pages are text."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import paragraph

BODY, BOLD, ITALIC = "Times-Roman", "Times-Bold", "Times-Italic"
Piece = tuple[float, str, str, float]
"""Where a piece of a line begins, its text, font and size."""


def read(top: Callable[[int], list[Piece]], pages: int = 5) -> Document:
    """Pages of text below a line that depends on the page, from 1."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792), invariant=1)
    for page in range(1, pages + 1):
        for x, text, font, size in top(page):
            canvas.setFont(font, size)
            canvas.drawString(x, 740, text)
        canvas.setFont(BODY, 11)
        for n, line in enumerate(paragraph(4 * page, 4).split(". ")):
            canvas.drawString(72, 690 - 14 * n, line.rstrip(".") + ".")
        canvas.showPage()
    canvas.save()
    return convert(buffer.getvalue(), "sample.pdf", Reading())


def all_text(document: Document) -> str:
    return f"{document.title}\n{document.text}"


@pytest.mark.parametrize(
    "top",
    [
        lambda page: [(72, f"Lesson {page}", BOLD, 14)],
        lambda page: [(72, f"Meeting held on {7 * page - 4} May", BODY, 11)],
        lambda page: [(72, f"Rules for pupils, part {page}", BODY, 11)],
        lambda page: [(72, f"Exhibit {'ABCDE'[page - 1]} of the claimant", BODY, 11)],
        lambda page: [(72, f"The day's work on {('Monday', 'Friday', 'Easter', 'Lent', 'rest')[page - 1]}", BOLD, 11)],
    ],
)  # fmt: skip
def test_lines_that_differ_are_text(top: Callable[[int], list[Piece]]) -> None:
    text = all_text(read(top))
    assert [top(page)[0][1] in text for page in range(1, 6)] == [True] * 5


def test_a_line_of_two_pages_is_text() -> None:
    document = read(lambda page: [(72, "The rules of the house", BODY, 11)], pages=2)
    assert document.text.count("The rules of the house") == 2


@pytest.mark.parametrize(
    "top",
    [
        lambda page: [(72, "Crafts of the valley", ITALIC, 9)],
        lambda page: [(72, "Crafts of the valley", BODY, 11)],
        lambda page: [(72, "Crafts of the valley", BOLD, 11), (500, f"{page}", BOLD, 11)],
        lambda page: [(72, f"{page + 12}", BODY, 11), (300, ("Crafts of the valley", "Stove")[page % 2], BODY, 11)],
        lambda page: [(72, f"Crafts of the valley – page {page} of 5", BODY, 9)],
    ],
)  # fmt: skip
def test_running_heads_are_left_out(top: Callable[[int], list[Piece]]) -> None:
    document = read(top)
    assert "Crafts" not in all_text(document)


CHAPTERS = ["THE MILL"] * 3 + ["A BELL"] * 2 + ["TO THE NORTH BY NIGHT"] * 4
COUNTED = ("NAMES", "PLACES", "DATES", "BILLS", "BOATS", "SALT", "CARTS", "OARS", "ROPES")
YEARS = (1650, 1655, 1660, 1700, 1702, 1750, 1751, 1752, 1799)


def chapters(head: Callable[[int, str], str], font: str = BODY) -> str:
    """What is read of a book: a title page, then chapters of several pages below a line of the page and its chapter."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792), invariant=1)
    for page in range(1, len(CHAPTERS) + 2):
        canvas.setFont(font, 11)
        canvas.drawString(250, 740, head(page, CHAPTERS[page - 2]) if page > 1 else "THE SALT ROAD")
        canvas.setFont(BODY, 11)
        y = 690.0
        if page > 1 and CHAPTERS[page - 2] not in CHAPTERS[: page - 2]:
            canvas.drawCentredString(306, y, CHAPTERS[page - 2])
            y -= 28
        for n, line in enumerate(paragraph(4 * page, 4).split(". ")):
            canvas.drawString(72, y - 14 * n, line.rstrip(".") + ".")
        canvas.showPage()
    canvas.save()
    return all_text(convert(buffer.getvalue(), "book.pdf", Reading()))


@pytest.mark.parametrize("font", [BODY, BOLD, ITALIC])
@pytest.mark.parametrize("first", [2, 42])
@pytest.mark.parametrize(
    "head",
    [
        lambda page, chapter: f"{chapter} {page}",
        lambda page, chapter: f"{page} {chapter}",
        lambda page, chapter: f"{chapter} {page}" if page % 2 else f"{page} THE SALT ROAD",
        lambda page, chapter: f"THE SALT ROAD {page}",
        lambda page, chapter: f"A. BELL {page}" if page % 2 else f"{page} J. HARROW",
    ],
)  # fmt: skip
def test_titles_beside_the_number_of_the_page_are_left_out(
    head: Callable[[int, str], str], first: int, font: str
) -> None:
    text = chapters(lambda page, chapter: head(page - 2 + first, chapter), font)
    heads = [head(page - 2 + first, chapter) for page, chapter in enumerate(CHAPTERS, 2)]
    assert [line for line in heads if line in text] == []
    assert all(text.count(chapter) == 1 for chapter in CHAPTERS)


@pytest.mark.parametrize(
    "head",
    [
        lambda page, _: f"Lesson {page - 1}",
        lambda page, _: f"LESSON {page + 11}",
        lambda page, _: f"{page - 1} {COUNTED[page - 2]}",
        lambda page, _: f"THE MILL IN {YEARS[page - 2]}",
    ],
)  # fmt: skip
def test_titles_that_are_counted_are_text(head: Callable[[int, str], str]) -> None:
    text = chapters(head)
    heads = [head(page, chapter) for page, chapter in enumerate(CHAPTERS, 2)]
    assert [line for line in heads if line not in text] == []


def test_the_title_of_several_slides_is_read_once() -> None:
    titles = ["Ovens", "Ovens", "Ovens (continued)", "Roofs", "Roofs (2/2)"]
    text = all_text(read(lambda page: [(72, titles[page - 1], BOLD, 18)]))
    assert [text.count(word) for word in ("Ovens", "Roofs")] == [1, 1]


def test_lines_of_wide_leading_above_a_page_number_and_an_imprint_are_text() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792), invariant=1)
    canvas.setFont(BODY, 9)
    lines = [sentence for n in range(1, 16) for sentence in (paragraph(4 * n, 4)[:300]).split(". ")][:40]
    for n, line in enumerate(lines):
        canvas.drawString(72, 740 - 16.5 * n, line)
    canvas.drawCentredString(306, 60, "309")
    canvas.setFont(BODY, 7)
    canvas.drawCentredString(
        306, 40, "Proceedings of the third meeting of the guild of millers, pages 309–315"
    )
    canvas.drawCentredString(306, 31, "© 2011 The Guild of Millers")
    canvas.save()
    text = " ".join(all_text(convert(buffer.getvalue(), "page.pdf", Reading())).split())
    assert [line for line in lines if " ".join(line.split()) not in text] == []
    assert "309" not in text
    assert "Guild of Millers" not in text
