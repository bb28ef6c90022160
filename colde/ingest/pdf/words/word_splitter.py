"""Characters of a page, joined to words."""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pypdfium2 import raw

from colde.ingest.pdf.characters.accents import resolve_accents
from colde.ingest.pdf.characters.character_boxes import SECOND_HALF, Box, CharacterReader
from colde.ingest.pdf.characters.drawn_twice import DrawnTwice
from colde.ingest.pdf.characters.vertical_writing import DOWNWARDS, vertical_places
from colde.ingest.pdf.drawing.ink import InkReader
from colde.ingest.shared.symbol_fonts import symbol_character

_HYPHENS = {0x02: "-", 0xFFFE: "-", 0xAD: "-", 0x2010: "-", 0x2011: "-"}  # pdfium marks line-end hyphens
_SPACES = {0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x202F, 0x3000}
_ZERO_WIDTH = {0x200B, 0xFEFF}  # in some fonts they are as wide as a space
_MAX_ZERO_WIDTH = 0.5  # points
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_REPLACEMENTS = _HYPHENS | _LIGATURES
_MAX_GAP_INSIDE_WORD = 0.15  # font sizes; what is closer was not set apart by whoever set it
_MAX_GAP = 0.8  # font sizes to the next letter of a word where pdfium sees no space
_SPACED_GAPS = (_MAX_GAP_INSIDE_WORD, 0.2)  # the widest to the next letter, and to a raised or lowered one
_UNSPACED_GAPS = (_MAX_GAP, 0.3)  # the same where pdfium sees no space, as behind wide signs
_MAX_RISE = 0.62  # font sizes to the baseline of the next letter, where that is raised or lowered
_MAX_DRIFT = 0.1  # font sizes from the baseline; what stands further off is raised or lowered
_MIN_SUPERIOR_RAISE = (
    0.2  # font sizes between the baseline and the foot of a raised figure; others stand on the line
)
_MAX_SUPERIOR_HEIGHT = (
    0.5  # font sizes; a figure of the size of the text is 0.6 to 0.75 high, an old-style one 0.45
)
_SUPERIOR_SIZE = 0.7  # what such a shape counts as, over the font size
_MAX_STEP_BACK = 0.25  # font sizes; what goes further back and looks different belongs to a second layer
_MAX_COORDINATE = 1e6  # points; no character is there, but damaged files have coordinates that are no numbers


@dataclass(frozen=True, slots=True)
class Font:
    """What a font says of itself: `family` without subset tag and style words, `name` with them."""

    family: str
    bold: bool
    italic: bool
    mono: bool
    name: str = field(default="", compare=False)


@dataclass(slots=True)
class RawWord:
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
    index: int = -1  # of the first character on its page

    @property
    def box(self) -> Box:
        return self.left, self.bottom, self.right, self.top

    def is_within(self, bounds: Box) -> bool:
        """Whether the middle of the word lies within these bounds."""
        left, bottom, right, top = bounds
        x, y = (self.left + self.right) / 2, (self.bottom + self.top) / 2
        return left <= x <= right and bottom <= y <= top


