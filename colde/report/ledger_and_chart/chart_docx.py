"""The claim chart as a Word document."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import docx
from docx.enum.section import WD_ORIENT
from docx.shared import Cm, Pt, RGBColor

from colde.comparison.claim_chart import Cell, ChartPlace, ClaimChart
from colde.report.formatting import printable, sentence_case
from colde.report.ledger_and_chart.chart_tables import (
    cell_words,
    chart_notes,
    chart_title,
    document_name,
    place_words,
)
from colde.report.printed.docx_report import COLOURS, HEADER_SHADE, add_text, repeat_on_each_page, shade
from colde.results.verdicts.verdict_words import percent_or_dash

NUMBER_WIDTH, PAGE_WIDTH, PAGE_HEIGHT, MARGIN = 1.0, 29.7, 21.0, 1.8
"""Centimetres of the column of numbers, and of an A4 page on its side."""


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
        for cell, content, document in zip(cells[2:], row.cells, chart.documents, strict=True):
            _write_cell(cell, content, document_name(document))
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
