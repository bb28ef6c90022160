"""Shapley values against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.explain.shapley import balanced_orders, group_neighbours, second_differences


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
