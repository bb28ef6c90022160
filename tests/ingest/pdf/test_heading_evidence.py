"""Numbered paragraphs, words set bold in a paragraph, and italic headings: what is a heading, and what is text."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import paragraph

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10, leading=12, spaceAfter=8)
TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=16, leading=20, spaceAfter=12)
NAMES = ["Sheep and goats", "Geese", "Late payment", "Strangers and their carts and cattle", "Widows", "Dues"]


def read(story: list[tuple[str, ParagraphStyle]], *, width: float, columns: int = 1) -> Document:
    """Paragraphs below a title, in one column or in several."""
    buffer = io.BytesIO()
    document = BaseDocTemplate(buffer, pagesize=(612, 792), invariant=1)
    frames = [Frame(60 + i * (width + 18), 72, width, 648, 0, 0, 0, 0) for i in range(columns)]
    document.addPageTemplates(PageTemplate(frames=frames))
    flow: list[Flowable] = [Paragraph("The rules of the common", TITLE)]
    document.build([*flow, *(Paragraph(text, style) for text, style in story)])
    return convert(buffer.getvalue(), "sample.pdf", Reading())


def headings(document: Document) -> list[str]:
    return [s.heading for s in document.sections if s.heading]


@pytest.mark.parametrize("number", ["{}. ", "({}) ", "{} ", "§ {} "])
@pytest.mark.parametrize("width", [200.0, 330.0])
def test_numbered_paragraphs_are_text(number: str, width: float) -> None:
    story = [(number.format(i) + paragraph(3 * i, 3), BODY) for i in range(1, 13)]
    assert headings(read(story, width=width)) == []


def test_numbered_headings_stay() -> None:
    bold = ParagraphStyle("bold", parent=BODY, fontName="Times-Bold")
    story = [
        piece
        for i, name in enumerate(NAMES, 1)
        for piece in ((f"{i}. {name}", bold), (paragraph(3 * i, 3), BODY))
    ]
    assert headings(read(story, width=200)) == [f"{i}. {name}" for i, name in enumerate(NAMES, 1)]


BOLD = ParagraphStyle("bold", parent=BODY, fontName="Times-Bold", spaceBefore=8)


def numbered_capitals(below: list[list[str]]) -> list[tuple[str, ParagraphStyle]]:
    """Numbered headings in bold capitals, each with bold lines below it, and text below these."""
    story = []
    for i, (name, lines) in enumerate(zip(NAMES, below, strict=True), 1):
        story.append((f"{i}. {name.upper()} AND FINES", BOLD))
        for k, line in enumerate(lines or [""]):
            story += [(line, BOLD)] if line else []
            story.append((paragraph(10 * i + 3 * k, 3), BODY))
    return story


def test_bold_lines_below_numbered_headings_in_capitals() -> None:
    below = [
        ["Kinds of cattle", "Number of heads"],
        [],
        ["Interest"],
        ["I. At the gate", "II. At the mill"],
        [],
        [],
    ]
    found = headings(read(numbered_capitals(below), width=330))
    assert found == [
        heading
        for i, (name, lines) in enumerate(zip(NAMES, below, strict=True), 1)
        for heading in (f"{i}. {name.upper()} AND FINES", *lines)
    ]


@pytest.mark.parametrize(
    "labels", [["By the clerk"], ["For the village:", "For the mill:", "For the church:"]]
)
def test_single_bold_lines_and_labels_are_text(labels: list[str]) -> None:
    below = [*([label] for label in labels), *([] for _ in NAMES[len(labels) :])]
    found = headings(read(numbered_capitals(below), width=330))
    assert found == [f"{i}. {name.upper()} AND FINES" for i, name in enumerate(NAMES, 1)]


def test_numbered_sentences_below_numbered_headings_are_text() -> None:
    bold = ParagraphStyle("bold", parent=BODY, fontName="Times-Bold")
    story = [
        piece
        for i, name in enumerate(NAMES, 1)
        for piece in (
            (f"{i}. {name}", bold),
            (f"{i}.1 " + paragraph(3 * i, 3), BODY),
            (f"{i}.2 The dues of the common remain with the guild.", BODY),
            (f"{i}.3 " + paragraph(3 * i + 1, 3), BODY),
        )
    ]
    assert headings(read(story, width=330)) == [f"{i}. {name}" for i, name in enumerate(NAMES, 1)]


@pytest.mark.parametrize("end", ["", "."])
def test_numbered_headings_in_the_font_of_the_text_stay(end: str) -> None:
    story = [
        piece
        for i, name in enumerate(NAMES, 1)
        for piece in ((f"{i}. {name}{end}", BODY), *[(paragraph(4 * i, 4), BODY)] * 2)
    ]
    assert headings(read(story, width=330)) == [f"{i}. {name}{end}" for i, name in enumerate(NAMES, 1)]


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("mark", ["<b>{}.</b> {}", "<b>{}:</b> {}", "<i>{}.</i> {}"])
def test_words_set_bold_in_a_paragraph_are_text(mark: str, columns: int) -> None:
    story = [(mark.format(name, paragraph(4 * i, 3)), BODY) for i, name in enumerate(2 * NAMES)]
    document = read(story, width=480 if columns == 1 else 150, columns=columns)
    assert headings(document) == []
    assert document.text.count("Strangers and their carts and cattle") == 2


def italic(above: float, below: float) -> ParagraphStyle:
    return ParagraphStyle("italic", parent=BODY, fontName="Times-Italic", spaceBefore=above, spaceAfter=below)


@pytest.mark.parametrize("columns", [1, 2])
def test_italic_lines_that_head_text(columns: int) -> None:
    story = [
        piece for i, name in enumerate(NAMES) for piece in ((name, italic(8, 0)), (paragraph(4 * i, 4), BODY))
    ]
    document = read(story, width=480 if columns == 1 else 235, columns=columns)
    assert headings(document) == NAMES


@pytest.mark.parametrize(("end", "above", "below"), [(".", 8, 0), ("", 8, 8)])
def test_italic_sentences_are_text(end: str, above: float, below: float) -> None:
    story = [
        piece
        for i, name in enumerate(NAMES)
        for piece in ((name + end, italic(above, below)), (paragraph(4 * i, 4), BODY))
    ]
    assert headings(read(story, width=480)) == []
