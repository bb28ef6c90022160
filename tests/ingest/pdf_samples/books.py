"""Books in one size of type, whose chapters have titles in the middle of the line."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from .prose import paragraph

TITLES = (
    "THE OLD MILL", "RUIN", "OF SALT, AND OF THOSE WHO RAKE IT IN THE HEAT OF AN AUGUST AFTERNOON", "A DUEL",
    "MR. HARROW TAKES A BOAT", "WHAT THE BELL SAID", "THE FAIR AT LASK", "TO THE NORTH BY NIGHT",
)  # fmt: skip
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
_WIDTH, _HEIGHT, _MARGIN = 420.0, 600.0, 60.0


class Book:
    """Sets lines and paragraphs, from the top of a page down."""

    def __init__(self, font: str = "Times-Roman", size: float = 11.0) -> None:
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=(_WIDTH, _HEIGHT), invariant=1)
        self.font, self.size, self.leading = font, size, 1.2 * size
        self.y, self.page = _HEIGHT - _MARGIN, 1

    def new_page(self) -> None:
        self.canvas.setFont(self.font, self.size)
        self.canvas.drawCentredString(_WIDTH / 2, 30, str(self.page))
        self.canvas.showPage()
        self.y, self.page = _HEIGHT - _MARGIN, self.page + 1

    def space(self, lines: float) -> None:
        self.y -= lines * self.leading
        if self.y < 3 * _MARGIN:
            self.new_page()

    def centred(self, text: str) -> None:
        for line in self._wrapped(text, 240.0):
            self._draw(line, (_WIDTH - self._width(line)) / 2)

    def entry(self, title: str, page: int | None, dots: bool) -> None:
        """An entry of the table of contents, without or with its page number at the right."""
        *lines, last = self._wrapped(title, 220.0)
        for line in lines:
            self._draw(line, _MARGIN)
        dotted = f"{last} {'. ' * int((230.0 - self._width(last)) / self._width('. '))}" if dots else last
        self._draw(dotted, _MARGIN)
        if page is not None:
            self.y += self.leading
            self._draw(str(page), _WIDTH - _MARGIN - self._width(str(page)))

    def text(self, words: str) -> None:
        for line in self._wrapped(words, _WIDTH - 2 * _MARGIN):
            self._draw(line, _MARGIN, justified=line is not None)

    def done(self) -> bytes:
        self.new_page()
        self.canvas.save()
        return self.buffer.getvalue()

    def _width(self, text: str) -> float:
        return float(self.canvas.stringWidth(text, self.font, self.size))

    def _wrapped(self, text: str, width: float) -> list[str]:
        lines: list[list[str]] = [[]]
        for word in text.split():
            if lines[-1] and self._width(" ".join([*lines[-1], word])) > width:
                lines.append([])
            lines[-1].append(word)
        return [" ".join(line) for line in lines]

    def _draw(self, text: str, x: float, *, justified: bool = False) -> None:
        if self.y < _MARGIN:
            self.new_page()
        self.canvas.setFont(self.font, self.size)
        words, width = text.split(), self._width(text)
        room = _WIDTH - 2 * _MARGIN - width
        stretch = room / (len(words) - 1) if justified and len(words) > 1 and room < 60 else 0.0
        for word in words:
            self.canvas.drawString(x, self.y, word)
            x += self._width(f"{word} ") + stretch
        self.y -= self.leading


def book(
    *, contents: str | None, heads: str = "title", flowing: bool = True, lower_case: bool = False,
    bookmarks: bool = False, font: str = "Times-Roman", numbered_list: bool = False,
) -> bytes:  # fmt: skip
    """A book.

    Args:
        contents: "dots", "numbers" or "plain" for a table of contents with leaders, page numbers alone, or neither.
        heads: "title", "number" ("I. THE OLD MILL"), or "chapter" ("CHAPTER I." above the title).
        flowing: whether chapters begin on the page of the one before.
        bookmarks: whether the file names the chapters in its outline.
        numbered_list: whether a chapter has numbered parts.
    """
    made = Book(font, 9.0 if font == "Courier" else 11.0)
    titles = [title.title() if lower_case else title for title in TITLES]
    made.centred("THE SALT ROAD")
    made.new_page()
    if contents is not None:
        made.centred("CONTENTS")
        for i, title in enumerate(titles):
            text = f"{ROMAN[i]}. {title}" if heads == "number" else title
            made.entry(text, None if contents == "plain" else 3 + i, contents == "dots")
        made.new_page()
    for i, title in enumerate(titles):
        if flowing:
            made.space(2)
        else:
            made.new_page()
        if bookmarks:
            made.canvas.bookmarkPage(title)
            made.canvas.addOutlineEntry(title, title, 0)
        if heads == "chapter":
            made.centred(f"CHAPTER {ROMAN[i]}.")
        made.centred(f"{ROMAN[i]}. {title}" if heads == "number" else title)
        made.space(1)
        for k in range(3):
            made.text(f"{paragraph(10 * i + 3 * k + 1, 3)} “NO MORE OF THAT!” he cried, and left.")
        if numbered_list and i == 2:
            for number in range(1, 5):
                made.space(1)
                made.text(f"{number}. The Part of the Day")
                made.text(paragraph(100 + 4 * number, 4))
    return made.done()


def contract(clauses: Sequence[str]) -> bytes:
    """A contract with clauses in capitals between its paragraphs."""
    made = Book()
    for number, clause in enumerate(clauses, 1):
        made.text(f"{number}. {paragraph(6 * number, 5)}")
        made.space(1)
        made.text(clause)
        made.space(1)
    return made.done()
