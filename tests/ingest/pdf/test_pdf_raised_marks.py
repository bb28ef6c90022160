"""Raised figures of a PDF: marks of notes are left out, powers stay apart; which small print is a note."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from colde.ingest.pdf import convert
from colde.ingest.reading_limits import Reading
from colde.text.document import Document
from tests.ingest.pdf_samples.prose import paragraph

FONT = "Times-Roman"
Part = str | tuple[str]


class Sheet:
    """Draws lines of text, with raised parts in tuples."""

    def __init__(self, *, marks_last: bool = False, raised: tuple[float, float] = (0.62, 0.38)) -> None:
        """A page; `raised` are size and height of raised parts, over the size of the text."""
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=(420, 600), invariant=1)
        self.y = 560.0
        self.marks_last = marks_last
        self.raised = raised
        self.late: list[tuple[float, float, str, float]] = []

    def line(self, *parts: Part, size: float = 11, x: float = 50, leading: float = 1.25) -> None:
        for part in parts:
            text, scale, rise = (part, 1.0, 0.0) if isinstance(part, str) else (part[0], *self.raised)
            self.late.append((x, self.y + rise * size, text, scale * size))
            if not (rise and self.marks_last):
                self._draw(*self.late.pop())
            x += self.canvas.stringWidth(text, FONT, scale * size)
        self.y -= leading * size

    def text(self, words: str, size: float = 11) -> None:
        line: list[str] = []
        for word in words.split():
            if self.canvas.stringWidth(" ".join([*line, word]), FONT, size) > 320:
                self.line(" ".join(line), size=size)
                line = []
            line.append(word)
        self.line(" ".join(line), size=size)

    def notes(
        self, *notes: str, rule: bool = True, top: float = 150, marks: str = "123", raised: bool = True
    ) -> None:
        self.y = top
        if rule:
            self.canvas.line(50, top + 12, 130, top + 12)
        for mark, note in zip(marks, notes, strict=False):
            self.line((mark,) if raised else mark, f" {note}", size=8)

    def read(self) -> Document:
        for piece in self.late:
            self._draw(*piece)
        self.canvas.save()
        return convert(self.buffer.getvalue(), "sheet.pdf", Reading())

    def _draw(self, x: float, y: float, text: str, size: float) -> None:
        self.canvas.setFont(FONT, size)
        self.canvas.drawString(x, y, text)


def body(document: Document) -> str:
    """The text that is compared, on one line."""
    return " ".join(
        " ".join(document.text[s.start : s.end].split()) for s in document.sections if s.role is None
    )


def in_role(document: Document, role: str) -> str:
    return " ".join(document.text[s.start : s.end] for s in document.sections if s.role == role)


@pytest.mark.parametrize("marks_last", [False, True])
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["The boat cost £12.50", ("1",), " in spring."], "The boat cost £12.50 in spring."),
        (["They came in 1650", ("1",), " and left."], "They came in 1650 and left."),
        (["It held 40%", ("1",), " of the men."], "It held 40% of the men."),
        (["In all 12", ("1",), " men came."], "In all 12 men came."),
        (["Then we", ("1",), " left it", ("2",), " there."], "Then we left it there."),
        (["The union (EU)", ("1",), " paid."], "The union (EU) paid."),
        (["The EU", ("1",), " paid it."], "The EU paid it."),
        (["A self-made", ("1",), " man came."], "A self-made man came."),
        (["The end.", ("1",), " A start?", ("2",), " Yes."], "The end. A start? Yes."),
        (["It says so", ("1,2",), " twice."], "It says so twice."),
    ],
)
def test_marks_of_notes(parts: Sequence[Part], expected: str, marks_last: bool) -> None:
    sheet = Sheet(marks_last=marks_last)
    sheet.text(paragraph(1, 6))
    sheet.line(*parts)
    sheet.text(paragraph(7, 6))
    sheet.notes("First of the notes.", "Second of the notes.")
    document = sheet.read()
    assert expected in body(document)
    assert "First of the notes." in in_role(document, "footnote")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["It holds 10", ("6",), " grains."], "It holds 10^6 grains."),
        (["It holds 6.02 × 10", ("23",), " grains."], "It holds 6.02 × 10^23 grains."),
        (["It is 2.5 × 10", ("1",), " of them."], "It is 2.5 × 10^1 of them."),
        (["The risk is 10", ("−3",), " a year."], "The risk is 10^-3 a year."),
        (["It is 2", ("10",), " to one."], "It is 2^10 to one."),
        (["It covers 12 km", ("2",), " of land."], "It covers 12 km2 of land."),
        (["It covers 40 m", ("1",), " of land."], "It covers 40 m1 of land."),
        (["The square x", ("1",), " is small."], "The square x1 is small."),
        (["The value log", ("1",), " is small."], "The value log1 is small."),
        (["The 7", ("th",), " of them came."], "The 7th of them came."),
        (["He took 5", ("1",), "/2 pints."], "He took 5 1/2 pints."),
    ],
)
def test_powers_are_no_marks(parts: Sequence[Part], expected: str) -> None:
    sheet = Sheet()
    sheet.text(f"{paragraph(1, 6)}")
    sheet.line("A word", ("1",), " that has the note of this page.")
    sheet.line(*parts)
    sheet.text(paragraph(7, 6))
    sheet.notes("Only one note.")
    assert expected in body(sheet.read())


@pytest.mark.parametrize("raised", [(0.82, 0.5), (0.82, 0.33), (0.73, 0.45), (0.5, 0.25), (0.6, 0.6)])
def test_raised_words_of_any_size_and_height(raised: tuple[float, float]) -> None:
    sheet = Sheet(raised=raised)
    sheet.text(paragraph(1, 6))
    sheet.line("It holds 10", ("6",), " grains, 2.5 × 10", ("-4",), " of them by 45%", ("1",), " of the men.")
    sheet.line(
        "On the 1", ("st",), " of May 1871", ("2",), " it cost $320", ("[1]",), " or £12.50", ("(2)",), "."
    )
    sheet.text(paragraph(7, 6))
    sheet.notes("First of the notes.", "Second of the notes.")
    text = body(sheet.read())
    assert "It holds 10^6 grains, 2.5 × 10^-4 of them by 45% of the men." in text
    assert "On the 1st of May 1871 it cost $320 or £12.50." in text


@pytest.mark.parametrize("lowered", [(0.82, -0.5), (0.7, -0.15), (0.6, -0.3)])
def test_lowered_words(lowered: tuple[float, float]) -> None:
    sheet = Sheet(raised=lowered)
    sheet.text(paragraph(1, 6))
    sheet.line("It gives CO", ("2",), " and H", ("2",), "O and 101", ("2",), " of them.")
    sheet.text(paragraph(7, 6))
    assert "It gives CO2 and H2O and 101_2 of them." in body(sheet.read())


def test_marks_behind_figures_whose_notes_stand_at_the_end_of_the_document() -> None:
    sheet = Sheet()
    sheet.text(paragraph(1, 4))
    sheet.line(
        "The first", ("1",), " of 320", ("2",), " men and the third", ("3",), " had 10", ("4",), " of them."
    )
    sheet.line("The rest", ("4",), " was lost.")
    sheet.text(paragraph(5, 4))
    text = body(sheet.read())
    assert "The first of 320 men and the third had 10^4 of them." in text


def test_marks_in_titles_headings_and_cells() -> None:
    sheet = Sheet()
    sheet.line("Accounts", ("1",), size=18)
    sheet.text(paragraph(1, 5))
    sheet.y -= 10
    sheet.line("Results", ("2",), size=14)
    sheet.text(paragraph(6, 3))
    for row in (["1650", "12", "30"], ["1651", "14", "32"], ["1652", "15", "33"]):
        sheet.y -= 4
        for k, cell in enumerate(row):
            sheet.line(cell, ("3",), x=50 + 100 * k, leading=0)
        sheet.y -= 12
    sheet.text(paragraph(9, 4))
    sheet.notes("Of the hall.", "Of the year.", "In pence.", top=60)
    document = sheet.read()
    assert document.title == "Accounts"
    assert [s.heading for s in document.sections if s.heading] == ["Results"]
    assert "1651 14 32" in in_role(document, "table")


@pytest.mark.parametrize("rule", [True, False])
@pytest.mark.parametrize("raised", [True, False])
def test_letters_that_notes_begin_with(raised: bool, rule: bool) -> None:
    sheet = Sheet()
    sheet.text(paragraph(1, 6))
    sheet.line("It cost 12.4", ("a",), " in 1994", ("a",), " and 45%", ("b",), " of 20", ("a,b",), " men.")
    sheet.line("A word", ("a",), " and the end.", ("b",), " It is the 1", ("a",), " of 2", ("n",), ".")
    sheet.text(paragraph(7, 6))
    sheet.notes("In thousands.", "Without the west.", marks="ab", raised=raised, rule=rule)
    document = sheet.read()
    expected = "It cost 12.4 in 1994 and 45% of 20 men. A word and the end. It is the 1a of 2^n."
    assert expected in body(document)
    assert in_role(document, "footnote") == "a In thousands. b Without the west."


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["It cost 12.4", ("a",), " in spring."], "It cost 12.4 in spring."),
        (["It cost $320", ("b",), " in spring."], "It cost $320 in spring."),
        (["It cost 320", ("b",), " in spring."], "It cost 320 in spring."),
        (["The 2", ("e",), " or 1", ("a",), " of N", ("o",), " 5 and the 100", ("a",), "."],
         "The 2e or 1a of No 5 and the 100a."),
        (["The 2", ("n",), " or 1.05", ("n",), " of 365", ("k",), "."], "The 2^n or 1.05^n of 365^k."),
        (["The XIX", ("e",), " and M", ("me",), " in x", ("a",), " there."], "The XIXe and Mme in xa there."),
    ],
)  # fmt: skip
def test_letters_without_a_note(parts: Sequence[Part], expected: str) -> None:
    sheet = Sheet()
    sheet.text(paragraph(1, 6))
    sheet.line(*parts)
    sheet.text(paragraph(7, 6))
    assert expected in body(sheet.read())


@pytest.mark.parametrize("raised", [True, False])
def test_marks_in_cells_whose_notes_stand_below_the_table(raised: bool) -> None:
    sheet = Sheet()
    sheet.text(paragraph(1, 5))
    sheet.y -= 8
    sheet.line("Table 1: Yield of the ponds.")
    for row in (
        ["1650", "12.4", ("a",)],
        ["1651", "7", ("b",)],
        ["1652", "15", ("*",)],
        ["1653", "16", ("*",)],
    ):
        sheet.y -= 4
        sheet.line(row[0], leading=0)
        sheet.line(*row[1:], x=150, leading=0)
        sheet.line("30.5", *row[2:], x=250, leading=0)
        sheet.y -= 12
    sheet.notes("In tons.", "In the west.", "Estimated.", marks="ab*", raised=raised, rule=False, top=sheet.y)
    sheet.y -= 10
    sheet.text(paragraph(9, 4))
    assert "1650 12.4 30.5\n1651 7 30.5\n1652 15 30.5\n1653 16 30.5" in in_role(sheet.read(), "table")


def test_raised_shapes_on_the_baseline() -> None:
    """Fonts have small figures for marks, which stand on the baseline as other letters do."""
    typst = pytest.importorskip("typst")
    source = (
        "#set page(width: 420pt, height: 500pt)\n#set par(justify: true)\n"
        f"{paragraph(1, 5)} He paid 320#footnote[In coins.] in 1871#footnote[Or later.] for 10#super[6] grains and "
        f"#super[14]C. {paragraph(6, 5)}"
    )
    document = convert(typst.compile(source.encode()), "typeset.pdf", Reading())
    assert "He paid 320 in 1871 for 10^6 grains and 14C." in body(document)


ITEMS = [
    "1. Purpose: the data may be used for the purposes named in the annex and for no others.",
    "2. Quality: the data must be exact and, where it is needed, be kept up to date by the parties.",
    "3. Openness: the persons must be told what is done with the data and by whom it is done.",
    "a) where the law of the exporter says so, and in the cases that the annex names for it.",
]


def test_items_in_small_print_are_no_notes() -> None:
    sheet = Sheet()
    for start in (1, 7, 13):
        sheet.text(paragraph(start, 6))
    sheet.canvas.showPage()
    sheet.y = 560
    for start in (20, 26):
        sheet.text(paragraph(start, 6), size=9)
    sheet.line("In the rules", ("1",), " that hold for all of these it is said once more.", size=9)
    for item in ITEMS:
        sheet.y -= 6
        sheet.text(item, size=9)
    sheet.notes("Rules of the first kind.", rule=False, top=100)
    document = sheet.read()
    assert all(item in body(document) for item in ITEMS)
    assert in_role(document, "footnote") == "1 Rules of the first kind."


def test_letters_without_a_relation_are_no_equation() -> None:
    sheet = Sheet()
    sheet.text(paragraph(1, 5))
    for word in ("N/A", "or", "Or", "A"):
        sheet.y -= 6
        sheet.line(word, x=80)
        sheet.y -= 6
        sheet.text(paragraph(6, 2))
    document = sheet.read()
    assert in_role(document, "equation") == ""
    assert all(f" {word} " in body(document) for word in ("N/A", "or", "Or", "A"))
