"""The words of a page, with boxes, from pdfium's characters.

pdfium gives characters in the page's own coordinates, whatever way the page is turned. Layout needs them as
they are read: left to right, top to bottom. So every word is kept in a reading frame, which is the page as
displayed, turned by quarter turns until most of its text runs to the right, and mirrored where that is written from
right to left; `Page.shown` turns a box back.
"""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2 as pdfium

from colde.ingest.pdf.characters.character_boxes import PageRotation
from colde.ingest.pdf.characters.unread_letters import fonts_of_unread_letters
from colde.ingest.pdf.drawing.page_drawings import page_drawings
from colde.ingest.pdf.words.drop_caps import join_drop_caps
from colde.ingest.pdf.words.page import Page, Rule, Word
from colde.ingest.pdf.words.right_to_left import is_right_to_left, word_splitter
from colde.ingest.pdf.words.stacked_fractions import join_stacked_fractions
from colde.ingest.pdf.words.typed_text import TypedText, TypedTextReader
from colde.ingest.pdf.words.visible_words import VisibleWords, leave_out_unseen
from colde.ingest.pdf.words.word_splitter import Fonts, RawWord

_SPECK_CHARACTERS = frozenset("Il1|/\\!.,:;'`-_~")  # what text recognition makes of the edges of a scan
_MIN_UPRIGHT_SHARE = 0.25  # of the characters of a page that is read upright
_MAX_PAGE_POINTS = 1e5  # points; the format allows 14,400, and larger pages cost pdfium time and memory


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
