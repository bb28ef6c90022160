"""The words of a page that its readers see.

Left out are slanted words (watermarks, labels of figures), words that their colour or size hides, that are covered or
cut off, and a second,
invisible copy of the words, which text recognition leaves on pages that have text already. Invisible words on a
picture that no visible word repeats are what a scan shows: they are read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pypdfium2 as pdfium

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.pdf.drawing.ink import PALE_CONTRAST, Backgrounds, Ink, InkReader, picture_bounds
from colde.ingest.pdf.words.paint_order import hidden_by_drawings
from colde.ingest.pdf.words.word_splitter import RawWord
from colde.ingest.shared.hidden_text import (
    MIN_CONTRAST,
    MIN_POINTS,
    Colour,
    hidden_text_warnings,
    is_same_to_the_eye,
)
from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning

_QUOTE_CHARACTERS = 60
_MIN_SLANT = 3.0  # degrees; recognised lines of a scan lean by less
_MAX_SLANTED_SHARE = 0.5  # of the characters; what leans beyond it is the text of the page
_REPEATED_CHARACTERS = 8  # that stand again elsewhere in the same order are repeated
_FEW_CHARACTERS = 60  # slanted characters that are no text of a page, whatever their share
_MIN_COPIED_SHARE = 0.4  # of pairs of invisible words, repeated by visible ones; others are misread
_MIN_COVERED_SHARE = 0.5  # of invisible words under or over visible ones, and of such a word by the other
_BAND_POINTS = 20.0  # height of the bands in which words that may lie over a word are looked up


@dataclass(slots=True)
class VisibleWords:
    """The words of a page that are read, and what is left out with a warning.

    `pale` are the `RawWord.index` of words that hardly stand out.
    """

    words: list[RawWord]
    pale: set[int] = field(default_factory=set)
    hidden: list[RawWord] = field(default_factory=list)
    slanted: list[RawWord] = field(default_factory=list)

    def text_near_hidden(self) -> str:
        """The words before the first that is hidden."""
        first = min((w.index for w in self.hidden), default=0)
        return " ".join([w.text for w in self.words if w.index < first][-_QUOTE_CHARACTERS:])


def leave_out_unseen(
    page: pdfium.PdfPage,
    text: Any,
    inks: InkReader,
    out: VisibleWords,
    bounds: Box,
    boxes: Sequence[tuple[Box, Colour]],
    *,
    has_patterns: bool,
) -> None:
    """Take the words that nobody sees out of those of a page, which are in content order.

    Args:
        text: the text page of pdfium.
        bounds: of what is shown of the page.
        boxes: filled with a colour, on which words may stand.
        has_patterns: whether the file holds patterns of tiles.
    """
    by_index = {w.index: inks.ink(w.index) for w in out.words}
    _leave_out_slanted(out, by_index)
    _leave_out_tiny(out)
    painted = [w for w in out.words if not by_index[w.index].unseen]
    _leave_out_covered(out, hidden_by_drawings(page, text, painted, bounds, has_patterns))
    unseen, out.pale = _unseen_and_pale(out.words, by_index, Backgrounds(page, bounds), boxes)
    if unseen:
        seen = [w for w in out.words if w.index not in unseen]
        invisible = [w for w in out.words if w.index in unseen]
        read, hidden = _sort_invisible(page, seen, invisible)
        out.words = [w for w in out.words if w.index not in unseen or w.index in read]
        out.hidden.extend(hidden)


def _leave_out_slanted(out: VisibleWords, inks: dict[int, Ink]) -> None:
    slanted = [w for w in out.words if inks[w.index].slant >= _MIN_SLANT]
    if not slanted:
        return
    characters = _different_characters(slanted)
    if characters <= max(_FEW_CHARACTERS, _MAX_SLANTED_SHARE * _character_count(out.words)):
        out.slanted = slanted
        out.words = [w for w in out.words if inks[w.index].slant < _MIN_SLANT]


def _different_characters(words: Sequence[RawWord]) -> int:
    """Characters of words in content order, those of what is written again and again counted once."""
    text = "".join(w.text for w in words)
    return len({text[i : i + _REPEATED_CHARACTERS] for i in range(len(text))})


def _leave_out_tiny(out: VisibleWords) -> None:
    """Take out letters too small to be seen, unless the whole page is that small."""
    tiny = [w for w in out.words if w.size < MIN_POINTS and _height(w) < MIN_POINTS]
    if tiny and 2 * _character_count(tiny) < _character_count(out.words):
        out.hidden.extend(tiny)
        gone = {w.index for w in tiny}
        out.words = [w for w in out.words if w.index not in gone]


def _leave_out_covered(out: VisibleWords, covered: Set[int]) -> None:
    """Take out words that the drawings of the page hide, but for copies of words that are seen."""
    if covered:
        hidden = [w for w in out.words if w.index in covered]
        out.words = [w for w in out.words if w.index not in covered]
        if not out.words or _repeated_share(hidden, out.words) < _MIN_COPIED_SHARE:
            out.hidden.extend(hidden)


def _height(word: RawWord) -> float:
    """Points of the letters across the direction of the text."""
    return word.right - word.left if word.quarter_turns % 2 else word.top - word.bottom


def _unseen_and_pale(
    words: Sequence[RawWord],
    inks: dict[int, Ink],
    backgrounds: Backgrounds,
    boxes: Sequence[tuple[Box, Colour]],
) -> tuple[set[int], set[int]]:
    """Indices of the words that nobody sees, and of those that hardly stand out."""
    unseen = {w.index for w in words if inks[w.index].unseen}
    suspects = [w for w in words if w.index not in unseen and _may_be_hidden(w, inks[w.index], boxes)]
    if not suspects:
        return unseen, set()
    doubtful = unseen | {w.index for w in suspects}
    backgrounds.leave_out([w.box for w in words if w.index not in doubtful])
    pale: set[int] = set()
    for word in suspects:
        contrast = backgrounds.contrast(word.box, word.size, inks[word.index])
        if contrast < MIN_CONTRAST:
            unseen.add(word.index)
        elif contrast < PALE_CONTRAST:
            pale.add(word.index)
    return unseen, pale


def _may_be_hidden(word: RawWord, ink: Ink, boxes: Sequence[tuple[Box, Colour]]) -> bool:
    """Whether letters are pale, or as dark as a box that they stand on."""
    return ink.pale_on_white or any(
        word.is_within(box) and is_same_to_the_eye(ink.colour, colour) for box, colour in boxes
    )


def _sort_invisible(
    page: pdfium.PdfPage, seen: Sequence[RawWord], invisible: Sequence[RawWord]
) -> tuple[set[int], list[RawWord]]:
    """Indices of the invisible words that are read, and those that are hidden; copies of visible words are neither."""
    if _repeated_share(invisible, seen) >= _MIN_COPIED_SHARE:
        return set(), []
    covered = _covered_words(invisible, seen)
    if len(covered) >= _MIN_COVERED_SHARE * len(invisible):
        return set(), []
    pictures = picture_bounds(page)
    rest = [w for w in invisible if w.index not in covered]
    read = {w.index for w in rest if any(map(w.is_within, pictures))}
    return read, [w for w in rest if w.index not in read]


def _repeated_share(words: Sequence[RawWord], others: Sequence[RawWord]) -> float:
    """Share of the pairs of neighbouring words that are pairs of neighbours among other words, too."""
    if len(words) == 1:
        return float(_letters(words[0]) in map(_letters, others))
    pairs, of_others = (Counter(pairwise(map(_letters, ws))) for ws in (words, others))
    return (pairs & of_others).total() / pairs.total()


def _letters(word: RawWord) -> str:
    return "".join(filter(str.isalnum, word.text.casefold())) or word.text


def _covered_words(words: Sequence[RawWord], others: Sequence[RawWord]) -> set[int]:
    """Indices of the words over or under which one of the others lies."""
    by_band: dict[int, list[RawWord]] = defaultdict(list)
    for other in others:
        for band in _bands(other):
            by_band[band].append(other)
    return {w.index for w in words if any(_covers(o, w) for band in _bands(w) for o in by_band.get(band, ()))}


def _bands(word: RawWord) -> range:
    return range(int(word.bottom // _BAND_POINTS), int(word.top // _BAND_POINTS) + 1)


def _covers(other: RawWord, word: RawWord) -> bool:
    across = min(other.right, word.right) - max(other.left, word.left)
    along = min(other.top, word.top) - max(other.bottom, word.bottom)
    area = (word.right - word.left) * (word.top - word.bottom)
    return across > 0.0 and along > 0.0 and across * along >= _MIN_COVERED_SHARE * area


def _character_count(words: Sequence[RawWord]) -> int:
    return sum(len(w.text) for w in words)


def left_out_warnings(pages: Sequence[VisibleWords]) -> Iterator[ReadWarning]:
    """Warnings about hidden and slanted words of the pages of a document, given from the first to the last."""
    hidden = [(number, p) for number, p in enumerate(pages, 1) if p.hidden]
    if hidden:
        characters = sum(_character_count(p.hidden) for _, p in hidden)
        yield from hidden_text_warnings(characters, hidden[0][1].text_near_hidden(), [n for n, _ in hidden])
    slanted = [(number, p) for number, p in enumerate(pages, 1) if p.slanted]
    if slanted:
        numbers = [n for n, _ in slanted]
        words = [w.text for w in slanted[0][1].slanted]
        quoted = (" " if max(map(len, words)) > 1 else "").join(words)[:_QUOTE_CHARACTERS]
        text = f"slanted text, such as a watermark, was left out on {pages_phrase(numbers)}: “{quoted}”"
        yield page_warning(numbers, text)
