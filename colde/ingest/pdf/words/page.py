"""A page of a PDF as layout takes it: its words and rules, in the frame in which its text is read."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from colde.ingest.pdf.words.visible_words import VisibleWords
from colde.ingest.pdf.words.word_splitter import Font
from colde.text.document import Box

ASCENT, DESCENT = 1.0, 0.28  # of the font size above and below the baseline: what a selection covers
MAX_RAISED_SIZE = 0.85
"""Size of a raised word over that of the word that it stands behind, at most."""
_MIN_RAISE = 0.15  # font sizes of that word between their baselines
_MIN_LOWERING = 0.1  # the same of a lowered word


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
