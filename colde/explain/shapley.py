"""Shapley values of pairs of passages, for scores that are not a product of two sums of vectors.

Let v(S, T) be the score of the passages S of A and T of B. In a given order of both texts, the contribution of a
passage i of A after those of S and a passage j of B after those of T is

    v(S + i, T + j) − v(S, T + j) − v(S + i, T) + v(S, T)

In every order the contributions add up to the score less that of empty texts. The mean over all orders is the Shapley
value (Shapley 1953) of pairs in a game of two sides; a few orders give an estimate that still adds up exactly. For a
product of two sums of vectors every order gives the products of their terms, as in `colde.explain.contribution`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.explain.contribution import Float64Array, Int64Array


def second_differences(
    values: Float64Array, rows: Int64Array, columns: Int64Array, empty: float
) -> Float64Array:
    """Contribution of each pair of passages, for one order of each text.

    Args:
        values: [passages a, passages b], the score of the first k + 1 and l + 1 passages in these orders.
        rows, columns: [passages a], [passages b], the orders: positions of the passages.
        empty: the score where a text is empty.

    Returns:
        [passages a, passages b], in reading order; their sum is the score of all passages less `empty`.
    """
    around = np.full((len(rows) + 1, len(columns) + 1), empty, dtype=np.float64)
    around[1:, 1:] = values
    contributions = np.zeros(values.shape)
    contributions[np.ix_(rows, columns)] = np.diff(np.diff(around, axis=0), axis=1)
    return contributions


def balanced_orders(count: int, pairs: int, seed: int) -> list[Int64Array]:
    """Orders of passages, each followed by its reverse: [2 · pairs], beginning with the reading order."""
    random = np.random.default_rng(seed)
    orders: list[Int64Array] = []
    for k in range(pairs):
        order = np.arange(count) if k == 0 else random.permutation(count)
        orders += [order, order[::-1].copy()]
    return orders


def group_neighbours(lengths: Sequence[int], most: int) -> Int64Array:
    """Group neighbouring passages to about the same length: [passages], the group of each.

    Args:
        lengths: [passages], above zero.
        most: upper limit of groups; fewer passages are not grouped.
    """
    if len(lengths) <= most:
        return np.arange(len(lengths))
    ends = np.cumsum(lengths)
    middle = (ends - np.asarray(lengths) / 2) / ends[-1]
    return np.unique((middle * most).astype(np.int64), return_inverse=True)[1].astype(np.int64)
