"""Columns of few lines, as of a text in two languages: each is read by itself; tables are read in rows."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from tests.ingest.pdf_samples.prose import paragraph

LEFT = [
    "The parties agree that the water",
    "of the upper mill is free for all",
    "in the months of winter, and that",
    "nobody pays for it.",
]
RIGHT = [
    "Les parties conviennent que toute",
    "eau du moulin du haut reste libre",
    "pendant les mois de l'hiver, et que",
    "personne ne la paie.",
]


def text(left: Sequence[str], right: Sequence[str], *, shift: float = 0.0, prose: bool = True) -> str:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    y = 780.0
    for n in range(1, 6 if prose else 1):
        canvas.drawString(60, y, paragraph(n, 1)[:88])
        y -= 14
    for column, x, down in ((left, 60, 0.0), (right, 320, shift)):
        for i, line in enumerate(column):
            canvas.drawString(x, y - 14 - down - 14 * i, line)
    y -= 28 + 14 * max(len(left), len(right)) + shift
    for n in range(6, 11 if prose else 6):
        canvas.drawString(60, y, paragraph(n, 1)[:88])
        y -= 14
    canvas.save()
    document = convert(buffer.getvalue(), "treaty.pdf", Reading())
    return " ".join(" ".join(document.text[s.start : s.end].split()) for s in document.sections)


@pytest.mark.parametrize("prose", [True, False])
@pytest.mark.parametrize("shift", [0.0, 6.0])
@pytest.mark.parametrize("lines", [3, 4])
def test_short_columns(lines: int, shift: float, prose: bool) -> None:
    left, right = [*LEFT[: lines - 1], LEFT[-1]], [*RIGHT[: lines - 1], RIGHT[-1]]
    read = text(left, right, shift=shift, prose=prose)
    assert " ".join(left) in read
    assert " ".join(right) in read


def test_nouns_that_begin_a_line_with_a_capital() -> None:
    left = [
        "The parties agree that all of the",
        "water of the upper mill is free in",
        "winter, and nobody pays.",
    ]
    right = [
        "Die Parteien sind sich einig: alles",
        "Wasser der oberen Mühle ist, solange",
        "es friert, frei für jeden.",
    ]
    read = text(left, right)
    assert " ".join(left) in read
    assert " ".join(right) in read


def test_rows_of_long_cells_stay_rows() -> None:
    left = [
        "Keeper of the upper mill and pond",
        "Owner of the lower mill and barns",
        "Miller of the old mill by the ford",
    ]
    right = [
        "Ann Orrin of the house at the ford",
        "Tom Pell of the house by the church",
        "Jo Lask of the house by the ford",
    ]
    assert f"{left[0]} {right[0]}" in text(left, right)


def test_two_clauses_below_each_other() -> None:
    read = text([*LEFT, *LEFT[:2], "at the end of it."], [*RIGHT, *RIGHT[:2], "à la fin."])
    assert f"{' '.join(LEFT)} {' '.join(LEFT[:2])} at the end of it." in read


def test_rows_of_names_and_terms_stay_rows() -> None:
    read = text(
        ["Keeper of the upper mill", "Owner of the lower mill", "Miller"],
        ["Ann Orrin", "Tom Pell", "Jo Lask"],
    )
    assert "Keeper of the upper mill Ann Orrin" in read
