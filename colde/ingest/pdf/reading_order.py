"""Steps 2, 3 and 5: from words to lines in reading order, through rows, columns and bands."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from colde.ingest.pdf.page_words import Font, Page, Word

IntArray = npt.NDArray[np.int32]

_SAME_ROW_DISTANCE = 0.3  # words share a row where their baselines differ by less than this, in font sizes
_SMALL_WORD_SHARE = 0.8  # words below this share of the usual size are attached to a row of larger ones
_CLOSING_MARKS = frozenset(").,;:!?]}”’")
_PUNCTUATION_GAP = 0.35  # font sizes between a word and the punctuation behind it
_RUN_GAP = 0.75  # a gap wider than this, in font sizes, ends a run of words
_CELL_GAP = 1.2  # a gap wider than this ends a cell of a table
_MIN_GUTTER_WIDTH = 0.55  # narrowest gutter, in font sizes
_MIN_COLUMN_WIDTH = 9.0  # narrowest column, in font sizes
_MIN_LINES_PER_SIDE = 6  # lines on both sides that a gutter needs


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
    _font: Font | None = None

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return self.words[-1].x1

    def gaps(self) -> list[float]:
        """Gaps between words that are wider than between words of text, in font sizes; none behind a number or mark."""
        found = []
        for i, (a, b) in enumerate(pairwise(self.words)):
            gap = (b.x0 - a.x1) / self.size
            if gap > 1.5 and not (i == 0 and len(a.text) <= 5 and not a.text[:1].islower()):
                found.append(gap)
        return found

    @property
    def font(self) -> Font:
        """The font of most of its characters."""
        if self._font is None:
            self._font = _most_frequent_font(self.words)
        return self._font


@dataclass(slots=True)
class Row:
    """Words on one baseline, left to right, over the whole width of a page."""

    words: list[Word]
    base: float
    size: float = 0.0
    cells: list[list[Word]] = field(default_factory=list)


def _most_frequent_font(words: Sequence[Word]) -> Font:
    counts: Counter[Font] = Counter()
    for word in words:
        counts[word.font] += len(word.text)
    return counts.most_common(1)[0][0]


def line_size(words: Sequence[Word]) -> float:
    """Font size of most characters."""
    counts: Counter[float] = Counter()
    for word in words:
        counts[word.size] += len(word.text)
    return counts.most_common(1)[0][0]


def join_words(words: Sequence[Word]) -> str:
    """The words with single spaces, none before a word that is glued to the one before it."""
    parts: list[str] = []
    for word in words:
        if parts and not word.joined_to_previous:
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)


def rows(page: Page) -> list[Row]:
    """Step 2: words sharing a baseline, top to bottom; super- and subscripts join the row they touch."""
    if not page.words:
        return []
    usual = line_size(page.words)
    largest = max(w.size for w in page.words if w.size >= usual)
    large: list[Word] = []
    small: list[Word] = []
    for word in page.words:
        mark = word.size < _SMALL_WORD_SHARE * largest and len(word.text) <= 2 and not word.text.isalpha()
        (small if word.size < _SMALL_WORD_SHARE * usual or mark else large).append(word)
    found: list[Row] = []
    for word in sorted(large, key=lambda w: w.base):
        row = found[-1] if found else None
        if row is not None and word.base - row.base <= _SAME_ROW_DISTANCE * min(word.size, usual):
            row.words.append(word)
            row.base += (word.base - row.base) / len(row.words)
        else:
            found.append(Row([word], word.base))
    found = _attach_small_words(found, sorted(small, key=lambda w: w.base))
    for row in found:
        row.words.sort(key=lambda w: w.x0)
        row.size = line_size(row.words)
        row.words[0].joined_to_previous = False
        for before, word in pairwise(row.words):
            if word.text[0] in _CLOSING_MARKS and word.x0 - before.x1 < _PUNCTUATION_GAP * word.size:
                word.joined_to_previous = True  # set apart in the file, not on the page
    found.sort(key=lambda r: r.base)
    return found


def _attach_small_words(large: list[Row], small: list[Word]) -> list[Row]:
    """Raised and lowered words stand in the row of the larger word they touch; others in the row on their baseline."""
    bases = [row.base for row in large]
    own: list[Row] = []
    for word in small:
        row = _row_of_raised_word(
            word, large[bisect_left(bases, word.base - 40.0) : bisect_left(bases, word.base + 40.0)]
        )
        if row is None:
            at = bisect_left(bases, word.base)
            near = [
                r
                for r in large[max(0, at - 1) : at + 1]
                if abs(r.base - word.base) <= _SAME_ROW_DISTANCE * word.size
            ]
            row = min(near, key=lambda r: abs(r.base - word.base), default=None)
        if row is None and own and abs(word.base - own[-1].base) <= _SAME_ROW_DISTANCE * word.size:
            row = own[-1]
        if row is None:
            own.append(Row([word], word.base))
        else:
            row.words.append(word)
    return _merge_rows(large + own)


def _row_of_raised_word(word: Word, rows: Sequence[Row]) -> Row | None:
    """The row with the nearest larger word beside which this one is raised or lowered."""
    best, nearest = None, float("inf")
    for row in rows:
        for other in row.words:
            if (
                word.size > _SMALL_WORD_SHARE * other.size
                or not -0.45 <= (other.base - word.base) / other.size <= 0.75
            ):
                continue
            aside = max(word.x0 - other.x1, other.x0 - word.x1, 0.0)
            away = aside + abs(other.base - word.base)
            if aside <= 0.6 * other.size and away < nearest:
                best, nearest = row, away
    return best


def _merge_rows(rows: list[Row]) -> list[Row]:
    """Rows on the same baseline are one."""
    out: list[Row] = []
    for row in sorted(rows, key=lambda r: r.base):
        if out and row.base - out[-1].base <= 0.15 * row.words[0].size:
            out[-1].words.extend(row.words)
        else:
            out.append(row)
    return out


def _runs(row: Row, gap: float = _RUN_GAP) -> list[tuple[float, float]]:
    """Stretches of a row without a gap wider than `gap` font sizes."""
    found: list[tuple[float, float]] = []
    for word in row.words:
        if found and word.x0 - found[-1][1] <= gap * word.size:
            found[-1] = (found[-1][0], max(found[-1][1], word.x1))
        else:
            found.append((word.x0, word.x1))
    return found


@dataclass(slots=True)
class Gutter:
    """White space between two columns, from x0 to x1, on one page."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def gutters(page: Page, rows: Sequence[Row]) -> list[Gutter]:
    """Step 3: vertical white space with lines of text on both sides.

    A gutter need not divide the whole page: a stretch of rows between lines across all columns is enough.
    """
    if len(rows) < 2:
        return []
    size = median(r.size for r in rows)
    runs = [_runs(row) for row in rows]
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
    found: list[Gutter] = []
    for valley in _valleys(longest, size):
        middle = min(wide - 1, int(valley.middle))
        stretch = range(ends[middle] - longest[middle], ends[middle])
        if _divides_text(valley, [r for i in stretch for r in runs[i]], size):
            found.append(valley)
    return _drop_close_gutters(found, longest, size)


