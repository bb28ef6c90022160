"""Which tables place text, and which hold data."""

from __future__ import annotations

import pytest

from colde.ingest.shared.layout_tables import Cell, is_layout_table

LONG = (
    "The ferry crosses twice a day while the ice is thin, and the ferryman sleeps in the hut between. "
    "In March he walks over with a pole and a bell, and nobody else is allowed to follow him."
)
SHORT = "Built the second landing stage and kept its books."
DUTIES = "Keeper of the landing stage\nBuilt a second one with his own hands\nKept the books of the ferry"
CHINESE = "渡船每天往返两次。船夫在两次之间睡在小屋里。三月他拿着杆子和铃走过冰面。"


def rows(*texts: tuple[str, ...]) -> list[list[Cell]]:
    return [[Cell(tuple(filter(None, text.split("\n")))) for text in row] for row in texts]


@pytest.mark.parametrize(
    "table",
    [
        rows((LONG,), (SHORT,)),
        rows(("", LONG), ("", "Ferry")),
        rows((LONG, LONG)),
        rows(("Landing", LONG), ("Ice", LONG)),
        rows(("1990", SHORT), ("1994–1999", SHORT), ("2003", SHORT)),
        rows(("No", "Item", "Who"), ("1", LONG, "Chair"), ("2", LONG, "Clerk")),
        rows(("School", "Bergen, 1988"), ("1990", DUTIES), ("1994", DUTIES), ("Languages", "Norwegian")),
        rows(("冰", CHINESE), ("船", CHINESE)),
        [[Cell(("Ice", "Thin."), has_heading=True), Cell(("Ferry", "Late."), has_heading=True)]],
    ],
)
def test_tables_that_place_text(table: list[list[Cell]]) -> None:
    assert is_layout_table(table)


@pytest.mark.parametrize(
    "table",
    [
        rows(("Year", "Crossings"), ("1790", "412"), ("1791", "419")),
        rows(("Landing", "Keeper"), ("North", "Anna Berg"), ("South", "Ole Vik")),
        rows(("Name", "Type", "Meaning"), ("ice", "int", SHORT), ("pole", "int", SHORT)),
        rows(
            ("Crew", "Anna Berg\nOle Vik\nPer Dahl"), ("Boats", "Ice Bird\nSea Cow\nTern"), ("Built", "1790")
        ),
        rows(("1790", "412", "88", SHORT), ("1791", "419", "91", SHORT)),
        rows(*[(f"17{n}", f"{n} crossings", "fair") for n in range(50, 99)], ("Note", LONG)),
        [[Cell(("Year",), True), Cell(("Crossings",), True)], *rows(("1790", "412"), ("1791", "good"))],
    ],
)
def test_tables_of_data(table: list[list[Cell]]) -> None:
    assert not is_layout_table(table)
