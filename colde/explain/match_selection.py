"""Greedy selection of the greatest cells of a matrix, with which every model chooses its matches.

Either each row and each column is chosen once, or no two pairs overlap in both documents (`overlaps_both`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from colde.explain.match_types import MatchType
from colde.results.encoding import Encoding
from colde.results.match import Match, Passage
from colde.results.similarity_map import Array
from colde.row_blocks import RowMatrix
from colde.text.document import Document, Span

FIRST = 4_096
"""Cells that are sorted first; most callers need no more."""


def best_cells(matrix: RowMatrix, most: int, above: float = 0.0) -> list[tuple[int, int, float]]:
    """Rows, columns and values of at most so many cells above a value, greatest first, each row and column once.

    Of equal cells the first in reading order comes first. When a pair is chosen, fewer than `most` columns are taken:
    the row's best free cell is among its `most` greatest. So only these are kept of each block of rows.
    """
    kept = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))]
    for part, block in matrix.blocks():
        rows, columns = np.nonzero(_best_of_each_row(block, most, above))
        kept.append((rows + part.start, columns, block[rows, columns]))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    places = _best_positions(rows, columns, values, most)
    return [(int(rows[k]), int(columns[k]), float(values[k])) for k in places]


def _best_of_each_row(block: Array, most: int, least: float) -> NDArray[np.bool_]:
    """Whether a cell is above `least` and among the `most` greatest of its row, of equal ones the first."""
    chosen = np.asarray(block > least)
    if block.shape[1] <= most:
        return chosen
    crowded = np.flatnonzero(chosen.sum(1) > most)
    rows = np.where(chosen[crowded], block[crowded], -np.inf)  # no NaN
    limit = np.partition(rows, rows.shape[1] - most, axis=1)[:, rows.shape[1] - most, None]
    above, equal = rows > limit, rows == limit
    room = most - above.sum(1, keepdims=True)
    chosen[crowded] = above | (equal & (np.cumsum(equal, axis=1, dtype=np.int32) <= room))
    return chosen


def descending(values: Array, above: float = 0.0) -> Iterator[tuple[int, int]]:
    """Rows and columns of all cells above a value, greatest first.

    Args:
        values: [rows, columns]; of equal cells the first in reading order comes first. NaN and −∞ are left out.
    """
    flat = values.ravel()
    known = np.where(flat > above, flat, -np.inf)  # no NaN
    left, at_once = int(np.count_nonzero(flat > above)), FIRST
    below = np.inf
    while left:
        at_once = min(at_once, left)
        open_to = known if below == np.inf else np.where(known < below, known, -np.inf)
        least = np.partition(open_to, len(flat) - at_once)[len(flat) - at_once]
        cells = np.flatnonzero(open_to >= least)  # in reading order
        for k in cells[np.argsort(-flat[cells], kind="stable")]:
            row, column = divmod(int(k), values.shape[1])
            yield row, column
        left, below, at_once = left - len(cells), float(least), 8 * at_once


def _best_positions(
    rows: NDArray[np.integer], columns: NDArray[np.integer], values: NDArray[np.floating], most: int
) -> list[int]:
    """Indices of the greatest cells given by row, column and value, each row and each column once."""
    chosen: list[int] = []
    free_rows, free_columns = set(np.unique(rows).tolist()), set(np.unique(columns).tolist())
    for k in np.argsort(-values, kind="stable"):
        if len(chosen) >= most or not free_rows or not free_columns:
            break
        row, column = int(rows[k]), int(columns[k])
        if row in free_rows and column in free_columns:
            free_rows.remove(row)
            free_columns.remove(column)
            chosen.append(int(k))
    return chosen


def each_once(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs of which neither side is in an earlier one that was chosen."""
    rows: set[int] = set()
    columns: set[int] = set()
    for i, j in pairs:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            yield i, j


