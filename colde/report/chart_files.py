"""The claim chart as a Word document, a spreadsheet, and CSV."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

import docx
from docx.enum.section import WD_ORIENT
from docx.shared import Cm, Pt, RGBColor
from rich.console import Console
from rich.text import Text

from colde.comparison.claim_chart import Cell, ChartDocument, ChartPlace, ClaimChart
from colde.report.csv_tables import spreadsheet
from colde.report.docx_report import COLOURS, HEADER_SHADE, add_text, repeat_on_each_page, shade
from colde.report.formatting import clean, counted, printable, sentence_case, shorten
from colde.results.verdict_words import percent_or_dash

HEADER = (
    "number", "a_section", "a_page", "a_line", "a_text", "document", "found", "probability", "kind", "certainty",
    "b_section", "b_page", "b_line", "b_text", "decision", "note",
)  # fmt: skip
"""Columns of the tables: a row for each counterpart."""
MAX_TEXT = 160
"""Characters of a passage on the terminal."""
FOUND, NOT_FOUND, NOT_SEARCHED = "found", "not found", "not searched"
NUMBER_WIDTH, PAGE_WIDTH, PAGE_HEIGHT, MARGIN = 1.0, 29.7, 21.0, 1.8
"""Centimetres of an A4 page on its side, and of the column of numbers."""


def chart_rows_of(chart: ClaimChart) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the tables, in the order of `HEADER`: of a cell without a counterpart one row."""
    for row in chart.rows:
        for document, cell in zip(chart.documents, row.cells, strict=True):
            about = (row.number, *_place(row.a), document_name(document), _found(cell), cell.probability)
            for counterpart in (cell.counterparts if cell.found else ()) or (None,):
                other: tuple[object, ...] = (None,) * 6
                if counterpart is not None:
                    other = (counterpart.kind, round(counterpart.certainty, 4), *_place(counterpart.b))
                yield (*about, *other, cell.decision or "open", cell.note)


def to_csv(chart: ClaimChart) -> str:
    """The chart as RFC 4180 text; texts that begin as a formula get an apostrophe."""
    return spreadsheet(HEADER, chart_rows_of(chart))


def to_xlsx(chart: ClaimChart) -> bytes:
    """The chart as a spreadsheet with a filter in its header; texts stay texts."""
    import xlsxwriter

    buffer = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(buffer, options) as book:
        book.set_properties({"title": chart_title(chart), "author": "CoLDE Explorer"})
        sheet = book.add_worksheet("Claim chart")
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        sheet.write_row(0, 0, HEADER, bold)
        count = 0
        for count, values in enumerate(chart_rows_of(chart), 1):
            cells = (printable(v) if isinstance(v, str) else v for v in values)
            sheet.write_row(count, 0, cells, wrapped)
        sheet.freeze_panes(1, 1)
        sheet.autofilter(0, 0, count, len(HEADER) - 1)
        for column, name in enumerate(HEADER):
            sheet.set_column(column, column, 60 if name.endswith("_text") else 14)
        notes = book.add_worksheet("How to read it")
        notes.set_column(0, 0, 110)
        for line, text in enumerate(chart_notes(chart)):
            notes.write_string(line, 0, printable(text), wrapped)
    return buffer.getvalue()


def to_docx(chart: ClaimChart, made: date | None = None) -> bytes:
    """The chart as a Word document: a column for each document, on pages on their side."""
    file = docx.Document()
    (section,) = file.sections
    section.orientation = WD_ORIENT.LANDSCAPE
    section.page_width, section.page_height = Cm(PAGE_WIDTH), Cm(PAGE_HEIGHT)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(MARGIN)
    properties = file.core_properties
    properties.title, properties.author, properties.comments = chart_title(chart)[:255], "CoLDE Explorer", ""
    file.add_heading(printable(chart_title(chart)), level=1)
    for text in (*chart_notes(chart), f"Made on {made or date.today()}."):
        file.add_paragraph().add_run(printable(text)).font.size = Pt(9)
    table = file.add_table(1, 2 + len(chart.documents), style="Table Grid")
    table.autofit = False
    width = (PAGE_WIDTH - 2 * MARGIN - NUMBER_WIDTH) / (1 + len(chart.documents))
    names = ("", f"A: {document_name(chart.a)}", *map(document_name, chart.documents))
    for cell, name in zip(table.rows[0].cells, names, strict=True):
        cell.paragraphs[0].add_run(printable(name)).bold = True
        shade(cell, HEADER_SHADE)
    repeat_on_each_page(table.rows[0])
    for row in chart.rows:
        cells = list(table.add_row().cells)
        cells[0].text = str(row.number)
        _write_passage(cells[1], "", row.a)
        for cell, found, document in zip(cells[2:], row.cells, chart.documents, strict=True):
            _write_cell(cell, found, document_name(document))
    for row in table.rows:
        for cell, size in zip(row.cells, (NUMBER_WIDTH, *(width,) * (1 + len(chart.documents))), strict=True):
            cell.width = Cm(size)
    buffer = io.BytesIO()
    file.save(buffer)
    return buffer.getvalue()


