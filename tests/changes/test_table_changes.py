"""Tables of two versions: changed cells, rows and columns are listed; what only looks different is not."""

from __future__ import annotations

import io

import docx
import pytest
from rich.console import Console

import colde
from colde.changes.table_changes import table_changes
from colde.comparison import pipeline
from colde.report.content.changes_report import changes_table, print_changes
from colde.report.html.html_report import to_html
from colde.text.document import Document
from colde.text.sections.section_edits import include
from colde.text.tables import plain_value, read_tables

PROSE = (
    "# Ferries\n\nThe ferries of the lake are counted at each pier in June. This report has the figures of the year.\n"
    "The count is made by two clerks from the deck, and by the pilot where no clerk is on board.\n\n## Figures\n\n"
)
FERRIES = """| Pier | Boats | Riders per day | Mean delay, min | Open in winter |
| --- | --- | --- | --- | --- |
| Alder Quay | 4 | 1,250 | 4.10 | yes |
| Brackwater | 2 | 310 | 7.5 | no |
| Castle Stairs | 6 | 2,940 | 3.2 | yes |
| Dunmouth | 1 | 95 | 11.0 | no |
"""


def read(table: str) -> Document:
    return colde.read((PROSE + table + "\nThe clerks thank the pilots.\n").encode(), name="a.md")


def described(a: str, b: str, versions: bool = True) -> list[str]:
    return [c.description for c in table_changes(read(a), read(b), versions=versions)]


def edited(*replaced: tuple[str, str]) -> str:
    text = FERRIES
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    return text


def reordered(text: str, order: tuple[int, ...]) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:2], *(lines[2 + k] for k in order)]) + "\n"


def with_column(text: str, place: int, cells: tuple[str, ...]) -> str:
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()]
    for row, cell in zip(rows, (cells[0], "---", *cells[1:]), strict=True):
        row.insert(place, cell)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


NEW_COLUMN = with_column(FERRIES, 2, ("Crew", "9", "5", "14", "2"))


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        (FERRIES, []),
        (edited(("1,250", "1250"), ("4.10", "4.1"), ("11.0", "11"), ("yes", "Yes")), []),
        (edited(("310", "370")), ["Table 1, row 2 (Brackwater): Riders per day: 310 → 370"]),
        (
            edited(("| 2 | 310 | 7.5 | no |", "| 2 | 310 | 1.5 | yes |")),
            ["Table 1, row 2 (Brackwater): Mean delay, min: 7.5 → 1.5; Open in winter: no → yes"],
        ),
        (edited(("delay, min", "delay, h")), ["Table 1, header: Mean delay, min → Mean delay, h"]),
        (edited(("Dunmouth", "Dunhaven")), ["Table 1, row 4 (Dunmouth): Pier: Dunmouth → Dunhaven"]),
        (edited(("| 310 |", "| |")), ["Table 1, row 2 (Brackwater): Riders per day: 310 → empty"]),
        (FERRIES + "| Eastholm | 3 | 700 | 2 | no |\n", ["Table 1, row 5 (Eastholm): only in B"]),
        (edited(("| Brackwater | 2 | 310 | 7.5 | no |\n", "")), ["Table 1, row 2 (Brackwater): only in A"]),
        (NEW_COLUMN, ["Table 1, column 3 (Crew): only in B"]),
        (
            NEW_COLUMN.replace("310", "370"),
            ["Table 1, row 2 (Brackwater): Riders per day: 310 → 370", "Table 1, column 3 (Crew): only in B"],
        ),
        (reordered(FERRIES, (2, 0, 3, 1)), ["Table 1: the rows are in a different order"]),
        (
            reordered(edited(("310", "370")), (3, 2, 1, 0)),
            [
                "Table 1, row 2 (Brackwater): Riders per day: 310 → 370",
                "Table 1: the rows are in a different order",
            ],
        ),
        ("", ["Table 1, 5 rows: only in A"]),
        (
            "| Colour | Price of a tin | Drying time |\n| --- | --- | --- |\n| ochre | 12 | two days |\n",
            ["Table 1, 5 rows: only in A", "Table 1, 2 rows: only in B"],
        ),
    ],
)
def test_what_changed_in_a_table_is_listed(b: str, expected: list[str]) -> None:
    assert described(FERRIES, b) == expected
    mirrored = {"only in A": "only in B", "only in B": "only in A"}
    one_sided = [d for d in expected if "only in" in d]
    assert sorted(d for d in described(b, FERRIES) if "only in" in d) == sorted(
        d[:-9] + mirrored[d[-9:]] for d in one_sided
    )


@pytest.mark.parametrize(
    ("b", "marked"),
    [
        (NEW_COLUMN, ["| Crew", "| 9", "| 5", "| 14", "| 2"]),
        (edited(("310", "370")), ["370"]),
        (FERRIES + "| Eastholm | 3 | 700 | 2 | no |\n", ["Eastholm | 3 | 700 | 2 | no"]),
        (NEW_COLUMN.replace("310", "370"), ["| Crew", "| 9", "5 | 370", "| 14", "| 2"]),
        (reordered(FERRIES, (1, 0, 2, 3)), ["Alder Quay | 4 | 1,250 | 4.10 | yes"]),
    ],
)
def test_a_difference_in_a_table_is_listed_once_with_its_marks(b: str, marked: list[str]) -> None:
    comparison = pipeline.compare(read(FERRIES), read(b), models="tfidf")
    assert all(change.description for change in comparison.changes), "no row of the text repeats it"
    marks = [comparison.b.text[s:e] for change in comparison.changes for s, e in change.marks["b"]]
    assert marks == marked or sorted(marks) == sorted(marked)


