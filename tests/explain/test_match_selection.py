"""Selection of cells against all cells, and Shapley values against their definition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from colde.explain.match_selection import best_cells, cell_matches
from hypothesis import given
from hypothesis import strategies as st

from colde.explain.shapley import balanced_orders, group_neighbours, second_differences
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.row_blocks import RowMatrix, limit_cells_per_block
from colde.text.document import Document, Section, Span


def by_masking(values: np.ndarray, most: int) -> list[tuple[int, int]]:
    """The greatest cell, its row and column struck out, the greatest of what is left, and so on."""
    left = np.where(np.isnan(values), -np.inf, values).astype(float)
    found: list[tuple[int, int]] = []
    while len(found) < most and left.size and left.max() > 0:
        i, j = (int(k) for k in np.unravel_index(int(left.argmax()), left.shape))
        found.append((i, j))
        left[i], left[:, j] = -np.inf, -np.inf
    return found


def places(values: np.ndarray, most: int) -> list[tuple[int, int]]:
    return [(i, j) for i, j, _ in best_cells(RowMatrix.of(values), most)]


@pytest.mark.parametrize("seed", range(12))
def test_the_greatest_that_is_left_each_time(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=random.integers(0, 9, 2)).round(1).astype(np.float32)  # rounded: with ties
    values[random.uniform(size=values.shape) < 0.1] = np.nan
    values[random.uniform(size=values.shape) < 0.1] = -np.inf
    for most in (1, 3, 99):
        assert places(values, most) == by_masking(values, most)


@pytest.mark.parametrize("most", [1, 3, 30])
def test_in_blocks_as_at_once(most: int) -> None:
    random = np.random.default_rng(most)
    values = random.normal(size=(60, 50)).round(1).astype(np.float32)
    values[random.uniform(size=values.shape) < 0.1] = np.nan
    with limit_cells_per_block(350):
        found = best_cells(RowMatrix.of(values), most)
    assert [(i, j) for i, j, _ in found] == by_masking(values, most)
    assert [v for *_, v in found] == [float(values[i, j]) for i, j, _ in found]


def test_equal_cells_are_chosen_in_reading_order() -> None:
    assert places(np.ones((40, 40), np.float32), 5) == [(i, i) for i in range(5)]


@pytest.mark.parametrize("of", [np.asarray, RowMatrix.of])
def test_cells_as_matches(of: Callable[[np.ndarray], np.ndarray | RowMatrix]) -> None:
    document = Document("One two. Three.", (Section(0, 15, heading="Head"),))
    encoding = Encoding(document, Coverage(3, 3))
    spans = (Span(0, 8), Span(9, 15))
    values = np.array([[1.0000002, 0.3], [0.2, -0.4]], dtype=np.float32)
    found = cell_matches(
        encoding,
        encoding,
        of(values),
        spans,
        spans,
        model="m",
        kind=lambda x, y, v: f"{x.start}{y.start}",
        most=9,
    )
    assert [(e.a.start, e.b.end, e.a.section, e.weight, e.kind) for e in found] == [(0, 8, "Head", 1.0, "00")]


def grid(a: np.ndarray, b: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Products of sums of vectors, passage after passage in these orders."""
    found: np.ndarray = np.cumsum(a[rows], axis=0) @ np.cumsum(b[columns], axis=0).T
    return found


def test_a_product_of_sums_has_its_terms_whatever_the_order() -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(size=(4, 3)), random.normal(size=(5, 3))
    for rows, columns in zip(balanced_orders(4, 3, 1), balanced_orders(5, 3, 2), strict=True):
        found = second_differences(grid(a, b, rows, columns), rows, columns, 0.0)
        np.testing.assert_allclose(found, a @ b.T, atol=1e-12)


def test_by_hand() -> None:
    """One passage of A; of B the second one repeats the first, and adds nothing once it is there."""
    found = second_differences(np.array([[0.7, 0.7]]), np.array([0]), np.array([1, 0]), 0.1)
    np.testing.assert_allclose(found, [[0.0, 0.6]])


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 9))
def test_they_add_up_for_any_score(n: int, m: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, m))
    found = second_differences(values, random.permutation(n), random.permutation(m), 0.3)
    assert found.sum() == pytest.approx(values[-1, -1] - 0.3)


def test_orders_come_with_their_reverses() -> None:
    found = balanced_orders(4, 2, 0)
    assert [o.tolist() for o in found[:2]] == [[0, 1, 2, 3], [3, 2, 1, 0]]
    assert found[2].tolist() == found[3][::-1].tolist() and sorted(found[2].tolist()) == [0, 1, 2, 3]


def test_neighbours_are_put_together_by_length() -> None:
    assert group_neighbours([5, 1], 5).tolist() == [0, 1]
    assert group_neighbours([10, 10, 10, 10], 2).tolist() == [0, 0, 1, 1]
    assert group_neighbours([1, 1, 1, 97], 3).tolist() == [0, 0, 0, 1]
