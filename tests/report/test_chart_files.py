"""The claim chart as files, opened with other libraries than those that wrote them."""

from __future__ import annotations

import csv
import io
from datetime import date

import docx
import openpyxl
import pytest

from colde.comparison.claim_chart import (
    Cell,
    ChartCounterpart,
    ChartDocument,
    ChartPlace,
    ChartRow,
    ClaimChart,
)
from colde.report.ledger_and_chart.chart_docx import to_docx
from colde.report.ledger_and_chart.chart_tables import (
    HEADER,
    cell_words,
    chart_notes,
    place_words,
    to_csv,
    to_xlsx,
)

FOUND = Cell(
    True,
    0.993,
    (ChartCounterpart(ChartPlace(40, 60, "Keys", 2, "", 7, "=Keys are returned."), "edited", 0.9876),),
    "accepted",
    "seen",
)
ABSENT = Cell(
    False, 0.97, (ChartCounterpart(ChartPlace(0, 9, "Keys", 1, "", 1, "Far off."), "closest", 0.02),)
)
UNKNOWN = Cell(None, None, ())


@pytest.fixture
def chart() -> ClaimChart:
    place = ChartPlace(0, 20, "Rules", 1, "", 3, "Keys shall be returned.")
    second = ChartPlace(21, 30, None, None, "paragraph 2 of 9", None, "Boats\x07 shall float.")
    rates = {"verbatim": 0.0, "edited": 0.01, "reworded": 0.05, "paraphrased": 0.4, "false found": 0.02}
    return ClaimChart(
        ChartDocument("Rules", "rules.pdf"),
        (ChartDocument("", "b.pdf"), ChartDocument("Long", "c.pdf", "The texts are too long.")),
        (ChartRow(1, place, (FOUND, UNKNOWN)), ChartRow(2, second, (ABSENT, UNKNOWN))),
        rates,
    )


def test_the_table_has_a_row_for_each_counterpart(chart: ClaimChart) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(chart))))
    assert tuple(rows[0]) == HEADER
    assert [(r["number"], r["document"], r["found"]) for r in rows] == [
        ("1", "b.pdf", "found"),
        ("1", "c.pdf", "not searched"),
        ("2", "b.pdf", "not found"),
        ("2", "c.pdf", "not searched"),
    ]
    assert (rows[0]["b_page"], rows[0]["b_line"], rows[0]["decision"]) == ("2", "7", "accepted")
    assert rows[0]["b_text"] == "'=Keys are returned."
    assert rows[2]["b_text"] == "" and rows[2]["probability"] == "0.97"


def test_the_spreadsheet_has_the_same_rows_and_no_formulas(chart: ClaimChart) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(chart)))
    table, notes = book.worksheets
    values = list(table.iter_rows(values_only=True))
    assert values[0] == HEADER and len(values) == 5
    first = dict(zip(HEADER, values[1], strict=True))
    assert first["b_text"] == "=Keys are returned." and first["certainty"] == 0.9876
    cell = table.cell(2, HEADER.index("b_text") + 1)
    assert cell.data_type == "s"
    assert table.auto_filter.ref == "A1:P5"
    assert [row[0] for row in notes.iter_rows(values_only=True)] == chart_notes(chart)


def test_the_word_document_has_a_column_for_each_document(chart: ClaimChart) -> None:
    file = docx.Document(io.BytesIO(to_docx(chart, date(2026, 1, 2))))
    table = file.tables[0]
    assert [c.text for c in table.rows[0].cells] == ["", "A: rules.pdf", "b.pdf", "c.pdf"]
    first, second = ([c.text for c in row.cells] for row in table.rows[1:])
    assert "Keys shall be returned." in first[1] and "p. 1, line 3" in first[1]
    assert (
        first[2].startswith("Found in b.pdf (99 %)") and "accepted" in first[2] and "Note: seen" in first[2]
    )
    assert "Edited, 99 %" in first[2] and "p. 2, line 7" in first[2]
    assert second[2].startswith("Not found in b.pdf (97 %)") and "Closest" in second[2]
    assert second[3] == "Not searched"
    assert "2026-01-02" in file.paragraphs[-1].text
    assert file.core_properties.title == "Claim chart: rules.pdf and b.pdf, c.pdf"


def test_notes_say_how_often_not_found_is_wrong(chart: ClaimChart) -> None:
    notes = " ".join(chart_notes(chart))
    assert "b.pdf: 1 found, 1 not found" in notes
    assert "c.pdf: 0 found, 0 not found, 2 not searched" in notes and "The texts are too long." in notes
    assert "40 % paraphrased" in notes and "2 % were found by mistake" in notes


def test_words_of_cells_and_places() -> None:
    assert cell_words(UNKNOWN, "b.pdf") == "Not searched"
    assert place_words(ChartPlace(0, 1, None, None, "paragraph 2 of 9")) == "paragraph 2 of 9"
