"""The ledger as files, opened with other libraries than those that wrote them."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest
from rich.console import Console

from colde.comparison.ledger import LEDGER_KINDS, Ledger, LedgerDocument, LedgerPlace, LedgerRow
from colde.report.ledger_and_chart.ledger_tables import (
    HEADER,
    MEANINGS,
    ledger_notes,
    print_ledger,
    to_csv,
    to_xlsx,
)


@pytest.fixture
def found() -> Ledger:
    here = LedgerPlace(0, 9, "Keys", 2, "", "=Keys are returned.")
    there = LedgerPlace(4, 13, None, None, "paragraph 2 of 9", "Keys\x07 are kept.")
    rows = (
        LedgerRow(1, "reworded", here, there, 0.98765, "Changed: wording."),
        LedgerRow(2, "repeated", here, None, 1.0, "The same words stand in B, too.", there),
        LedgerRow(3, "new", None, there, None, "No such words in A."),
    )
    return Ledger(LedgerDocument("Rules", "a.pdf", 2), LedgerDocument("B", "", 0), "Not searched.", rows)


def test_the_table_has_a_row_for_each_row(found: Ledger) -> None:
    first, second, third = csv.DictReader(io.StringIO(to_csv(found)))
    assert tuple(first) == HEADER
    assert (first["kind"], first["certainty"], first["a_text"]) == (
        "reworded",
        "0.9877",
        "'=Keys are returned.",
    )
    assert (first["a_page"], first["b_section"], first["b_start"]) == ("2", "paragraph 2 of 9", "4")
    assert second["b_text"] == "" and second["also_text"].startswith("Keys")
    assert third["certainty"] == "" and third["a_start"] == ""


def test_the_spreadsheet_has_the_same_rows_and_no_formulas(found: Ledger) -> None:
    table, notes = openpyxl.load_workbook(io.BytesIO(to_xlsx(found))).worksheets
    header, *values = table.iter_rows(values_only=True)
    assert header == HEADER and len(values) == 3
    assert dict(zip(HEADER, values[0], strict=True))["a_text"] == "=Keys are returned."
    assert table.cell(2, HEADER.index("a_text") + 1).data_type == "s"
    assert table.auto_filter.ref == "A1:Q4"
    assert [row[0] for row in notes.iter_rows(values_only=True)] == ledger_notes(found)


def test_notes_count_the_kinds_and_what_has_no_row(found: Ledger) -> None:
    assert tuple(MEANINGS) == LEDGER_KINDS
    notes = " ".join(ledger_notes(found))
    assert "3 rows of a.pdf (A) and B (B)." in notes and "1 reworded" in notes and "dropped" not in notes
    assert "2 sentences of A left out" in notes and notes.endswith("Not searched.")


def test_the_terminal_shows_what_is_not_the_same(found: Ledger) -> None:
    console = Console(file=io.StringIO(), width=200)
    print_ledger(found, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert (
        "1  reworded (99 %)  Changed: wording." in printed and "A  Keys, p. 2: =Keys are returned." in printed
    )
    assert "also  paragraph 2 of 9" in printed