def _write_passage(cell: Any, label: str, place: ChartPlace) -> None:
    """Add the text of a passage, and its place in small letters before it."""
    paragraph = cell.paragraphs[-1] if not cell.text else cell.add_paragraph()
    run = paragraph.add_run(printable(" · ".join(filter(None, (label, place_words(place))))))
    run.font.size, run.font.color.rgb = Pt(8), RGBColor.from_string(COLOURS["faint"])
    add_text(cell.add_paragraph(), place.text).font.size = Pt(9)


def _write_cell(cell: Any, content: Cell, name: str) -> None:
    heading = cell.paragraphs[0].add_run(printable(cell_words(content, name)))
    heading.bold, heading.font.size = True, Pt(9)
    if content.decision:
        decision = cell.paragraphs[0].add_run(f"  {content.decision}")
        decision.bold, decision.font.size = True, Pt(9)
        decision.font.color.rgb = RGBColor.from_string(COLOURS[content.decision])
    for counterpart in content.counterparts:
        label = f"{sentence_case(counterpart.kind)}, {percent_or_dash(counterpart.certainty)}"
        _write_passage(cell, label if content.found else "Closest", counterpart.b)
    if content.note:
        note = cell.add_paragraph()
        note.add_run("Note: ").bold = True
        add_text(note, content.note, aligned=False)


def print_chart(chart: ClaimChart, console: Console) -> None:
    """Print the notes, and each row with what was found."""
    for text in chart_notes(chart):
        console.print(Text(clean(text)))
    for row in chart.rows:
        console.print()
        console.print(Text(f"{row.number}  {shorten(clean(row.a.text), MAX_TEXT)}", style="bold"))
        for document, cell in zip(chart.documents, row.cells, strict=True):
            console.print(Text(f"   {clean(cell_words(cell, document_name(document)))}"))
            for counterpart in cell.counterparts if cell.found else ():
                place = clean(place_words(counterpart.b))
                console.print(
                    Text(f"   {counterpart.kind}  {place}  {shorten(clean(counterpart.b.text), MAX_TEXT)}")
                )


def chart_title(chart: ClaimChart) -> str:
    """`Claim chart: A and B, C`."""
    return f"Claim chart: {document_name(chart.a)} and {', '.join(map(document_name, chart.documents))}"


def chart_notes(chart: ClaimChart) -> list[str]:
    """Sentences on how many rows have counterparts, and on how often “not found” is wrong."""
    notes = [counted(len(chart.rows), "row") + f" of {document_name(chart.a)}."]
    for k, document in enumerate(chart.documents):
        counts = Counter(_found(row.cells[k]) for row in chart.rows)
        words = [f"{counts[name]} {name}" for name in (FOUND, NOT_FOUND)]
        words += [f"{counts[NOT_SEARCHED]} {NOT_SEARCHED}"] if counts[NOT_SEARCHED] else []
        notes.append(f"{document_name(document)}: {', '.join(words)}.")
        if document.not_searched:
            notes.append(document.not_searched)
    rates = chart.miss_rates
    if rates:
        missed = ", ".join(
            f"{percent_or_dash(rates[k])} {k}" for k in ("verbatim", "edited", "reworded", "paraphrased")
        )
        notes.append(
            f"Of sentences planted in other documents, these were missed: {missed}. Of sentences that were not there, "
            f"{percent_or_dash(rates['false found'])} were found by mistake."
        )
    return notes


def document_name(document: ChartDocument) -> str:
    """Its file, else its title."""
    return document.source or document.title or "text"


def cell_words(cell: Cell, name: str) -> str:
    """What a cell says first: `Found (99 %)`, `Not found in b.pdf (97 %)`."""
    if cell.found is None:
        return sentence_case(NOT_SEARCHED)
    words = "Found" if cell.found else f"Not found in {name}"
    return words if cell.probability is None else f"{words} ({percent_or_dash(cell.probability)})"


def _found(cell: Cell) -> str:
    return NOT_SEARCHED if cell.found is None else FOUND if cell.found else NOT_FOUND


def _place(place: ChartPlace) -> tuple[object, ...]:
    return place.section or place.position, place.page, place.line, place.text


def place_words(place: ChartPlace) -> str:
    """`Termination · p. 3, line 12`."""
    page = "" if place.page is None else f"p. {place.page}"
    line = "" if place.line is None else f"line {place.line}"
    return " · ".join(filter(None, (place.section or place.position, ", ".join(filter(None, (page, line))))))
