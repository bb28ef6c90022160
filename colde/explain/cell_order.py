"""The cells of a matrix from the greatest to the least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from colde.results.similarity_map import Array

FIRST = 4_096
"""Cells that are sorted first; most callers need no more."""


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


def each_once(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pairs of which neither side is in an earlier one that was chosen."""
    rows: set[int] = set()
    columns: set[int] = set()
    for i, j in pairs:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            yield i, j
