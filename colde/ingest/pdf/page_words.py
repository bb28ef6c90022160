"""Step 1: the words of a page, with boxes, from pdfium's characters.

pdfium gives characters in the page's own coordinates, whatever way the page is turned. Layout needs them as
they are read: left to right, top to bottom. So every word is kept in a reading frame, which is the page as
displayed, turned by quarter turns until most of its text runs to the right; `Page.shown` turns a box back.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.accents import resolve_accents
from colde.ingest.pdf.character_boxes import space_between
from colde.text.document import Box

ASCENT, DESCENT = 1.0, 0.28  # of the font size above and below the baseline: what a selection covers
_HYPHENS = {0x02: "-", 0xFFFE: "-", 0xAD: "-", 0x2010: "-", 0x2011: "-"}  # pdfium marks line-end hyphens
_SPACES = {0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x200B, 0x202F, 0x3000, 0xFEFF}
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
_SYMBOLS = {
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF06E: "■",
    0xF0D8: "➢",
    0xF0FC: "✓",
    0xF076: "❖",
}  # bullets of office programs
_REPLACEMENTS = _HYPHENS | _LIGATURES | _SYMBOLS
_MAX_GAP_INSIDE_WORD = 0.15  # font sizes; what is closer was not set apart by whoever set it
_SPECK_CHARACTERS = frozenset("Il1|/\\!.,:;'`-_~")  # what text recognition makes of the edges of a scan
_MAX_COORDINATE = 1e6  # points; no character is there, but damaged files have coordinates that are no numbers
_MAX_PAGE_POINTS = (
    1e5  # points; the format allows 14,400, and pdfium takes time and memory by the size of the page
)
_MAX_PAGE_OBJECTS = 4000  # drawings beyond this many objects a page are not searched for rules


@dataclass(frozen=True, slots=True)
class Font:
    """What a font says of itself: `family` without subset tag and style words."""

    family: str
    bold: bool
    italic: bool
    mono: bool


@dataclass(slots=True)
class Word:
    """A word in its page's reading frame: points, origin top left; `base` is the baseline.

    `joined_to_previous`: no white space stands between this and the word before it (a superscript, a change of font).
    """

    text: str
    x0: float
    x1: float
    base: float
    size: float
    font: Font
    joined_to_previous: bool = False

    @property
    def top(self) -> float:
        return self.base - ASCENT * self.size

    @property
    def bottom(self) -> float:
        return self.base + DESCENT * self.size


@dataclass(slots=True)
class Rule:
    """A thin horizontal line drawn on the page, in the reading frame."""

    x0: float
    x1: float
    y: float


@dataclass(slots=True)
class Page:
    """One page: words in content order, in a frame in which its text runs to the right.

    `size` is that of the page as displayed; `quarter_turns` the quarter turns (clockwise) from there to the frame.
    """

    number: int
    words: list[Word]
    rules: list[Rule]
    size: tuple[float, float]
    quarter_turns: int
    dropped_characters: int = 0  # characters of text in other directions, left out

    @property
    def width(self) -> float:
        return self.size[self.quarter_turns % 2]

    @property
    def height(self) -> float:
        return self.size[1 - self.quarter_turns % 2]

    def shown(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box of the reading frame on the page as displayed, cut off at the page's edges."""
        w, h = self.size
        if self.quarter_turns == 1:
            x0, y0, x1, y1 = y0, h - x1, y1, h - x0
        elif self.quarter_turns == 2:
            x0, y0, x1, y1 = w - x1, h - y1, w - x0, h - y0
        elif self.quarter_turns == 3:
            x0, y0, x1, y1 = w - y1, x0, w - y0, x1
        return Box(
            self.number,
            round(min(max(x0, 0.0), w), 2),
            round(min(max(y0, 0.0), h), 2),
            round(min(max(x1, 0.0), w), 2),
            round(min(max(y1, 0.0), h), 2),
        )


@dataclass(slots=True)
class _RawWord:
    """A word in the page's own coordinates (origin bottom left), running in direction `quarter_turns` (× 90°)."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    x: float  # origin of the first character
    y: float
    size: float
    font: Font
    quarter_turns: int
    joined_to_previous: bool


class Fonts:
    """Fonts of one document by name and flags; reading them from pdfium is slow, so each is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int], Font] = {}
        self._buffer = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()

    def at(self, text: Any, index: int) -> Font:
        """The font of a character of a pdfium text page."""
        raw.FPDFText_GetFontInfo(text, index, self._buffer, 128, self._flags)
        weight = raw.FPDFText_GetFontWeight(text, index)
        key = (self._buffer.value, self._flags.value, weight)
        if key not in self._known:
            self._known[key] = _font(key[0].decode("utf-8", "replace"), *key[1:])
        return self._known[key]


