"""A table as a spreadsheet file (XLSX), with notes on a second sheet."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from colde.report.formatting import printable

TEXT_WIDTH, OTHER_WIDTH, NOTES_WIDTH = 60, 14, 110
"""Widths of the columns of texts, of others, and of the notes, in characters."""
OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def spreadsheet_file(
    title: str, sheet_name: str, header: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str]
) -> bytes:
    """The table with a filter in its header; texts stay texts.

    Args:
        header: columns whose names end with `_text`, and `reason`, are wide.
        notes: sentences on how to read it.
    """
    import xlsxwriter

    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, OPTIONS) as book:
        book.set_properties({"title": title, "author": "CoLDE Explorer"})
        sheet = book.add_worksheet(sheet_name)
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        sheet.write_row(0, 0, header, bold)
        count = 0
        for count, values in enumerate(rows, 1):
            cells = (printable(v) if isinstance(v, str) else v for v in values)
            sheet.write_row(count, 0, cells, wrapped)
        sheet.freeze_panes(1, 1)
        sheet.autofilter(0, 0, count, len(header) - 1)
        for column, name in enumerate(header):
            wide = name.endswith("_text") or name == "reason"
            sheet.set_column(column, column, TEXT_WIDTH if wide else OTHER_WIDTH)
        second = book.add_worksheet("How to read it")
        second.set_column(0, 0, NOTES_WIDTH)
        for line, text in enumerate(notes):
            second.write_string(line, 0, printable(text), wrapped)
    return buffer.getvalue()
