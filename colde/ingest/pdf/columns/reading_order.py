"""The lines of a page in reading order, through columns and bands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from colde.ingest.pdf.columns.columns import MIN_COLUMN_WIDTH, Gutter
from colde.ingest.pdf.lines.text_lines import Line, join_words, line_size
from colde.ingest.pdf.lines.text_rows import Row, word_runs
from colde.ingest.pdf.words.page import Page

_CELL_GAP = 1.2  # a gap wider than this, in font sizes, ends a cell of a table


def in_reading_order(page: Page, rows: Sequence[Row], gutters: Sequence[Gutter]) -> list[Line]:
    """The lines of a page in reading order: lines across a gutter divide it into bands, and each band has columns."""
    lines: list[Line] = []
    spanning_rows = _spanning_table_rows(rows, gutters)
    for row, uncut in zip(rows, spanning_rows, strict=True):
        lines.extend(_split(page.key, row, [] if uncut else gutters))
        if uncut and gutters:
            lines[-1].column = -1
    lines = _front(page, lines, len(gutters))
    out = _in_bands(lines, gutters)
    _set_column_edges(out)
    for line in out:
        if page.is_bidirectional:
            line.put_in_reading_order(page.is_mirrored)
        line.text = join_words(line.words)
    _set_line_gaps(out)
    return out


def _in_bands(lines: Sequence[Line], gutters: Sequence[Gutter]) -> list[Line]:
    """Lines across all columns as they come; between them one column after the other."""
    out: list[Line] = []
    flow = 0
    for _, lines_of_band in groupby(sorted(lines, key=lambda n: (n.base, n.x0)), lambda n: n.column < 0):
        band = list(lines_of_band)
        if _short_lines(band, gutters):
            for line in band:
                line.column = -1
        for column in range(-1, len(gutters) + 1):
            column_lines = [n for n in band if n.column == column]
            if not column_lines:
                continue
            if out and (column >= 0 or out[-1].column >= 0):
                flow += 1
            for line in column_lines:
                line.flow = flow
            out.extend(column_lines)
    return out


def _short_lines(band: Sequence[Line], gutters: Sequence[Gutter]) -> bool:
    """Whether a band holds lines of a single column that end early, not lines of the first of several."""
    if any(n.column != 0 for n in band):
        return False
    return (
        sum(n.x1 > gutters[0].x0 - 2.0 * n.size for n in band) < max(2, 0.3 * len(band)) if gutters else False
    )


def _spanning_table_rows(rows: Sequence[Row], gutters: Sequence[Gutter]) -> list[bool]:
    """Which rows belong to a table across a gutter: four or more, close together, of several short cells each."""
    cells = []
    for row in rows:
        across = any(row.words[0].x0 < g.x0 and row.words[-1].x1 > g.x1 for g in gutters)
        runs = word_runs(row, _CELL_GAP) if across else []
        cells.append(len(runs) >= 3 and all(b - a < 0.7 * MIN_COLUMN_WIDTH * row.size for a, b in runs))
    spanning = [False] * len(rows)
    i = 0
    while i < len(rows):
        j = i
        while j < len(rows) and cells[j] and (j == i or rows[j].base - rows[j - 1].base < 3.0 * rows[j].size):
            j += 1
        if j - i >= 4:
            spanning[i:j] = [True] * (j - i)
        i = max(j, i + 1)
    return spanning


def _split(page: int, row: Row, gutters: Sequence[Gutter]) -> list[Line]:
    """Cut a row at the gutters that no word and no run of words of it crosses."""
    lines = []
    begin = 0
    for end in [*_cuts(row, gutters), len(row.words)]:
        words = row.words[begin:end]
        begin = end
        if not words:
            continue
        words[0].joined_to_previous = False
        crosses = any(words[0].x0 < g.x0 - 1.0 and words[-1].x1 > g.x1 + 1.0 for g in gutters)
        middle = (words[0].x0 + words[-1].x1) / 2
        column = -1 if crosses else sum(g.middle < middle for g in gutters)
        lines.append(Line(page, words, row.base, line_size(words), column))
    return lines


def _cuts(row: Row, gutters: Sequence[Gutter]) -> Iterator[int]:
    """How many words of a row stand before each gutter that lies in a gap between two of them."""
    for gutter in gutters:
        before = [w for w in row.words if (w.x0 + w.x1) / 2 < gutter.middle]
        after = row.words[len(before) :]
        if before and after:
            gap = after[0].x0 - max(w.x1 for w in before)
            if gap >= max(0.6 * (gutter.x1 - gutter.x0), 0.5 * row.size):
                yield len(before)


def _front(page: Page, lines: list[Line], gutters: int) -> list[Line]:
    """On the first page, authors side by side above the text are read across, not column by column."""
    if page.number != 1 or not gutters:
        return lines
    columns = [[n for n in lines if n.column == c] for c in range(gutters + 1)]
    starts = [start for column_lines in columns if (start := _text_begins(column_lines)) is not None]
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


def _text_begins(column: Sequence[Line]) -> float | None:
    """Where the running text of a column begins, with a heading right above it; None where there is none."""
    if len(column) < 3:
        return None
    width = max(n.x1 for n in column) - min(n.x0 for n in column)
    for i in range(len(column) - 2):
        group = column[i : i + 3]
        if not _is_running(group, width):
            continue
        while i and _joins(column[i - 1], column[i], group[1].base - group[0].base):
            i -= 1
        left = min(n.x0 for n in group)
        while i and column[i].base - column[i - 1].base <= 3.0 * column[i].size:
            above = column[i - 1]
            flush = above.x0 - left < 2.0 and above.similar_size(group[0].size, 0.03)
            is_short = len(above.words) <= 3 and "@" not in join_words(above.words)
            if not flush and not is_short:
                break
            i -= 1
        return column[i].base - column[i].size
    return None


def _is_running(group: Sequence[Line], width: float) -> bool:
    """Whether three lines of a column are running text: wide, flush and evenly spaced. Names and places are centred."""
    steps = [b.base - a.base for a, b in pairwise(group)]
    even = 0.0 < max(steps) <= min(1.4 * min(steps), 2.0 * group[0].size)
    flush = abs(group[1].x0 - group[2].x0) < 1.5
    return even and flush and all(n.width >= 0.7 * width for n in group[:2])


def _joins(above: Line, line: Line, step: float) -> bool:
    """Whether a line is text of the same kind right above another."""
    return line.base - above.base <= 1.15 * step and above.similar_size(line.size, 0.03)


def _set_column_edges(lines: list[Line]) -> None:
    """Left and right edge of the text of each column of the page, from the lines that stand in it."""
    columns: dict[int, list[Line]] = {}
    for line in lines:
        columns.setdefault(line.column, []).append(line)
    for column_lines in columns.values():
        left = _column_edge([n.x0 for n in column_lines], low=True)
        right = _column_edge([n.x1 for n in column_lines], low=False)
        for line in column_lines:
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
