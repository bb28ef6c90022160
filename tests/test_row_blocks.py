"""Matrices computed some rows at a time: any size, any block, the same cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.row_blocks import RowMatrix, limit_cells_per_block, row_blocks


@given(rows=st.integers(0, 50), width=st.integers(0, 50), cells=st.integers(1, 3_000))
def test_blocks_cover_every_row_once(rows: int, width: int, cells: int) -> None:
    blocks = list(row_blocks(rows, width, cells))
    assert [i for some in blocks for i in range(some.start, some.stop)] == list(range(rows))
    assert all((some.stop - some.start) * width <= cells or some.stop - some.start == 1 for some in blocks)


@given(
    rows=st.integers(0, 30),
    columns=st.integers(0, 30),
    widths=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    cells=st.integers(1, 500),
)
def test_a_sum_of_matrices_of_other_block_sizes(
    rows: int, columns: int, widths: tuple[int, int], cells: int
) -> None:
    """Each matrix alone would be cut into other blocks; together they are computed for the same rows."""
    a, b = (np.random.default_rng(seed).normal(size=(rows, columns)) for seed in (0, 1))
    one, other = (RowMatrix(x.shape, x.__getitem__, k * columns) for x, k in zip((a, b), widths, strict=True))
    with limit_cells_per_block(cells):
        found = (one.times(0.5) + other).filled(np.float64)
    np.testing.assert_array_equal(found, 0.5 * a + b)


def test_a_sum_of_other_shapes_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be added"):
        RowMatrix.of(np.zeros((2, 3))) + RowMatrix.of(np.zeros((1, 3)))


def test_the_limit_ends_with_its_block() -> None:
    with limit_cells_per_block(1):
        assert len(list(row_blocks(5, 1))) == 5
    assert len(list(row_blocks(5, 1))) == 1
