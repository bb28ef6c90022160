"""Small PDFs drawn line by line: every word stands where the test says."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from .prose import paragraph, sentence
from .typeset import turned

WIDTH, HEIGHT = LETTER
LEFT, WIDE, LEADING = 72.0, 216.0, 12.0


class Sheet:
    """Draws lines of text from the top of a page down, at a width that fills the column."""

    def __init__(self, encrypt: StandardEncryption | None = None) -> None:
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=LETTER, invariant=1, encrypt=encrypt)
        self.y = 72.0

    def line(
        self, text: str, *, x: float = LEFT, size: float = 10.0, font: str = "Times-Roman", full: bool = False
    ) -> None:
        """One line; `full` spreads its words over the column."""
        words = text.split()
        widths = [self.canvas.stringWidth(w, font, size) for w in words]
        gap = self.canvas.stringWidth(" ", font, size)
        if full and len(words) > 1:
            gap = (LEFT + WIDE - x - sum(widths)) / (len(words) - 1)
        self.canvas.setFont(font, size)
        for word, width in zip(words, widths, strict=True):
            self.canvas.drawString(x, HEIGHT - self.y, word)
            x += width + gap
        self.y += LEADING * size / 10.0

    def text(self, words: str, *, x: float = LEFT, size: float = 10.0, indent: float = 0.0) -> None:
        """A paragraph, broken into lines that fill the column."""
        line: list[str] = []
        start = x + indent
        for word in words.split():
            if self.canvas.stringWidth(" ".join([*line, word]), "Times-Roman", size) > LEFT + WIDE - start:
                self.line(" ".join(line), x=start, size=size, full=True)
                line, start = [], x
            line.append(word)
        self.line(" ".join(line), x=start, size=size)

    def heading(self, text: str) -> None:
        self.y += 10.0
        self.line(text, size=12.0, font="Times-Bold")
        self.y += 4.0

    def page(self) -> None:
        self.canvas.showPage()
        self.y = 72.0

    def done(self) -> bytes:
        self.canvas.save()
        return self.buffer.getvalue()


def hyphens(lines: Sequence[str]) -> bytes:
    """A document whose lines end where the test breaks them."""
    sheet = Sheet()
    sheet.heading("1 Broken Words")
    for line in lines:
        sheet.line(line, full=line.endswith("-"))
    sheet.heading("2 Further Words")
    sheet.text(paragraph(1, 5))
    sheet.heading("3 Last Words")
    sheet.text(paragraph(6, 5))
    return sheet.done()


def asides() -> bytes:
    """Text with a figure, a table, an equation, a footnote, references; sentences 1 to 8 are the text."""
    sheet = Sheet()
    sheet.heading("1 Introduction")
    sheet.text(paragraph(1, 2), indent=12)
    sheet.y += 8
    for label in ("Input", "Filter", "Output"):
        sheet.line(label, x=LEFT + 80, size=8, font="Helvetica")
    sheet.y += 6
    sheet.text(
        "Figure 1: How the signal passes through the filter, from the input to the output of the device.",
        size=9,
    )
    sheet.y += 10
    sheet.text(paragraph(3, 2), indent=12)
    sheet.y += 8
    sheet.line("y = a x + b (1)", x=LEFT + 60, font="Times-Italic")
    sheet.y += 8
    sheet.text(paragraph(5, 2))
    sheet.heading("2 Results")
    sheet.text(paragraph(7, 1), indent=12)
    sheet.y += 10
    sheet.text("Table 1: Gains of the filters.", size=9)
    for row in (
        ("Filter", "Gain", "Error"),
        ("low", "1.25", "0.10"),
        ("band", "2.50", "0.20"),
        ("high", "0.75", "0.35"),
    ):
        for i, cell in enumerate(row):
            y = sheet.y
            sheet.line(cell, x=LEFT + 70 * i)
            sheet.y = y
        sheet.y += LEADING
    sheet.y += 10
    sheet.text(paragraph(8, 1), indent=12)
    sheet.heading("References")
    for n, author in enumerate(("Adams", "Brown", "Clark", "Davis"), 1):
        sheet.text(
            f"{author}, A. and B. Other. 200{n}. On the number {n} and what it means to those who count. "
            f"Journal of Counting, pages 1–{n}.",
            size=9,
        )
        sheet.y += 2
    sheet.canvas.line(LEFT, HEIGHT - 726, LEFT + 60, HEIGHT - 726)
    sheet.y = 738.0
    sheet.line("1 This note stands at the foot of the page.", size=8)
    return sheet.done()


def figures() -> bytes:
    """Text with rows of figures right below it, and with rows whose names stand on lines of their own."""
    sheet = Sheet()
    sheet.text(paragraph(1, 4), indent=12)
    sheet.line("Assoc. Top1 R1 R20 P1 P20 F1 F20 MAP", size=9)
    for name in ("LO", "LL", "PMI", "DICE"):
        sheet.line(f"{name} 39.4 84.8 42.3 91.0 40.8 87.8 0.536", size=9)
    sheet.y += 14
    sheet.text(paragraph(5, 3), indent=12)
    sheet.y += 14
    names = ("Method", "balanced", "unbalanced", "(best four)")
    for name, row in zip(names, ("Precision Recall", "85.4 86.5", "90.7 84.2", "87.0 87.9"), strict=True):
        if name == "Method":
            sheet.y -= LEADING
        sheet.line(name)
        if name == "Method":
            sheet.y -= LEADING
        for i, cell in enumerate(row.split()):
            y = sheet.y
            sheet.line(cell, x=LEFT + 70 * (i + 1))
            sheet.y = y
        sheet.y += LEADING
    sheet.y += 14
    sheet.text(paragraph(8, 2), indent=12)
    return sheet.done()


def scans(pages: Sequence[bool]) -> bytes:
    """A page for each value: with text where True, else only a picture."""
    sheet = Sheet()
    picture = ImageReader(Image.new("L", (80, 100), 200))
    for n, has_text in enumerate(pages):
        if has_text:
            sheet.heading(f"{n + 1} Part")
            sheet.text(paragraph(10 * n + 1, 8))
        else:
            sheet.canvas.drawImage(picture, 72, 72, 400, 500)
        sheet.page()
    return sheet.done()


def garbled(bad: Sequence[bool]) -> bytes:
    """A page for each value: where True, letters shifted as by a font without a Unicode map."""
    sheet = Sheet()
    for n, is_bad in enumerate(bad):
        words = paragraph(10 * n + 1, 12).lower().replace(".", "")
        sheet.text("".join(c if c == " " else chr(ord(c) - 29) for c in words) if is_bad else words)
        sheet.page()
    return sheet.done()


def locked(password: str) -> bytes:
    sheet = Sheet(StandardEncryption(password, ownerPassword="owner"))
    for n, heading in enumerate(("1 Secrets", "2 More Secrets", "3 The Last Secret")):
        sheet.heading(heading)
        sheet.text(paragraph(8 * n + 1, 8))
    return sheet.done()


def placed(words: Sequence[tuple[str, float, float]], rotate: int) -> bytes:
    """Words at given places (origin top left, baseline) on a page that is shown turned."""
    sheet = Sheet()
    sheet.canvas.setFont("Times-Roman", 10)
    for word, x, y in words:
        sheet.canvas.drawString(x, HEIGHT - y, word)
    return turned(sheet.done(), rotate)


def imprint(foot: Sequence[str]) -> bytes:
    """A page full of text, and right below it a page number and small lines at the foot; sentences 1 to 51."""
    sheet = Sheet()
    sheet.heading("1 Introduction")
    number = 1
    while sheet.y < 708.0:
        sheet.line(sentence(number, 12))
        number += 1
    sheet.y += 1.5
    sheet.line("456", x=LEFT + 200)
    for line in foot:
        sheet.line(line, size=8)
    return sheet.done()


def shapes(pieces: Sequence[tuple[str, float]]) -> bytes:
    """A line in italics in pieces, each so many font sizes behind the last; no space is written between them."""
    sheet = Sheet()
    sheet.heading("1 Slanted Letters")
    x, size = LEFT, 10.0
    for text, apart in pieces:
        x += apart * size
        sheet.canvas.setFont("Times-Italic", size)
        sheet.canvas.drawString(x, HEIGHT - sheet.y, text)
        x += stringWidth(text, "Times-Italic", size)
    sheet.y += LEADING
    sheet.text(paragraph(1, 5))
    return sheet.done()


def accents(words: Sequence[tuple[str, str, str]]) -> bytes:
    """Words in three parts: what stands before, an accent drawn by itself, and what begins with its letter."""
    sheet = Sheet()
    sheet.heading("1 Accents")
    for before, accent, after in words:
        x, y = LEFT, HEIGHT - sheet.y
        sheet.canvas.setFont("Times-Roman", 10)
        sheet.canvas.drawString(x, y, before)
        x += stringWidth(before, "Times-Roman", 10)
        over = stringWidth(after[0], "Times-Roman", 10) - stringWidth(accent, "Times-Roman", 10)
        sheet.canvas.drawString(x + over / 2, y, accent)
        sheet.canvas.drawString(x, y, after)
        sheet.y += LEADING
    sheet.text(paragraph(1, 5))
    return sheet.done()