def usual_gutters_on_page(page: Page, rows: Sequence[Row], usual: Sequence[Gutter]) -> list[Gutter]:
    """The gutters most pages of the document have, where they are on a page that shows little of them itself."""
    if len(rows) < 2:
        return []
    size = median(r.size for r in rows)
    runs = [r for row in rows for r in _runs(row)]
    cover = np.zeros(int(page.width) + 2, dtype=np.int32)
    for a, b in runs:
        cover[max(0, int(a)) : max(0, int(b) + 1)] += 1
    found = []
    for g in usual:
        low, high = max(0, int(g.middle - 1.5 * size)), int(g.middle + 1.5 * size) + 1
        near = cover[low:high]
        if not near.size:
            continue
        floor = near.min() + 1
        x = low + min(np.flatnonzero(near < floor), key=lambda i: abs(low + int(i) - g.middle))
        a = b = int(x)
        reach = 0.6 * (g.x1 - g.x0) + 1.0
        while a > 0 and x - a < reach and cover[a - 1] <= floor:
            a -= 1
        while b + 1 < cover.size and b - x < reach and cover[b + 1] <= floor:
            b += 1
        wide = _MIN_COLUMN_WIDTH / 2 * size
        left = sum(r[1] <= x and r[1] - r[0] >= wide for r in runs)
        right = sum(0 <= r[0] - x <= 3.0 * size and r[1] - r[0] >= wide for r in runs)
        few = cover[x] <= 0.1 * len(runs) and left >= _MIN_LINES_PER_SIDE
        begun = (r for r in runs if r[0] >= x)  # a last column may hold one word, flush with those before it
        if (left >= 3 and right >= 3) or (
            few and any(r[1] - r[0] >= wide or abs(r[0] - g.x1) <= 0.5 * size for r in begun)
        ):
            found.append(Gutter(float(a), float(b + 1)))
    return found


