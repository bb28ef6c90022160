"""Pages of running text with headings, drawn line by line, so that something can stand beside, under or over a line."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from .prose import sentence

HEADINGS = ["Sources", "Method", "Findings", "Outlook"]
_PER_SECTION = 9


@dataclass
class Manuscript:
    """How the text is set, and what is drawn beside it.

    Attributes:
        on_page: draws on a page before its text; given the canvas and the page's number from 1.
        on_line: draws beside a line; given the canvas, its baseline, its number in the document from 1 and its text.
    """

    left: float = 90.0
    right: float = 500.0
    size: float = 11.0
    leading: float = 14.0
    sections: int = 4
    font: str = "Times-Roman"
    on_page: Callable[[Canvas, int], None] = lambda canvas, page: None
    on_line: Callable[[Canvas, float, int, str], None] = lambda canvas, y, number, text: None
    sentences: list[str] = field(default_factory=list)

    def pdf(self) -> bytes:
        """The file; `sentences` are what stands in it."""
        data = io.BytesIO()
        self.canvas = Canvas(data, pagesize=(595, 842), invariant=1)
        self._page = self._number = 0
        self._new_page()
        for section in range(self.sections):
            first = section * _PER_SECTION
            here = [sentence(n, 9 + n % 6) for n in range(first, first + _PER_SECTION)]
            self.sentences += here
            self._y -= self.leading
            self._line(HEADINGS[section], "Times-Bold", self.size + 3)
            for paragraph in (here[:5], here[5:]):
                self._paragraph(" ".join(paragraph))
                self._y -= 0.5 * self.leading
        self.canvas.save()
        return data.getvalue()

    def _new_page(self) -> None:
        if self._page:
            self.canvas.showPage()
        self._page += 1
        self._y = 770.0
        self.on_page(self.canvas, self._page)

    def _paragraph(self, text: str) -> None:
        line: list[str] = []
        for word in text.split():
            if line and stringWidth(" ".join([*line, word]), self.font, self.size) > self.right - self.left:
                self._line(" ".join(line), self.font, self.size)
                line = []
            line.append(word)
        self._line(" ".join(line), self.font, self.size)

    def _line(self, text: str, font: str, size: float) -> None:
        if self._y < 80.0:
            self._new_page()
        self._number += 1
        self.canvas.setFont(font, size)
        self.canvas.setFillColorRGB(0, 0, 0)
        self.canvas.drawString(self.left, self._y, text)
        self.on_line(self.canvas, self._y, self._number, text)
        self._y -= self.leading