def test_a_table_in_which_every_figure_changed_still_corresponds() -> None:
    other = edited(
        ("4 | 1,250 | 4.10", "5 | 1,400 | 6"), ("2 | 310 | 7.5", "3 | 420 | 8"),
        ("6 | 2,940 | 3.2", "7 | 3,100 | 2"), ("1 | 95 | 11.0", "2 | 140 | 9"),
    )  # fmt: skip
    listed = described(FERRIES, other)
    assert [d.split(":")[0] for d in listed] == [
        f"Table 1, row {k} ({name})"
        for k, name in enumerate(("Alder Quay", "Brackwater", "Castle Stairs", "Dunmouth"), 1)
    ]


def test_rows_that_are_only_counted_are_paired_by_their_cells() -> None:
    head = "| No. | Item | Sum |\n| --- | --- | --- |\n"
    items = ["rope | 12", "tar | 30", "oars | 44"]
    old = head + "".join(f"| {k} | {item} |\n" for k, item in enumerate(items, 1))
    new = head + "".join(f"| {k} | {item} |\n" for k, item in enumerate(["paint | 9", *items], 1))
    listed = described(old, new)
    assert "Table 1, row 1: only in B" in listed
    assert "Table 1, row 1: No.: 1 → 2" in listed


def test_unrelated_texts_list_no_table() -> None:
    other = "| Colour | Price of a tin |\n| --- | --- |\n| ochre | 12 |\n"
    assert described(FERRIES, other, versions=False) == []
    assert described(FERRIES, edited(("310", "370")), versions=False) == [
        "Table 1, row 2 (Brackwater): Riders per day: 310 → 370"
    ]


def test_tables_are_called_by_the_number_of_their_caption() -> None:
    text = f"Table 7: Ferries of the lake.\n\n{FERRIES}"
    assert [t.name for t in read_tables(read(text))] == ["Table 7"]
    two = read(FERRIES + "\nSome more piers are closed.\n\n" + FERRIES)
    assert [t.name for t in read_tables(two)] == ["Table 1", "Table 2"]


def word_file(rows: list[list[str]], merged: bool = False) -> Document:
    file = docx.Document()
    file.add_heading("Ferries", 1)
    file.add_paragraph(
        "The ferries of the lake are counted at each pier in June, as the clerks have done for years."
    )
    table = file.add_table(len(rows), len(rows[0]))
    for cells, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(cells.cells, texts, strict=True):
            cell.text = text
    if merged:
        table.cell(1, 0).merge(table.cell(2, 0))
    data = io.BytesIO()
    file.save(data)
    return colde.read(data.getvalue(), name="a.docx")


def test_merged_cells_do_not_hide_a_change() -> None:
    rows = [
        ["Lake", "Pier", "Boats"],
        ["North", "Alder Quay", "4"],
        ["", "Brackwater", "2"],
        ["South", "Dunmouth", "1"],
    ]
    changed = [*rows[:2], ["", "Brackwater", "8"], rows[3]]
    a, b = word_file(rows, merged=True), word_file(changed, merged=True)
    assert [c.description for c in table_changes(a, b, versions=True)] == [
        "Table 1, row 2 (Brackwater): Boats: 2 → 8"
    ]
    assert list(table_changes(a, a, versions=True)) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1,000", "1000", True), ("1 000", "1000", True), ("4.10", "4.1", True), ("4,1", "4.1", True),
        (".5", "0.5", True), ("5 %", "5%", True), ("−3", "-3", True), ("10", "1", False), ("100.0", "100", True),
        ("$5", "€5", False), ("1.5", "15", False), ("10.10.2020", "10.1.2020", False), ("0", "0.0", True),
    ],
)  # fmt: skip
def test_values_in_one_notation(one: str, other: str, same: bool) -> None:
    assert (plain_value(one) == plain_value(other)) == same


@pytest.mark.parametrize("included", [False, True])
def test_every_output_lists_the_row_and_describes_the_cell(included: bool) -> None:
    a, b = read(FERRIES), read(edited(("310", "370")))
    if included:
        a, b = include(a, ["table"]), include(b, ["table"])
    comparison = pipeline.compare(a, b, models="tfidf")
    (change,) = comparison.changes
    assert change.kind == "table" and change.a is not None and change.b is not None
    assert a.text[change.a.start : change.a.end] == "Brackwater | 2 | 310 | 7.5 | no"
    assert b.text[change.b.start : change.b.end] == "Brackwater | 2 | 370 | 7.5 | no"
    expected = "Table 1, row 2 (Brackwater): Riders per day: 310 → 370"
    console = Console(width=100, record=True)
    print_changes(comparison, console)
    for output in (console.export_text(), changes_table(comparison), to_html(comparison)):
        assert expected in output
    assert comparison.shared is not None
    assert (comparison.shared.a["identical"] < 1) == included, "cells count as text where tables are included"