def _valleys(longest: IntArray, size: float) -> list[Gutter]:
    """Positions where more rows in a row leave white space than right and left of them."""
    found: list[Gutter] = []
    free = longest >= _MIN_LINES_PER_SIDE
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        found.extend(_peaks(longest, int(begin), int(end), size))
    return found


def _peaks(longest: IntArray, begin: int, end: int, size: float) -> list[Gutter]:
    """The widest parts of a valley at the height of its highest points."""
    found: list[Gutter] = []
    part = longest[begin:end]
    while part.size and part.max() >= _MIN_LINES_PER_SIDE:
        a = b = top = int(part.argmax())
        for share in (1.0, 0.9, 0.8):
            level = share * part[top]
            while a > 0 and part[a - 1] >= level:
                a -= 1
            while b + 1 < part.size and part[b + 1] >= level:
                b += 1
            if b + 1 - a >= _MIN_GUTTER_WIDTH * size:
                found.append(Gutter(float(begin + a), float(begin + b + 1)))
                break
        part = part.copy()
        part[a : b + 1] = 0
    return sorted(found, key=lambda g: g.x0)


def _divides_text(g: Gutter, runs: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether lines of text, not cells of a table, stand on both sides of a gutter."""
    wide = _MIN_COLUMN_WIDTH * size
    left = sum(b - a >= wide for a, b in runs if b <= g.middle)
    right = sum(b - a >= wide for a, b in runs if a >= g.middle)
    return left >= _MIN_LINES_PER_SIDE and right >= _MIN_LINES_PER_SIDE


def _drop_close_gutters(found: list[Gutter], longest: IntArray, size: float) -> list[Gutter]:
    """Of gutters too close for a column between them, the longer."""
    kept: list[Gutter] = []
    for g in found:
        if kept and g.x0 - kept[-1].x1 < _MIN_COLUMN_WIDTH * size:
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


def in_reading_order(page: Page, rows: Sequence[Row], found: Sequence[Gutter]) -> list[Line]:
    """Step 5: lines in reading order. Lines across a gutter split the page into bands; columns go within a band."""
    lines: list[Line] = []
    whole = _spanning_table_rows(rows, found)
    for row, uncut in zip(rows, whole, strict=True):
        lines.extend(_split(page.number, row, [] if uncut else found))
        if uncut and found:
            lines[-1].column = -1
    lines = _front(page, lines, len(found))
    out = _in_bands(lines, found)
    for line in out:
        line.text = join_words(line.words)
    _set_column_edges(page, out)
    _set_line_gaps(out)
    return out


def _in_bands(lines: Sequence[Line], found: Sequence[Gutter]) -> list[Line]:
    """Lines across all columns as they come; between them one column after the other."""
    bands: list[list[Line]] = []
    for line in sorted(lines, key=lambda n: (n.base, n.x0)):
        if not bands or (bands[-1][0].column < 0) != (line.column < 0):
            bands.append([])
        bands[-1].append(line)
    out: list[Line] = []
    flow = 0
    for band in bands:
        if _short_lines(band, found):
            for line in band:
                line.column = -1
        for column in range(-1, len(found) + 1):
            own = [n for n in band if n.column == column]
            if not own:
                continue
            if out and (column >= 0 or out[-1].column >= 0):
                flow += 1
            for line in own:
                line.flow = flow
            out.extend(own)
    return out


def _short_lines(band: Sequence[Line], found: Sequence[Gutter]) -> bool:
    """Whether a band holds lines of a single column that end early, not lines of the first of several."""
    if any(n.column != 0 for n in band):
        return False
    return sum(n.x1 > found[0].x0 - 2.0 * n.size for n in band) < max(2, 0.3 * len(band)) if found else False


def _spanning_table_rows(rows: Sequence[Row], gutters: Sequence[Gutter]) -> list[bool]:
    """Which rows belong to a table across a gutter: four or more, close together, of several short cells each."""
    cells = []
    for row in rows:
        across = any(row.words[0].x0 < g.x0 and row.words[-1].x1 > g.x1 for g in gutters)
        runs = _runs(row, _CELL_GAP) if across else []
        cells.append(len(runs) >= 3 and all(b - a < 0.7 * _MIN_COLUMN_WIDTH * row.size for a, b in runs))
    found = [False] * len(rows)
    i = 0
    while i < len(rows):
        j = i
        while j < len(rows) and cells[j] and (j == i or rows[j].base - rows[j - 1].base < 3.0 * rows[j].size):
            j += 1
        if j - i >= 4:
            found[i:j] = [True] * (j - i)
        i = max(j, i + 1)
    return found


def _split(page: int, row: Row, found: Sequence[Gutter]) -> list[Line]:
    """Cut a row at the gutters that no word and no run of words of it crosses."""
    cuts = []
    for g in found:
        before = [w for w in row.words if (w.x0 + w.x1) / 2 < g.middle]
        after = row.words[len(before) :]
        if not before or not after:
            continue
        gap = after[0].x0 - max(w.x1 for w in before)
        if gap >= max(0.6 * (g.x1 - g.x0), 0.5 * row.size):
            cuts.append((len(before), g))
    lines = []
    begin = 0
    for end in [*(n for n, _ in cuts), len(row.words)]:
        words = row.words[begin:end]
        begin = end
        if not words:
            continue
        words[0].joined_to_previous = False
        crossed = [g for g in found if words[0].x0 < g.x0 - 1.0 and words[-1].x1 > g.x1 + 1.0]
        middle = (words[0].x0 + words[-1].x1) / 2
        column = -1 if crossed else sum(g.middle < middle for g in found)
        lines.append(Line(page, words, row.base, line_size(words), column))
    return lines


def _front(page: Page, lines: list[Line], gutters: int) -> list[Line]:
    """On the first page, authors side by side above the text are read across, not column by column."""
    if page.number != 1 or not gutters:
        return lines
    columns = [[n for n in lines if n.column == c] for c in range(gutters + 1)]
    starts = [start for own in columns if (start := _text_begins(own)) is not None]
    if not starts:
        return lines
    top = min(starts)
    out: list[Line] = []
    for line in lines:
        if line.base >= top:
            out.append(line)
        elif out and out[-1].base == line.base:
            out[-1].words.extend(line.words)
            out[-1].column = -1
        else:
            line.column = -1
            out.append(line)
    return out


def _text_begins(own: Sequence[Line]) -> float | None:
    """Where the running text of a column begins, with a heading right above it; None where there is none."""
    if len(own) < 3:
        return None
    width = max(n.x1 for n in own) - min(n.x0 for n in own)
    for i in range(len(own) - 2):
        group = own[i : i + 3]
        steps = [b.base - a.base for a, b in pairwise(group)]
        even = 0.0 < max(steps) <= min(1.4 * min(steps), 2.0 * group[0].size)
        flush = abs(group[1].x0 - group[2].x0) < 1.5  # names and places are centred
        if not even or not flush or any(n.x1 - n.x0 < 0.7 * width for n in group[:2]):
            continue
        while i and _joins(own[i - 1], own[i], steps[0]):
            i -= 1
        left = min(n.x0 for n in group)
        while i and own[i].base - own[i - 1].base <= 3.0 * own[i].size:
            flush = (
                own[i - 1].x0 - left < 2.0 and abs(own[i - 1].size - group[0].size) <= 0.03 * group[0].size
            )
            if not flush and not _short_heading(own[i - 1]):
                break
            i -= 1
        return own[i].base - own[i].size
    return None


def _joins(above: Line, line: Line, step: float) -> bool:
    """Whether a line is text of the same kind right above another."""
    return line.base - above.base <= 1.15 * step and abs(above.size - line.size) <= 0.03 * line.size


def _short_heading(line: Line) -> bool:
    return len(line.words) <= 3 and "@" not in join_words(line.words)


def _set_column_edges(page: Page, lines: list[Line]) -> None:
    """Left and right edge of the text of each column of the page, from the lines that stand in it."""
    columns: dict[int, list[Line]] = {}
    for line in lines:
        columns.setdefault(line.column, []).append(line)
    for own in columns.values():
        left = _column_edge([n.x0 for n in own], low=True)
        right = _column_edge([n.x1 for n in own], low=False)
        for line in own:
            line.left, line.right = left, right


def _column_edge(values: list[float], low: bool) -> float:
    """The outermost position that at least a tenth of the lines share, give or take a point and a half."""
    counts = Counter(round(v / 3) for v in values)
    need = max(2, len(values) // 10)
    for key in sorted(counts, reverse=not low):
        if counts[key] + counts.get(key + (1 if low else -1), 0) >= need:
            near = [v for v in values if abs(v / 3 - key) <= 1.5]
            return min(near) if low else max(near)
    return min(values) if low else max(values)


def _set_line_gaps(lines: list[Line]) -> None:
    above: Line | None = None
    for line in lines:
        if above is not None and above.flow == line.flow:
            line.gap = line.base - above.base
        above = line