def _drop_scan_specks(words: list[Word]) -> list[Word]:
    """Words without single strokes of more than twice the usual size, but for those in a line of such text (“1.1”)."""
    if not words:
        return words
    usual = sorted(w.size for w in words)[len(words) // 2]
    large = [w for w in words if w.size >= 2.0 * usual]
    text = [w for w in large if not _SPECK_CHARACTERS.issuperset(w.text)]
    specks = {
        id(w) for w in large if _SPECK_CHARACTERS.issuperset(w.text) and not any(_in_line(w, t) for t in text)
    }
    return [w for w in words if id(w) not in specks]


def _in_line(word: Word, other: Word) -> bool:
    return abs(word.base - other.base) < 0.1 * other.size and abs(word.size - other.size) < 0.2 * other.size


def _font(name: str, flags: int, weight: int) -> Font:
    bare = name.split("+")[-1]
    low = bare.lower()
    family = bare.split(",")[0].split("-")[0]
    styles = low[len(family) :]
    return Font(
        family=family,
        bold=any(w in low for w in ("bold", "black", "heavy", "demi", "medi")) or low.startswith(("cmb", "sfb")),
        italic="ital" in styles or "obli" in styles or (bool(flags & 64) and not low.startswith("cm")),
        mono=bool(flags & 1) or any(w in low for w in ("mono", "courier", "typewriter", "cmtt", "consolas")),
    )  # fmt: skip


def read_page(page: pdfium.PdfPage, number: int, fonts: Fonts) -> Page:
    """Words and rules of a page that pdfium has open; `number` counts from 1.

    Raises:
        PdfiumError: where the page is damaged.
    """
    left, bottom, right, top = page.get_bbox()
    if not (0.0 < right - left < _MAX_PAGE_POINTS and 0.0 < top - bottom < _MAX_PAGE_POINTS):
        raise pdfium.PdfiumError("no page has this size")
    text = page.get_textpage()
    try:
        found = _raw_words(text.raw, fonts)
    finally:
        text.close()
    found = [
        w
        for w in found
        if left <= (w.left + w.right) / 2 <= right and bottom <= (w.bottom + w.top) / 2 <= top
    ]
    counts: Counter[int] = Counter()
    for word in found:
        counts[word.quarter_turns] += len(word.text)
    direction = counts.most_common(1)[0][0] if counts else 0
    shown = page.get_rotation() // 90 % 4
    # Text that runs in direction d (quarter turns counterclockwise) on a page that is shown turned clockwise by
    # r quarters needs d clockwise quarters from the page's own coordinates, d − r from what is displayed.
    place = _PageRotation((left, bottom, right, top), direction)
    words = _drop_scan_specks([place.word(w) for w in found if w.quarter_turns == direction])
    size = (right - left, top - bottom) if shown % 2 == 0 else (top - bottom, right - left)
    return Page(
        number=number,
        words=words,
        rules=[place.rule(*r) for r in _rules(page, direction % 2 == 1)],
        size=size,
        quarter_turns=(direction - shown) % 4,
        dropped_characters=sum(counts.values()) - counts[direction],
    )


class _PageRotation:
    """From the page's own coordinates to a frame turned clockwise by `turns` quarters, origin top left."""

    def __init__(self, bounds: tuple[float, float, float, float], turns: int) -> None:
        self.left, self.bottom, self.right, self.top = bounds
        self.turns = turns

    def point(self, x: float, y: float) -> tuple[float, float]:
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def word(self, w: _RawWord) -> Word:
        ax, _ = self.point(w.left, w.bottom)
        bx, _ = self.point(w.right, w.top)
        _, base = self.point(w.x, w.y)
        return Word(w.text, min(ax, bx), max(ax, bx), base, w.size, w.font, w.joined_to_previous)

    def rule(self, left: float, bottom: float, right: float, top: float) -> Rule:
        ax, ay = self.point(left, bottom)
        bx, by = self.point(right, top)
        return Rule(min(ax, bx), max(ax, bx), (ay + by) / 2)


def _raw_words(text: Any, fonts: Fonts) -> list[_RawWord]:
    """Split a text page at white space, changes of line, jumps, and changes of baseline within a word."""
    get_char, get_box, get_origin = (
        raw.FPDFText_GetUnicode,
        raw.FPDFText_GetCharBox,
        raw.FPDFText_GetCharOrigin,
    )
    get_size, get_matrix = raw.FPDFText_GetFontSize, raw.FPDFText_GetMatrix
    a, b, c, d, x, y = (ctypes.c_double() for _ in range(6))
    matrix = raw.FS_MATRIX()
    words: list[_RawWord] = []
    word: _RawWord | None = None
    last = 0  # the character before
    spaced = False  # pdfium put a space in, which the file has not: true where there is room for one
    codes = [get_char(text, i) for i in range(raw.FPDFText_CountChars(text))]
    resolved = resolve_accents(text, codes)
    for i, code in enumerate(codes):
        if code in _SPACES:
            if word is not None and raw.FPDFText_IsGenerated(text, i) == 1:
                spaced = True
            else:
                word = None
            continue
        if resolved.get(i) == "":
            continue
        get_box(text, i, a, b, c, d)
        get_origin(text, i, x, y)
        left, right, bottom, top, ox, oy = a.value, b.value, c.value, d.value, x.value, y.value
        if not abs(left) + abs(right) + abs(bottom) + abs(top) + abs(ox) + abs(oy) < _MAX_COORDINATE:
            word = None
            continue
        joined_to_previous = False
        if word is not None:
            if word.quarter_turns == 0:
                along, jump, drift = left - word.right, left - word.left, oy - word.y
            elif word.quarter_turns == 1:
                along, jump, drift = bottom - word.top, bottom - word.bottom, ox - word.x
            elif word.quarter_turns == 2:
                along, jump, drift = word.left - right, word.right - right, oy - word.y
            else:
                along, jump, drift = word.bottom - top, word.top - top, ox - word.x
            size = word.size
            if spaced and along <= _MAX_GAP_INSIDE_WORD * size and _may_end_word(word.text):
                along = max(along, space_between(text, last, i, size))
            if (
                abs(drift) > 0.6 * size
                or along > (_MAX_GAP_INSIDE_WORD if spaced else 0.8) * size
                or jump < -0.5 * size
            ):
                word = None
            elif abs(drift) > 0.1 * size:
                word, joined_to_previous = None, along < 0.2 * size
        spaced, last = False, i
        piece = resolved.get(i) or _REPLACEMENTS.get(code) or _character(code)
        if word is None:
            get_matrix(text, i, matrix)
            size = get_size(text, i) * math.hypot(matrix.c, matrix.d)
            if not 0.5 < size < 1000.0:
                size = max(1.0, top - bottom)
            angle = math.atan2(matrix.b, matrix.a)
            quarter_turns = round(angle / (math.pi / 2)) % 4 if math.isfinite(angle) else 0
            word = _RawWord(
                piece,
                left,
                bottom,
                right,
                top,
                ox,
                oy,
                size,
                fonts.at(text, i),
                quarter_turns,
                joined_to_previous,
            )
            words.append(word)
            continue
        word.text += piece
        word.left = min(word.left, left)
        word.right = max(word.right, right)
        word.bottom = min(word.bottom, bottom)
        word.top = max(word.top, top)
    return words


def _may_end_word(text: str) -> bool:
    """Whether these may be all letters of a word; a single one is more often a variable, set apart by its slant."""
    return text == "a" or (len(text) > 1 and text[-2:].isalpha())


def _character(code: int) -> str:
    """The character of a code; U+FFFD for what is none."""
    return "\ufffd" if code < 0x20 or 0xD800 <= code < 0xE000 or code >= 0x110000 else chr(code)


def _rules(page: pdfium.PdfPage, upright: bool) -> list[tuple[float, float, float, float]]:
    """Bounds of thin straight lines that are horizontal in the reading frame."""
    count = raw.FPDFPage_CountObjects(page)
    if count > _MAX_PAGE_OBJECTS:
        return []
    found = []
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for i in range(count):
        item = raw.FPDFPage_GetObject(page, i)
        if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_PATH:
            continue
        if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            continue
        width, height = right.value - left.value, top.value - bottom.value
        if upright:
            width, height = height, width
        if height <= 2.5 and width >= 20.0:
            found.append((left.value, bottom.value, right.value, top.value))
    return found
