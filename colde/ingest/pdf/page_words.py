"""The words of a page, with boxes, from pdfium's characters.

pdfium gives characters in the page's own coordinates, whatever way the page is turned. Layout needs them as
they are read: left to right, top to bottom. So every word is kept in a reading frame, which is the page as
displayed, turned by quarter turns until most of its text runs to the right, and mirrored where that is written from
right to left; `Page.shown` turns a box back.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from colde.ingest.pdf.character_boxes import PageRotation
from colde.ingest.pdf.drop_caps import join_drop_caps
from colde.ingest.pdf.page_drawings import page_drawings
from colde.ingest.pdf.right_to_left import is_right_to_left, word_splitter
from colde.ingest.pdf.stacked_fractions import join_stacked_fractions
from colde.ingest.pdf.typed_text import TypedText, TypedTextReader
from colde.ingest.pdf.unread_letters import fonts_of_unread_letters
from colde.ingest.pdf.visible_words import VisibleWords, leave_out_unseen
from colde.ingest.pdf.word_splitter import Font, Fonts, RawWord
from colde.text.document import Box

ASCENT, DESCENT = 1.0, 0.28  # of the font size above and below the baseline: what a selection covers
MAX_RAISED_SIZE = 0.85
"""Size of a raised word over that of the word that it stands behind, at most."""
_MIN_RAISE = 0.15  # font sizes of that word between their baselines
_MIN_LOWERING = 0.1  # the same of a lowered word
_SPECK_CHARACTERS = frozenset("Il1|/\\!.,:;'`-_~")  # what text recognition makes of the edges of a scan
_MIN_UPRIGHT_SHARE = 0.25  # of the characters of a page that is read upright
_MAX_PAGE_POINTS = 1e5  # points; the format allows 14,400, and larger pages cost pdfium time and memory


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
    pale: bool = False  # hardly stands out from what it stands on

    @property
    def top(self) -> float:
        return self.base - ASCENT * self.size

    @property
    def bottom(self) -> float:
        return self.base + DESCENT * self.size

    def is_raised_behind(self, stem: Word) -> bool:
        """Whether it is smaller than the word before it, and stands higher."""
        return self.size <= MAX_RAISED_SIZE * stem.size and stem.base - self.base >= _MIN_RAISE * stem.size

    def is_lowered_behind(self, stem: Word) -> bool:
        """Whether it is smaller than the word before it, and stands lower."""
        return self.size <= MAX_RAISED_SIZE * stem.size and self.base - stem.base >= _MIN_LOWERING * stem.size


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
    A part of a page is a page of the same number.
    """

    number: int
    words: list[Word]
    rules: list[Rule]
    size: tuple[float, float]
    quarter_turns: int
    fonts_of_unread_letters: list[str] = field(default_factory=list)
    has_vertical_lines: bool = False
    is_bidirectional: bool = False  # some words are written from right to left
    is_mirrored: bool = False  # most are: x of the frame is measured from the right
    left_out: VisibleWords = field(default_factory=lambda: VisibleWords([]))
    parts: list[Page] = field(default_factory=list)  # pieces that stand by themselves: sideways, typed on it
    is_typed: bool = False  # a part that somebody typed on the page
    beside: float = math.inf  # of a part: height in the frame of its page of the line it stands beside
    bookmarks: list[str] = field(default_factory=list)  # of the file that lead to the page
    key: int = 0  # names the page or part among those of a document; lines hold it

    @property
    def width(self) -> float:
        return self.size[self.quarter_turns % 2]

    @property
    def height(self) -> float:
        return self.size[1 - self.quarter_turns % 2]

    def shown(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box of the reading frame on the page as displayed, cut off at the page's edges."""
        w, h = self.size
        if self.is_mirrored:
            x0, x1 = self.width - x1, self.width - x0
        if self.quarter_turns == 1:
            x0, y0, x1, y1 = y0, h - x1, y1, h - x0
        elif self.quarter_turns == 2:
            x0, y0, x1, y1 = w - x1, h - y1, w - x0, h - y0
        elif self.quarter_turns == 3:
            x0, y0, x1, y1 = w - y1, x0, w - y0, x1
        x0, x1 = (round(min(max(x, 0.0), w), 2) for x in (x0, x1))
        y0, y1 = (round(min(max(y, 0.0), h), 2) for y in (y0, y1))
        return Box(self.number, x0, y0, x1, y1)


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


def read_page(
    page: pdfium.PdfPage,
    number: int,
    fonts: Fonts,
    typed_text: TypedTextReader,
    *,
    has_patterns: bool = False,
    all_text: bool = False,
) -> Page:
    """Words and rules of a page that pdfium has open, with `all_text` those that nobody sees, too.

    Args:
        has_patterns: whether the file holds patterns of tiles.

    Raises:
        PdfiumError: where the page is damaged.
    """
    bounds = left, bottom, right, top = page.get_bbox()
    if not (0.0 < right - left < _MAX_PAGE_POINTS and 0.0 < top - bottom < _MAX_PAGE_POINTS):
        raise pdfium.PdfiumError("no page has this size")
    drawings = page_drawings(page)
    text = page.get_textpage()
    try:
        splitter = word_splitter(text.raw, fonts)
        visible = VisibleWords([w for w in splitter.words() if w.is_within(bounds)])
        if not all_text:
            leave_out_unseen(
                page, text.raw, splitter.inks, visible, bounds, drawings.boxes, has_patterns=has_patterns
            )
    finally:
        text.close()
    typed = typed_text.read(page, number, visible.words)
    shown = page.get_rotation() // 90 % 4
    size = (right - left, top - bottom) if shown % 2 == 0 else (top - bottom, right - left)
    frames = _Frames(number, bounds, shown, size, visible.pale, splitter.is_bidirectional)
    main = frames.page(visible.words, typed)
    main.left_out = visible
    main.fonts_of_unread_letters = fonts_of_unread_letters(page)
    main.has_vertical_lines = splitter.has_vertical_lines
    direction = (main.quarter_turns + shown) % 4
    place = PageRotation(bounds, direction, main.is_mirrored)
    main.rules = [
        _placed_rule(place, *r) for r in (drawings.vertical if direction % 2 else drawings.horizontal)
    ]
    if direction % 2 == 0:
        main.words = join_stacked_fractions(main.words, [_placed_rule(place, *r) for r in drawings.bars])
    return main


@dataclass(frozen=True, slots=True)
class _Frames:
    """Puts the words of a page into frames in which they run to the right: a page and its parts.

    Attributes:
        number: of the page, from 1.
        bounds: of what is shown of it, in its own coordinates.
        shown: quarter turns, clockwise, by which it is shown.
        size: width and height as shown.
        pale: `RawWord.index` of the words that hardly stand out.
        bidirectional: whether some words run to the left.
    """

    number: int
    bounds: tuple[float, float, float, float]
    shown: int
    size: tuple[float, float]
    pale: set[int]
    bidirectional: bool

    def page(self, printed: list[RawWord], typed: TypedText) -> Page:
        """The page with its printed words, those typed into its lines, and its parts."""
        directions: dict[int, list[RawWord]] = {}
        for word in printed or typed.in_lines:
            directions.setdefault(word.quarter_turns, []).append(word)
        direction = _reading_direction(directions, self.shown)
        aside = [w for w in typed.in_lines if w.quarter_turns != direction]
        if printed:
            directions[direction] += [w for w in typed.in_lines if w.quarter_turns == direction]
        main = self._frame(directions.pop(direction, []), direction)
        main.parts = [self._frame(words, turns) for turns, words in directions.items()]
        for words in filter(None, [*typed.pieces, aside]):
            part = self._frame(words, self.shown)
            part.is_typed = True
            if part.quarter_turns == main.quarter_turns:
                part.beside = min(w.base for w in part.words)
            main.parts.append(part)
        return main

    def _frame(self, words: list[RawWord], turns: int) -> Page:
        # Text that runs in direction d (quarter turns counterclockwise) on a page that is shown turned clockwise by
        # r quarters needs d clockwise quarters from the page's own coordinates, d − r from what is displayed.
        mirrored = self.bidirectional and is_right_to_left(words)
        place = PageRotation(self.bounds, turns, mirrored)
        placed = join_drop_caps([_placed_word(place, w, w.index in self.pale) for w in words])
        page = Page(
            self.number, _drop_scan_specks(placed), [], self.size, (turns - self.shown) % 4, key=self.number
        )
        page.is_bidirectional, page.is_mirrored = self.bidirectional, mirrored
        return page


def _reading_direction(directions: dict[int, list[RawWord]], upright: int) -> int:
    """The direction of most of the text; upright where a good part of it is, for that goes on on other pages."""
    characters = {d: sum(len(w.text) for w in words) for d, words in directions.items()}
    if characters.get(upright, 0) >= _MIN_UPRIGHT_SHARE * sum(characters.values()):
        return upright
    return max(characters, key=lambda d: characters[d])


def _placed_word(place: PageRotation, w: RawWord, pale: bool) -> Word:
    ax, _ = place.point(w.left, w.bottom)
    bx, _ = place.point(w.right, w.top)
    _, base = place.point(w.x, w.y)
    return Word(w.text, min(ax, bx), max(ax, bx), base, w.size, w.font, w.joined_to_previous, pale)


def _placed_rule(place: PageRotation, left: float, bottom: float, right: float, top: float) -> Rule:
    ax, ay = place.point(left, bottom)
    bx, by = place.point(right, top)
    return Rule(min(ax, bx), max(ax, bx), (ay + by) / 2)
