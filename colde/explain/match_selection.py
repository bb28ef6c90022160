"""The greatest cells of a matrix, best first: how every model chooses the pairs of passages it shows.

Either each row and each column is chosen once, or no two pairs overlap in both documents (`overlaps_both`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from colde.results.encoding import Encoding
from colde.results.match import Match, Passage
from colde.results.similarity_map import Array
from colde.row_blocks import RowMatrix
from colde.text.document import Span

Kind = str | Callable[[Span, Span, float], str]
"""How two passages are alike: one word for all pairs, or found from the spans and the value of a cell."""


FIRST = 4_096
"""Cells that are put in order first; most who ask for the greatest stop before there are more."""


def best_cells_in_blocks(matrix: RowMatrix, most: int, above: float = 0.0) -> list[tuple[int, int, float]]:
    """Rows, columns and values of what `best_cells` finds, of a matrix that is never in memory at once.

    When a pair is chosen, fewer than `most` columns are taken: the row's best free cell is among its `most`
    greatest. So these are all that is kept of a block, and the answer is the same.
    """
    empty = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
    kept = [empty]
    for some, block in matrix.blocks():
        rows, columns = np.nonzero(_best_of_each_row(block, most, above))
        kept.append((rows + some.start, columns, block[rows, columns]))
    rows, columns, values = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    places = _best_positions(rows, columns, values, most)
    return [(int(rows[k]), int(columns[k]), float(values[k])) for k in places]


def _best_of_each_row(block: Array, most: int, least: float) -> NDArray[np.bool_]:
    """Whether a cell is above `least` and among the `most` greatest of its row, of equal ones the first."""
    found = np.asarray(block > least)
    if block.shape[1] <= most:
        return found
    crowded = np.flatnonzero(found.sum(1) > most)
    rows = np.where(found[crowded], block[crowded], -np.inf)  # no NaN
    last = np.partition(rows, rows.shape[1] - most, axis=1)[:, rows.shape[1] - most, None]  # that counts
    above, equal = rows > last, rows == last
    room = most - above.sum(1, keepdims=True)
    found[crowded] = above | (equal & (np.cumsum(equal, axis=1, dtype=np.int32) <= room))
    return found


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


def best_cells(values: Array, most: int, above: float = 0.0) -> list[tuple[int, int]]:
    """Rows and columns of at most so many cells above a value, greatest first, each row and each column once.

    Args:
        values: [rows, columns], as `descending` takes them.
    """
    return [(i, j) for i, j, _ in best_cells_in_blocks(RowMatrix.of(values), most, above)]


def best_sparse_cells(
    rows: ArrayLike,
    columns: ArrayLike,
    values: ArrayLike,
    most: int,
) -> list[tuple[int, int]]:
    """`best_cells` of a sparse matrix, given by its cells: rows, columns and values, each [cells]."""
    i, j = np.asarray(rows), np.asarray(columns)
    return [(int(i[k]), int(j[k])) for k in _best_positions(i, j, np.asarray(values), most)]


def _best_positions(
    rows: NDArray[np.integer], columns: NDArray[np.integer], values: NDArray[np.floating], most: int
) -> list[int]:
    """Of cells given by row, column and value, those that `best_sparse_cells` takes, as places in these lists."""
    found: list[int] = []
    free_rows, free_columns = set(np.unique(rows).tolist()), set(np.unique(columns).tolist())
    for k in np.argsort(-values, kind="stable"):
        if len(found) >= most or not free_rows or not free_columns:
            break
        row, column = int(rows[k]), int(columns[k])
        if row in free_rows and column in free_columns:
            free_rows.remove(row)
            free_columns.remove(column)
            found.append(int(k))
    return found


def best_cells_without_overlap(
    values: Array, rows: Sequence[Span], columns: Sequence[Span], most: int, above: float = 0.0
) -> list[tuple[int, int]]:
    """Rows and columns of at most so many cells above a value, greatest first; no two overlap in both documents.

    Args:
        values: [rows, columns], as `descending` takes them.
    """
    found: list[tuple[int, int]] = []
    taken: list[tuple[Span, Span]] = []
    for i, j in descending(values, above):
        if len(found) >= most:
            break
        if not overlaps_both((rows[i], columns[j]), taken):
            taken.append((rows[i], columns[j]))
            found.append((i, j))
    return found


def overlaps_both(pair: tuple[Span, Span], taken: Sequence[tuple[Span, Span]]) -> bool:
    """Whether a pair of passages overlaps one of the others in both documents."""
    return any(pair[0].overlaps(left) and pair[1].overlaps(right) for left, right in taken)


def make_match(
    a: Encoding, b: Encoding, left: Span, right: Span, model: str, weight: float, kind: str
) -> Match:
    """A span of each document as evidence."""
    return Match(model, Passage.at(a.document, left), Passage.at(b.document, right), weight, kind)


def cell_matches(
    a: Encoding,
    b: Encoding,
    values: Array,
    rows: Sequence[Span],
    columns: Sequence[Span],
    *,
    model: str,
    kind: Kind,
    most: int,
    apart: bool = False,
    above: float = 0.0,
    largest: float = 1.0,
) -> list[Match]:
    """The greatest cells of [rows, columns] as evidence, best first; weights are their values.

    Args:
        apart: for spans that overlap their neighbours: a row or column may come again, but no two pairs overlap in
            both documents.
        above: cells of this value or less are left out.
        largest: no weight is greater; 1 takes what rounding adds to a cosine off.
    """
    cells = (
        best_cells_without_overlap(values, rows, columns, most, above)
        if apart
        else best_cells(values, most, above)
    )
    found = []
    for i, j in cells:
        left, right, value = rows[i], columns[j], float(values[i, j])
        name = kind if isinstance(kind, str) else kind(left, right, value)
        found.append(make_match(a, b, left, right, model, min(value, largest), name))
    return found


def block_matches(
    a: Encoding,
    b: Encoding,
    matrix: RowMatrix,
    rows: Sequence[Span],
    columns: Sequence[Span],
    *,
    model: str,
    kind: Callable[[Span, Span, float], str],
    most: int,
) -> list[Match]:
    """`cell_matches` of a matrix that is never in memory at once; weights are at most 1."""
    found = []
    for i, j, value in best_cells_in_blocks(matrix, most):
        left, right = rows[i], columns[j]
        found.append(make_match(a, b, left, right, model, min(value, 1.0), kind(left, right, value)))
    return found
