"""A small typesetter on reportlab: flowing columns with running heads, page numbers and footnotes."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer

from .prose import paragraph

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10, leading=12, alignment=TA_JUSTIFY, firstLineIndent=12
)
FLAT = ParagraphStyle("flat", parent=BODY, firstLineIndent=0, spaceAfter=6)
TITLE = ParagraphStyle(
    "title", fontName="Times-Bold", fontSize=17, leading=21, alignment=TA_CENTER, spaceAfter=14
)
CAPTION = ParagraphStyle(
    "caption", fontName="Times-Roman", fontSize=9, leading=11, spaceBefore=8, spaceAfter=10
)
HEADS = {
    1: ParagraphStyle(
        "h1", fontName="Times-Bold", fontSize=12, leading=14, spaceBefore=12, spaceAfter=6, keepWithNext=1
    ),
    2: ParagraphStyle(
        "h2", fontName="Times-Bold", fontSize=11, leading=13, spaceBefore=10, spaceAfter=5, keepWithNext=1
    ),
    3: ParagraphStyle(
        "h3",
        fontName="Times-BoldItalic",
        fontSize=10,
        leading=12,
        spaceBefore=8,
        spaceAfter=4,
        keepWithNext=1,
    ),
}


@dataclass
class Section:
    """A heading and how many sentences stand in each of its paragraphs."""

    heading: str
    level: int = 1
    paragraphs: Sequence[int] = (4, 3)
    first: int = 0  # number of its first sentence; set when typeset


@dataclass
class Layout:
    """How pages look."""

    columns: int = 1
    size: tuple[float, float] = A4
    head: str | None = None
    numbers: bool = True
    rotate: int = 0
    title: str = "A Study of Typeset Documents"
    body: ParagraphStyle = field(default_factory=lambda: BODY)


def typeset(
    sections: Sequence[Section], layout: Layout, extra: Callable[[int], Sequence[Flowable]] | None = None
) -> bytes:
    """A PDF of these sections; `extra(i)` gives what stands behind the first paragraph of section i."""
    story: list[Flowable] = [Paragraph(layout.title, TITLE), Spacer(1, 10)] if layout.columns == 1 else []
    number = 1
    for i, section in enumerate(sections):
        section.first = number
        story.append(Paragraph(section.heading, HEADS[section.level]))
        for k, count in enumerate(section.paragraphs):
            story.append(Paragraph(paragraph(number, count), layout.body))
            number += count
            if k == 0 and extra is not None:
                story.extend(extra(i))
    return render(story, layout, layout.title if layout.columns > 1 else "")


def render(story: list[Flowable], layout: Layout, title: str = "") -> bytes:
    """The flowables on pages of this layout; `title` stands across all columns of the first."""
    width, height = layout.size
    margin, gutter = 60.0, 20.0
    wide = (width - 2 * margin - (layout.columns - 1) * gutter) / layout.columns

    def frames(top: float) -> list[Frame]:
        return [
            Frame(margin + i * (wide + gutter), 70, wide, height - top - 70, 0, 0, 0, 0)
            for i in range(layout.columns)
        ]

    def furniture(canvas: Canvas, document: BaseDocTemplate) -> None:
        if title and document.page == 1:
            canvas.setFont(TITLE.fontName, TITLE.fontSize)
            canvas.drawCentredString(width / 2, height - 90, title)
        canvas.setFont("Times-Italic", 9)
        if layout.head:
            canvas.drawCentredString(width / 2, height - 40, layout.head)
        if layout.numbers:
            canvas.drawCentredString(width / 2, 36, str(document.page))

    buffer = io.BytesIO()
    document = BaseDocTemplate(buffer, pagesize=layout.size, invariant=1)
    first = PageTemplate("first", frames(120 if title else 70), furniture, autoNextPageTemplate="later")
    document.addPageTemplates([first, PageTemplate("later", frames(70), furniture)])
    document.build(story)
    return turned(buffer.getvalue(), layout.rotate)


def turned(data: bytes, rotate: int) -> bytes:
    """The same PDF with its pages shown turned clockwise by `rotate` degrees; nothing else changes."""
    if not rotate:
        return data
    pdf = pdfium.PdfDocument(data)
    for i in range(len(pdf)):
        page = pdf[i]
        page.set_rotation(rotate)
        page.close()
    buffer = io.BytesIO()
    pdf.save(buffer)
    pdf.close()
    return buffer.getvalue()
