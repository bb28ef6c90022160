"""Lines of text: their words, and where they stand in a column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from colde.ingest.pdf.words.page import Word
from colde.ingest.pdf.words.right_to_left import in_reading_order
from colde.ingest.pdf.words.word_splitter import Font

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class Line:
    """Words of one row within one column, in reading order.

    `left`, `right`: edges of the column of text it stands in. `column` −1: across all columns.
    """

    page: int
    words: list[Word]
    base: float
    size: float
    column: int = 0
    left: float = 0.0
    right: float = 0.0
    gap: float = 0.0  # from the baseline of the line above in its column; 0 for the first
    flow: int = 0  # number of the column of text on the page, in reading order
    text: str = ""
    has_turned_words: bool = False  # some words stand to the left of those that are read before them
    _font: Font | None = None

    @property
    def x0(self) -> float:
        return min(w.x0 for w in self.words) if self.has_turned_words else self.words[0].x0

    @property
    def x1(self) -> float:
        return max(w.x1 for w in self.words) if self.has_turned_words else self.words[-1].x1

    def put_in_reading_order(self, mirrored: bool) -> None:
        """Turn the runs of words that are read the other way, given whether the frame of the page is mirrored."""
        self.words = in_reading_order(self.words, mirrored=mirrored)
        self.has_turned_words = any(b.x0 < a.x0 for a, b in pairwise(self.words))

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def column_width(self) -> float:
        return self.right - self.left

    @property
    def indent(self) -> float:
        """Points between the left edge of the column and the line."""
        return self.x0 - self.left

    @property
    def room(self) -> float:
        """Points between the line and the right edge of the column."""
        return self.right - self.x1

    def same_column(self, other: Line) -> bool:
        """Whether the other line stands in the same column of text."""
        return (self.page, self.flow) == (other.page, other.flow)

    def similar_size(self, size: float, share: float) -> bool:
        """Whether the font size differs from `size` by at most this share of it."""
        return abs(self.size - size) <= share * size

    def fits_in_room(self, word: Word, spacing: float) -> bool:
        """Whether a word would have fitted behind the line; `spacing` in font sizes."""
        return self.room > word.x1 - word.x0 + spacing * self.size

    def gaps(self) -> list[float]:
        """Gaps between words that are wider than between words of text, in font sizes; none behind a number or mark."""
        wide_gaps = []
        words = sorted(self.words, key=lambda w: w.x0) if self.has_turned_words else self.words
        for i, (a, b) in enumerate(pairwise(words)):
            gap = (b.x0 - a.x1) / self.size
            if gap > 1.5 and not (i == 0 and len(a.text) <= 5 and not a.text[:1].islower()):
                wide_gaps.append(gap)
        return wide_gaps

    @property
    def font(self) -> Font:
        """The font of most of its characters."""
        if self._font is None:
            self._font = _of_most_characters([w.font for w in self.words], self.words)
        return self._font


def count_characters(words: Iterable[Word], key: Callable[[Word], Key]) -> Counter[Key]:
    """How many characters of the words have each value of `key`."""
    counts: dict[Key, int] = {}
    for word in words:
        value = key(word)
        counts[value] = counts.get(value, 0) + len(word.text)
    return Counter(counts)


def line_size(words: Sequence[Word]) -> float:
    """Font size of most characters."""
    return _of_most_characters([w.size for w in words], words)


def _of_most_characters(values: Sequence[Key], words: Sequence[Word]) -> Key:
    """The value of most characters, given one for each word."""
    first = values[0]
    if values.count(first) == len(values):  # as in most lines
        return first
    counts: dict[Key, int] = {}
    for value, word in zip(values, words, strict=True):
        counts[value] = counts.get(value, 0) + len(word.text)
    return max(counts, key=counts.__getitem__)


def rounded_size(word: Word) -> float:
    """The font size of a word to a quarter of a point."""
    return round(word.size * 4) / 4


def join_words(words: Sequence[Word]) -> str:
    """The words with single spaces, none before a word that is glued to the one before it."""
    parts: list[str] = []
    for word in words:
        if parts and not word.joined_to_previous:
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def is_centred(line: Line) -> bool:
    """Whether a line has about the same space on both sides, and more than two font sizes of it."""
    return min(line.indent, line.room) > 2.0 * line.size and abs(line.indent - line.room) < 0.3 * (
        line.indent + line.room
    )
