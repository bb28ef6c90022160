"""Set the sample texts as PDFs, each in another layout: `python assets/samples/make_pdfs.py [FOLDER]`.

The result depends on the texts and on the version of reportlab alone: `invariant` fixes the dates and the
file's ID. Only the standard fonts are used, so nothing is embedded.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.colors import black
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

FOLDER = Path(__file__).resolve().parent
GAP = 0.8 * cm  # between two columns
TITLE_HEIGHT = 2.6 * cm  # above the columns of the first page
NOT_IN_TEXT_FONTS = (
    "\N{SQUARE ROOT}\N{GREEK SMALL LETTER ALPHA}"  # of the standard fonts, Symbol alone has them
)


@dataclass(frozen=True)
class Layout:
    """How one text is set; `margin` in points, `running_head` is printed on every page but the first."""

    columns: int
    font: str
    bold: str
    size: float
    page: tuple[float, float] = A4
    margin: float = 2.2 * cm
    justified: bool = False
    running_head: str = ""


LAYOUTS = {
    "lens_history": Layout(2, "Times-Roman", "Times-Bold", 10, justified=True),
    "lens_physics": Layout(
        1,
        "Times-Roman",
        "Times-Bold",
        11.5,
        margin=3.2 * cm,
        justified=True,
        running_head="Seen from Twenty Miles",
    ),
    "licence_v1": Layout(1, "Times-Roman", "Times-Bold", 11, margin=2.6 * cm),
    "licence_v2": Layout(1, "Times-Roman", "Times-Bold", 11, margin=2.6 * cm),
    "battery_wax": Layout(1, "Helvetica", "Helvetica-Bold", 10, margin=2.6 * cm),
    "battery_oil": Layout(2, "Times-Roman", "Times-Bold", 10, justified=True),
    "banks_river": Layout(1, "Helvetica", "Helvetica-Bold", 10.5, margin=2.8 * cm),
    "banks_money": Layout(2, "Helvetica", "Helvetica-Bold", 9, page=LETTER, running_head="Why Banks Fail"),
}


def make_pdf(text: Path, target: Path, layout: Layout) -> None:
    """Set a Markdown file that holds nothing but headings, plain paragraphs and tables, separated by blank lines."""
    blocks = text.read_text(encoding="utf-8").strip().split("\n\n")
    title = blocks[0].removeprefix("# ")

    width, height = layout.page
    inner = width - 2 * layout.margin
    column = (inner - GAP * (layout.columns - 1)) / layout.columns

    def frames(top: float) -> list[Frame]:
        room = height - 2 * layout.margin - top
        lefts = [layout.margin + i * (column + GAP) for i in range(layout.columns)]
        return [Frame(x, layout.margin, column, room, 0, 0, 0, 0) for x in lefts]

    def number(canvas: Canvas) -> None:
        canvas.setFont(layout.font, 8.5)
        canvas.drawCentredString(width / 2, layout.margin / 2, str(canvas.getPageNumber()))

    def first(canvas: Canvas, _: BaseDocTemplate) -> None:
        heading = Paragraph(escape(title), _style(layout, layout.size * 1.75, bold=True, alignment=TA_CENTER))
        heading.wrap(inner, TITLE_HEIGHT)
        heading.drawOn(canvas, layout.margin, height - layout.margin - heading.height)
        number(canvas)

    def later(canvas: Canvas, _: BaseDocTemplate) -> None:
        if layout.running_head:
            canvas.setFont(layout.font, 8.5)
            canvas.drawString(layout.margin, height - layout.margin * 0.6, layout.running_head)
        number(canvas)

    document = BaseDocTemplate(
        str(target), pagesize=layout.page, title=title, author="CoLDE Explorer", lang="en-GB", invariant=1
    )
    document.addPageTemplates(
        [
            PageTemplate("first", frames(TITLE_HEIGHT), onPage=first),
            PageTemplate("later", frames(0), onPage=later),
        ]
    )
    story: list[Flowable] = [NextPageTemplate("later")]
    document.build(story + [flowable for block in blocks[1:] for flowable in _block(block, layout)])


def _block(block: str, layout: Layout) -> list[Flowable]:
    if block.startswith("|"):
        return [_table(block, layout), Spacer(0, layout.size)]
    return [_paragraph(block, layout)]


def _table(block: str, layout: Layout) -> Table:
    """A table with lines around its cells, and its first row in bold."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
    head, body = _style(layout, layout.size - 1, bold=True), _style(layout, layout.size - 1)
    cells = [
        [Paragraph(_markup(cell), body if i else head) for cell in row]
        for i, row in enumerate([rows[0], *rows[2:]])
    ]
    return Table(cells, repeatRows=1, style=[("GRID", (0, 0), (-1, -1), 0.5, black)])


def _paragraph(block: str, layout: Layout) -> Paragraph:
    level = len(block) - len(block.lstrip("#"))
    if level:
        return Paragraph(_markup(block.lstrip("# ")), _style(layout, layout.size + 6 - 2 * level, bold=True))
    return Paragraph(_markup(block), _style(layout, layout.size))


def _markup(text: str) -> str:
    return escape(text).replace(
        "√", '<font name="Symbol">√</font>'
    )  # of the standard fonts, Symbol alone has it


def _style(
    layout: Layout, size: float, *, bold: bool = False, alignment: int | None = None
) -> ParagraphStyle:
    if alignment is None:
        alignment = TA_JUSTIFY if layout.justified and not bold else TA_LEFT
    return ParagraphStyle(
        f"{size}-{bold}",
        fontName=layout.bold if bold else layout.font,
        fontSize=size,
        leading=size * 1.25,
        alignment=alignment,
        spaceBefore=size * 0.8 if bold else 0,
        spaceAfter=size * 0.5,
        keepWithNext=bold,
    )


def main() -> None:
    """Write them all into the folder named on the command line, or beside the texts."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for name, layout in LAYOUTS.items():
        make_pdf(FOLDER / f"{name}.md", target / f"{name}.pdf", layout)


if __name__ == "__main__":
    main()
