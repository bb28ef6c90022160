"""The greatest cells of a matrix, each row and each column once: how most models choose the pairs they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from colde.document import Span
from colde.passages import passage
from colde.similarity import Array, Encoding, Evidence


def greatest_cells(values: Array, most: int) -> list[tuple[int, int]]:
    """Rows and columns of at most so many cells above 0, greatest first, each row and each column once.

    Args:
        values: [rows, columns]; of equal cells the first in reading order comes first. NaN and −∞ are left out.
    """
    rows, columns = np.nonzero(values > 0)  # in reading order
    return greatest_of(rows, columns, values[rows, columns], most)


def greatest_of(
    rows: ArrayLike,
    columns: ArrayLike,
    values: ArrayLike,
    most: int,
    allowed: Callable[[int, int], bool] = lambda row, column: True,
) -> list[tuple[int, int]]:
    """The same of a sparse matrix, given by its cells: rows, columns and values, each [cells].

    Args:
        allowed: a cell it refuses is passed over and leaves its row and column free.
    """
    i, j = np.asarray(rows), np.asarray(columns)
    found: list[tuple[int, int]] = []
    free_rows, free_columns = set(i.tolist()), set(j.tolist())
    for k in np.argsort(-np.asarray(values), kind="stable"):
        if len(found) >= most or not free_rows or not free_columns:
            break
        row, column = int(i[k]), int(j[k])
        if row in free_rows and column in free_columns and allowed(row, column):
            free_rows.remove(row)
            free_columns.remove(column)
            found.append((row, column))
    return found


def pair_evidence(
    a: Encoding, b: Encoding, left: Span, right: Span, model: str, weight: float, kind: str
) -> Evidence:
    """A span of each document as evidence."""
    return Evidence(
        model,
        passage(a.document, left.start, left.end),
        passage(b.document, right.start, right.end),
        weight,
        kind,
    )


def cell_evidence(
    a: Encoding,
    b: Encoding,
    values: Array,
    rows: Sequence[Span],
    columns: Sequence[Span],
    *,
    model: str,
    kind: str | Callable[[Span, Span, float], str],
    most: int,
) -> list[Evidence]:
    """The greatest cells of [rows, columns] as evidence, best first; weights are their values, at most 1.

    Args:
        kind: of all, or how it is found for the spans and the value of a cell.
    """
    found = []
    for i, j in greatest_cells(values, most):
        left, right, value = rows[i], columns[j], float(values[i, j])
        name = kind if isinstance(kind, str) else kind(left, right, value)
        found.append(pair_evidence(a, b, left, right, model, min(value, 1.0), name))
    return found
