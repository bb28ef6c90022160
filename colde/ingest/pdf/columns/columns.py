"""Columns of a page: the white space between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from colde.ingest.pdf.lines.text_rows import Row, word_runs
from colde.ingest.pdf.words.page import Page, Word

IntArray = npt.NDArray[np.int32]

MIN_COLUMN_WIDTH = 9.0
"""Narrowest column, in font sizes."""

_MIN_GUTTER_WIDTH = 0.55  # narrowest gutter, in font sizes
_MIN_LINES_PER_SIDE = 6  # lines on both sides that a gutter needs
_FEWEST_ROWS = (
    3  # beside a gutter between sentences that go on from line to line on both sides, as of two languages
)
_FEWEST_CONTINUED = 2  # lines on each side that go on in the next
_MIN_SHORT_GUTTER_WIDTH = 1.2  # narrowest such gutter, in font sizes; gaps between words are smaller
_CELL_GAP = 1.5  # font sizes between the cells of a table
_MAX_LINE_GAP = 2.0  # font sizes between the lines of a paragraph
_MIN_FLUSH_SHARE = 0.7  # of the lines behind such a gutter that begin at one position


@dataclass(slots=True)
class Gutter:
    """White space between two columns, from x0 to x1, on one page."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def gutters(page: Page, rows: Sequence[Row]) -> list[Gutter]:
    """Vertical white space with lines of text on both sides.

    A gutter need not divide the whole page: a stretch of rows between lines across all columns is enough.
    """
    if len(rows) < 2:
        return []
    size = median(r.size for r in rows)
    runs = [word_runs(row) for row in rows]
    wide = int(page.width) + 2
    open_now = np.zeros(wide, dtype=np.int32)  # rows since one last crossed this position
    longest = np.zeros(wide, dtype=np.int32)
    ends = np.zeros(wide, dtype=np.int32)  # the row behind the longest stretch
    for i, row in enumerate(runs):
        open_now += 1
        for a, b in row:
            open_now[max(0, int(a)) : max(0, int(b) + 1)] = 0
        better = open_now > longest
        longest[better] = open_now[better]
        ends[better] = i + 1
    page_gutters: list[Gutter] = []
    for valley in _valleys(longest, size):
        middle = min(wide - 1, int(valley.middle))
        stretch = range(ends[middle] - longest[middle], ends[middle])
        few = longest[middle] < _MIN_LINES_PER_SIDE
        if (not few and _divides_text(valley, [r for i in stretch for r in runs[i]], size)) or (
            _divides_sentences(valley, [rows[i] for i in stretch], size)
        ):
            page_gutters.append(valley)
    return _drop_close_gutters(page_gutters, longest, size)


def usual_gutters_on_page(page: Page, rows: Sequence[Row], usual: Sequence[Gutter]) -> list[Gutter]:
    """The gutters most pages of the document have, where they are on a page that shows little of them itself."""
    if len(rows) < 2:
        return []
    size = median(r.size for r in rows)
    runs = [r for row in rows for r in word_runs(row)]
    cover = np.zeros(int(page.width) + 2, dtype=np.int32)
    for a, b in runs:
        cover[max(0, int(a)) : max(0, int(b) + 1)] += 1
    on_page = []
    for gutter in usual:
        valley = _valley_near(gutter, cover, size)
        if valley is None:
            continue
        middle, white = valley
        few_crossings = cover[middle] <= 0.1 * len(runs)
        if _has_text_beside(gutter, middle, runs, size, few_crossings):
            on_page.append(white)
    return on_page


def _valley_near(gutter: Gutter, cover: IntArray, size: float) -> tuple[int, Gutter] | None:
    """The position near the middle of a gutter that the fewest rows cross, and the white space around it."""
    low, high = max(0, int(gutter.middle - 1.5 * size)), int(gutter.middle + 1.5 * size) + 1
    near = cover[low:high]
    if not near.size:
        return None
    floor = near.min() + 1
    x = low + int(min(np.flatnonzero(near < floor), key=lambda i: abs(low + int(i) - gutter.middle)))
    a = b = x
    reach = 0.6 * (gutter.x1 - gutter.x0) + 1.0
    while a > 0 and x - a < reach and cover[a - 1] <= floor:
        a -= 1
    while b + 1 < cover.size and b - x < reach and cover[b + 1] <= floor:
        b += 1
    return x, Gutter(float(a), float(b + 1))


def _has_text_beside(
    gutter: Gutter, x: int, runs: Sequence[tuple[float, float]], size: float, few_crossings: bool
) -> bool:
    """Whether text stands on both sides of a position, or on the left of one that hardly any row crosses."""
    wide = MIN_COLUMN_WIDTH / 2 * size
    left = sum(b <= x and b - a >= wide for a, b in runs)
    right = sum(0 <= a - x <= 3.0 * size and b - a >= wide for a, b in runs)
    if left >= 3 and right >= 3:
        return True
    if not few_crossings or left < _MIN_LINES_PER_SIDE:
        return False
    # A last column may hold one word, flush with those before it.
    return any(a >= x and (b - a >= wide or abs(a - gutter.x1) <= 0.5 * size) for a, b in runs)


