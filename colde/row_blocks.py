"""Matrices that are computed some rows at a time, so that their size does not decide the memory they take.

Every place that works through a matrix in blocks of rows takes the blocks from here. Two matrices are combined row by
row (`RowMatrix.__add__`), never block by block, so their own block sizes cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS_PER_BLOCK = 2**20
"""Numbers in a block: 8 MB in double precision, and a few times that for intermediate results."""

_MAX_CELLS: ContextVar[int | None] = ContextVar("cells_at_most", default=None)


@contextmanager
def limit_cells_per_block(cells: int) -> Iterator[None]:
    """Limit every block to so many numbers, or one row, until the end of the `with` block.

    Results must not depend on the size of blocks: this is how a check makes small documents fill many of them.
    """
    token = _MAX_CELLS.set(cells)
    try:
        yield
    finally:
        _MAX_CELLS.reset(token)


def row_blocks(rows: int, width: int, cells: int = CELLS_PER_BLOCK) -> Iterator[slice]:
    """Slices that cover all rows in order, each of at most so many cells, or of one row.

    Args:
        width: numbers that one row takes.
    """
    limit = _MAX_CELLS.get()
    size = max(1, (cells if limit is None else min(cells, limit)) // max(width, 1))
    return (slice(at, min(at + size, rows)) for at in range(0, rows, size))


@dataclass(frozen=True, slots=True)
class RowMatrix:
    """A matrix that is a function of its rows.

    Attributes:
        shape: rows and columns.
        rows: computes the rows of a slice: [rows in it, columns].
        width: numbers in memory for each row while it is computed; at least the columns.
    """

    shape: tuple[int, int]
    rows: Callable[[slice], NDArray[np.floating[Any]]]
    width: int

    @classmethod
    def of(cls, values: NDArray[np.floating[Any]]) -> RowMatrix:
        """A matrix that is in memory already."""
        return cls((values.shape[0], values.shape[1]), values.__getitem__, values.shape[1])

    def __add__(self, other: RowMatrix) -> RowMatrix:
        """The sum of two matrices of one shape."""
        if self.shape != other.shape:
            raise ValueError(f"matrices of {self.shape} and {other.shape} cells cannot be added")
        return RowMatrix(
            self.shape,
            lambda row_slice: self.rows(row_slice) + other.rows(row_slice),
            self.width + other.width,
        )

    def times(self, factor: float) -> RowMatrix:
        """The matrix with every cell multiplied."""
        return RowMatrix(self.shape, lambda row_slice: factor * self.rows(row_slice), self.width)

    def blocks(self) -> Iterator[tuple[slice, NDArray[np.floating[Any]]]]:
        """Which rows, and their cells: [rows in the block, columns]; all rows in order."""
        for row_slice in row_blocks(self.shape[0], self.width):
            yield row_slice, self.rows(row_slice)

    def filled(self, dtype: type[np.floating[Any]]) -> NDArray[Any]:
        """All cells in memory: [rows, columns]."""
        values = np.empty(self.shape, dtype=dtype)
        for row_slice, block in self.blocks():
            values[row_slice] = block
        return values
