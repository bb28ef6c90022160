"""The order of cells against sorting all of them, and selection of each row and column once."""

from __future__ import annotations

import numpy as np
import pytest

from colde.explain import cell_order
from colde.explain.cell_order import descending, each_once


@pytest.mark.parametrize("seed", range(8))
def test_the_greatest_cells_come_first_and_ties_in_reading_order(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_order, "FIRST", 3)
    random = np.random.default_rng(seed)
    values = random.normal(size=random.integers(0, 9, 2)).round(1).astype(np.float32)  # rounded: with ties
    values[random.uniform(size=values.shape) < 0.1] = np.nan
    values[random.uniform(size=values.shape) < 0.1] = -np.inf
    known = [(-float(v), i, j) for (i, j), v in np.ndenumerate(values) if v > 0]
    assert list(descending(values)) == [(i, j) for _, i, j in sorted(known)]


def test_each_row_and_column_once() -> None:
    pairs = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 0)]
    assert list(each_once(pairs)) == [(0, 1), (1, 2), (2, 0)]