class Fonts:
    """Fonts of one document by name and flags; reading them from pdfium is slow, so each is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int], Font] = {}
        self._buffer = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()

    def at(self, text: Any, index: int) -> Font:
        """The font of a character of a pdfium text page."""
        raw.FPDFText_GetFontInfo(text, index, self._buffer, 128, self._flags)
        key = (self._buffer.value, self._flags.value)
        if key not in self._known:
            self._known[key] = _font(key[0].decode("utf-8", "replace"), key[1])
        return self._known[key]


def _font(name: str, flags: int) -> Font:
    bare = name.split("+")[-1]
    low = bare.lower()
    family = bare.split(",")[0].split("-")[0]
    styles = low[len(family) :]
    return Font(
        family=family,
        bold=any(w in low for w in ("bold", "black", "heavy", "demi", "medi")) or low.startswith(("cmb", "sfb")),
        italic="ital" in styles or "obli" in styles or (bool(flags & 64) and not low.startswith("cm")),
        mono=bool(flags & 1) or any(w in low for w in ("mono", "courier", "typewriter", "cmtt", "consolas")),
        name=name,
    )  # fmt: skip


class WordSplitter:
    """Splits a text page of pdfium at white space, changes of line, jumps, and changes of baseline within a word.

    Attributes:
        has_vertical_lines: whether letters stand below each other, as in Japanese and Chinese.
        is_bidirectional: whether some words run to the left.
        inks: how its characters are drawn.
    """

    is_bidirectional = False

    def __init__(self, text: Any, fonts: Fonts) -> None:
        self._reader = CharacterReader(text)
        self._drawn_twice = DrawnTwice(self._reader)
        self._vertical = vertical_places(self._reader)
        self.has_vertical_lines = bool(self._vertical)
        self.inks = InkReader(text)
        self._fonts = fonts
        self._words: list[RawWord] = []
        self._word: RawWord | None = None  # that goes on
        self._last = 0  # the character before
        self._spaced = False  # pdfium put a space in here: it is one where there is room for it

    @property
    def codes(self) -> Sequence[int]:
        """The codes of the characters of the page."""
        return self._reader.codes

    def words(self) -> list[RawWord]:
        """The words of the page in content order."""
        resolved = resolve_accents(self._reader)
        characters = {code: _character(code) for code in set(self._reader.codes)}
        for i, code in enumerate(self._reader.codes):
            if code in _SPACES or (code in _ZERO_WIDTH and self._is_wide(i)):
                if self._word is not None and self._reader.is_generated(i):
                    self._spaced = True
                else:
                    self._word = None
            elif (
                code != SECOND_HALF
                and resolved.get(i) != ""
                and not (code in _ZERO_WIDTH and self._word is None)
            ):
                piece = resolved.get(i) or characters[code]
                self._add(i, piece if piece < "\ue000" else self._with_symbol(i, code, piece))
        return self._words

    def _with_symbol(self, i: int, code: int, piece: str) -> str:
        """The character that a font of symbols shows for a code of private use."""
        if 0xE000 <= code < 0xF900:
            return symbol_character(code, self._fonts.at(self._reader.text, i).family) or piece
        return piece

    def _is_wide(self, i: int) -> bool:
        left, bottom, right, top = self._reader.box(i)
        return max(right - left, top - bottom) > _MAX_ZERO_WIDTH

    def _add(self, i: int, piece: str) -> None:
        """Put a character to the open word, or begin another word with it."""
        box, origin = self._vertical.get(i) or (self._reader.box(i), self._reader.origin(i))
        if i in self._drawn_twice.repeated and self._drawn_twice.is_copy(i):
            self._spaced = True  # pdfium looks for spaces between a letter and the copy of another
            if self._word is not None:
                cover(self._word, box)
            return
        if not math.hypot(*box, *origin) < _MAX_COORDINATE:
            self._word = None
            return
        word = self._word
        superior = "0" <= piece <= "9" and self._is_superior(i, box, origin)
        if superior:
            origin = origin[0], box[1]
        joined = word is not None and self._ends_word(word, i, box, origin)
        self._spaced, self._last = False, i
        word = self._word
        if word is None:
            self._begin_word(i, piece, box, origin, joined)
            if superior:
                self._words[-1].size *= _SUPERIOR_SIZE
            return
        word.text += piece
        cover(word, box)

    def _ends_word(self, word: RawWord, i: int, box: Box, origin: tuple[float, float]) -> bool:
        """Close the open word where a character does not belong to it; returns whether the next is joined to it."""
        size = word.size
        if (
            word.quarter_turns == 0
            and not self._spaced
            and abs(origin[1] - word.y) <= _MAX_DRIFT * size
            and -_MAX_STEP_BACK * size <= box[0] - word.right <= _MAX_GAP * size
        ):  # right behind the word, as most characters are
            return False
        along, jump, drift = _offsets(word, box, origin)
        is_copy = along < -_MAX_STEP_BACK * size and self._is_drawn_anew(i)
        if self._spaced and along <= _MAX_GAP_INSIDE_WORD * size and _may_end_word(word.text):
            along = max(along, self._reader.space_between(self._last, i, size))
        max_gap, max_gap_off_line = _SPACED_GAPS if self._spaced else _UNSPACED_GAPS
        if abs(drift) > _MAX_RISE * size or along > max_gap * size or jump < -0.5 * size or is_copy:
            self._word = None
            return False
        if abs(drift) > _MAX_DRIFT * size:
            self._word = None
            return along < max_gap_off_line * size
        return False

    def _is_superior(self, i: int, box: Box, origin: tuple[float, float]) -> bool:
        """Whether a figure is a small raised shape on the baseline of the text, as fonts have for note marks."""
        height = box[1] - origin[1]
        if height <= 0.1 * (box[3] - box[1]):  # as of most figures
            return False
        size, turns = self._reader.size_and_direction(i)
        return (
            turns == 0
            and height >= _MIN_SUPERIOR_RAISE * size
            and box[3] - box[1] <= _MAX_SUPERIOR_HEIGHT * size
        )

    def _is_drawn_anew(self, i: int) -> bool:
        """Whether a character is drawn in another way than the last one; where it goes back, a second layer begins."""
        return self.inks.ink(i) != self.inks.ink(self._last)

    def _begin_word(self, i: int, piece: str, box: Box, origin: tuple[float, float], joined: bool) -> None:
        size, direction = self._reader.size_and_direction(i)
        if not 0.5 < size < 1000.0:
            size = max(1.0, box[3] - box[1])
        if i in self._vertical:
            direction = DOWNWARDS
        font = self._fonts.at(self._reader.text, i)
        self._word = RawWord(piece, *box, *origin, size, font, direction, joined, i)
        self._words.append(self._word)


def cover(word: RawWord, box: Box) -> None:
    """Make a word as large as to cover a character."""
    left, bottom, right, top = box
    if left < word.left:
        word.left = left
    if bottom < word.bottom:
        word.bottom = bottom
    if right > word.right:
        word.right = right
    if top > word.top:
        word.top = top


def _character(code: int) -> str:
    """The text of a code; U+FFFD for what is no character."""
    is_none = code < 0x20 or 0xD800 <= code < 0xE000 or code >= 0x110000
    return _REPLACEMENTS.get(code) or ("\ufffd" if is_none else chr(code))


def _offsets(word: RawWord, box: Box, origin: tuple[float, float]) -> tuple[float, float, float]:
    """Where a character stands in the direction of a word: behind its end, behind its start, off its baseline."""
    begin, _ = extent(box, word.quarter_turns)
    word_begin, word_end = extent(word.box, word.quarter_turns)
    drift = origin[1] - word.y if word.quarter_turns % 2 == 0 else origin[0] - word.x
    return begin - word_end, begin - word_begin, drift


def extent(box: Box, quarter_turns: int) -> tuple[float, float]:
    """Where a box begins and ends in the direction of text that runs to the right, turned by quarters."""
    left, bottom, right, top = box
    return ((left, right), (bottom, top), (-right, -left), (-top, -bottom))[quarter_turns]


def _may_end_word(text: str) -> bool:
    """Whether these may be all letters of a word; a single one is more often a variable, set apart by its slant."""
    return text == "a" or (len(text) > 1 and text[-2:].isalpha())