def best_cells_without_overlap(
    values: Array, rows: Sequence[Span], columns: Sequence[Span], most: int, above: float = 0.0
) -> list[tuple[int, int, float]]:
    """The greatest cells above a value: rows, columns and values, best first; no two overlap in both documents.

    Args:
        values: [rows, columns], as `descending` takes them.
    """
    cells: list[tuple[int, int, float]] = []
    taken: list[tuple[Span, Span]] = []
    for i, j in descending(values, above):
        if len(cells) >= most:
            break
        if not overlaps_both((rows[i], columns[j]), taken):
            taken.append((rows[i], columns[j]))
            cells.append((i, j, float(values[i, j])))
    return cells


def overlaps_both(pair: tuple[Span, Span], taken: Sequence[tuple[Span, Span]]) -> bool:
    """Whether a pair of passages overlaps one of the others in both documents."""
    return any(pair[0].overlaps(left) and pair[1].overlaps(right) for left, right in taken)


def joined_matches(matches: Sequence[Match], a: Document, b: Document) -> list[Match]:
    """Matches with those of one type that follow each other in both documents joined, in the order of the strongest."""
    joined: list[Match] = []
    for match in matches:
        while (place := _neighbour(match, joined, a, b)) is not None:
            other = joined.pop(place)
            left, right = (
                Span(min(x.start, y.start), max(x.end, y.end))
                for x, y in ((match.a, other.a), (match.b, other.b))
            )
            stronger = max(match, other, key=lambda m: m.weight)
            match = replace(stronger, a=Passage.at(a, left), b=Passage.at(b, right))
        joined.append(match)
    return sorted(joined, key=lambda m: -m.weight)


def _neighbour(match: Match, among: Sequence[Match], a: Document, b: Document) -> int | None:
    """The place of a match of the same type that ends where this one begins in both documents, or the reverse."""
    if match.kind == "weak":
        return None
    for place, other in enumerate(among):
        if other.kind == match.kind and (
            (_follows(a, match.a, other.a) and _follows(b, match.b, other.b))
            or (_follows(a, other.a, match.a) and _follows(b, other.b, match.b))
        ):
            return place
    return None


def _follows(document: Document, first: Span, second: Span) -> bool:
    """Whether nothing but spaces is between two passages of a section, in this order; they may overlap."""
    return (
        first.start < second.start
        and first.end < second.end
        and not document.text[first.end : second.start].strip()
        and document.section_at(first.start) == document.section_at(second.start)
    )


def make_match(
    a: Encoding, b: Encoding, left: Span, right: Span, model: str, weight: float, kind: str
) -> Match:
    """A match of a span of each document."""
    return Match(model, Passage.at(a.document, left), Passage.at(b.document, right), weight, kind)


def cell_matches(
    a: Encoding,
    b: Encoding,
    values: Array | RowMatrix,
    rows: Sequence[Span],
    columns: Sequence[Span],
    *,
    model: str,
    kind: str | MatchType,
    most: int,
    apart: bool = False,
    above: float = 0.0,
    largest: float = 1.0,
) -> list[Match]:
    """The greatest cells of [rows, columns] as matches, best first; weights are their values.

    Args:
        values: an array, or a matrix that is never in memory at once.
        kind: one match type for all, or how it follows from spans and value.
        apart: for spans that overlap their neighbours: a row or column may come again, but no two pairs overlap in
            both documents. Needs an array.
        above: cells of this value or less are left out.
        largest: no weight is greater; 1 removes what rounding adds to a cosine.
    """
    if apart:
        assert not isinstance(values, RowMatrix)
        cells = best_cells_without_overlap(values, rows, columns, most, above)
    else:
        matrix = values if isinstance(values, RowMatrix) else RowMatrix.of(values)
        cells = best_cells(matrix, most, above)
    matches = []
    for i, j, value in cells:
        left, right = rows[i], columns[j]
        name = kind if isinstance(kind, str) else kind(left, right, value)
        matches.append(make_match(a, b, left, right, model, min(value, largest), name))
    return matches