def _valleys(longest: IntArray, size: float) -> list[Gutter]:
    """Positions where more rows in a row leave white space than right and left of them."""
    valleys: list[Gutter] = []
    free = longest >= _FEWEST_ROWS
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        valleys.extend(_peaks(longest, int(begin), int(end), size))
    return valleys


def _peaks(longest: IntArray, begin: int, end: int, size: float) -> list[Gutter]:
    """The widest parts of a valley at the height of its highest points."""
    peaks: list[Gutter] = []
    part = longest[begin:end]
    while part.size and part.max() >= _FEWEST_ROWS:
        a = b = top = int(part.argmax())
        for share in (1.0, 0.9, 0.8):
            level = share * part[top]
            while a > 0 and part[a - 1] >= level:
                a -= 1
            while b + 1 < part.size and part[b + 1] >= level:
                b += 1
            if b + 1 - a >= _MIN_GUTTER_WIDTH * size:
                peaks.append(Gutter(float(begin + a), float(begin + b + 1)))
                break
        part = part.copy()
        part[a : b + 1] = 0
    return sorted(peaks, key=lambda g: g.x0)


def _divides_text(g: Gutter, runs: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether lines of text, not cells of a table, stand on both sides of a gutter."""
    wide = MIN_COLUMN_WIDTH * size
    left = sum(b - a >= wide for a, b in runs if b <= g.middle)
    right = sum(b - a >= wide for a, b in runs if a >= g.middle)
    return left >= _MIN_LINES_PER_SIDE and right >= _MIN_LINES_PER_SIDE


def _divides_sentences(g: Gutter, rows: Sequence[Row], size: float) -> bool:
    """Whether sentences go on from line to line on both sides of a wide gutter, as in two languages side by side."""
    if g.x1 - g.x0 < _MIN_SHORT_GUTTER_WIDTH * size:
        return False
    middle = g.middle
    right = [words for row in rows if (words := [w for w in row.words if w.x0 >= middle])]
    flush = sum(abs(words[0].x0 - g.x1) <= 0.5 * size for words in right)
    if flush < _MIN_FLUSH_SHARE * len(right):
        return False
    left = [words for row in rows if (words := [w for w in row.words if w.x1 <= middle])]
    return all(_goes_on(side, size) for side in (right, left))


def _goes_on(lines: Sequence[Sequence[Word]], size: float) -> bool:
    """Whether several lines go on in the next: at least one with a small letter, others may with a noun or a name."""
    edge = max((line[-1].x1 for line in lines), default=0.0)
    continued = [below for line, below in pairwise(lines) if _is_continued(line, below, size, edge)]
    return len(continued) >= _FEWEST_CONTINUED and any(not line[0].text[0].isupper() for line in continued)


def _is_continued(line: Sequence[Word], below: Sequence[Word], size: float, edge: float) -> bool:
    """Whether a line is wide, ends no sentence, and goes on close below: with a small letter, or where it was full."""
    first = below[0]
    return (
        line[-1].x1 - line[0].x0 >= MIN_COLUMN_WIDTH * size
        and first.base - line[0].base <= _MAX_LINE_GAP * size
        and line[-1].text[-1] not in ".!?:;。"
        and first.text[0].isalpha()
        and (not first.text[0].isupper() or edge - line[-1].x1 < first.x1 - first.x0)
        and not any(b.x0 - a.x1 > _CELL_GAP * size for a, b in pairwise(line))
    )


def _drop_close_gutters(candidates: list[Gutter], longest: IntArray, size: float) -> list[Gutter]:
    """Of gutters too close for a column between them, the longer."""
    kept: list[Gutter] = []
    for g in candidates:
        if kept and g.x0 - kept[-1].x1 < MIN_COLUMN_WIDTH * size:
            if longest[int(g.middle)] > longest[int(kept[-1].middle)]:
                kept[-1] = g
            continue
        kept.append(g)
    return kept


def usual_gutters(pages: Sequence[Sequence[Gutter]]) -> list[Gutter]:
    """The gutters of the layout that most pages with text in columns have; none where such pages are few."""
    by_count = Counter(len(g) for g in pages if g)
    if not by_count:
        return []
    number = by_count.most_common(1)[0][0]
    groups = [g for g in pages if len(g) == number]
    if len(groups) * 4 < len(pages):
        return []
    return [Gutter(median(g[i].x0 for g in groups), median(g[i].x1 for g in groups)) for i in range(number)]
