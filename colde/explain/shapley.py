"""A score that is no product, over pairs of passages: what two passages add together, as texts are built up.

Let v(S, T) be the score of the passages S of A and T of B. Built up in any order, a passage i of A after those of S and
a passage j of B after those of T add

    v(S + i, T + j) − v(S, T + j) − v(S + i, T) + v(S, T)

to it: what the two bring together, over what either brings to the rest. Summed over all pairs this is the score less
that of nothing, whatever the order. The mean over all orders of both texts is the Shapley value (Shapley 1953) of pairs
in a game of two sides; a few orders are an estimate of it that still adds up exactly. For a product of two sums of
vectors every order gives the same: the products of their terms, as in `colde.explain.contribution`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.explain.contribution import Float64Array, Int64Array


def second_differences(
    values: Float64Array, rows: Int64Array, columns: Int64Array, empty: float
) -> Float64Array:
    """What each pair of passages adds, for one order of each text.

    Args:
        values: [passages a, passages b], the score of the first k + 1 and l + 1 passages in these orders.
        rows, columns: [passages a], [passages b], the orders: positions of the passages.
        empty: the score where a text holds nothing.

    Returns:
        [passages a, passages b], in reading order; their sum is the score of all passages less `empty`.
    """
    around = np.full((len(rows) + 1, len(columns) + 1), empty, dtype=np.float64)
    around[1:, 1:] = values
    found = np.zeros(values.shape)
    found[np.ix_(rows, columns)] = np.diff(np.diff(around, axis=0), axis=1)
    return found


def balanced_orders(count: int, pairs: int, seed: int) -> list[Int64Array]:
    """Orders of so many passages, each followed by its reverse: [2 · pairs], the first of them reading order."""
    random = np.random.default_rng(seed)
    found: list[Int64Array] = []
    for k in range(pairs):
        order = np.arange(count) if k == 0 else random.permutation(count)
        found += [order, order[::-1].copy()]
    return found


def group_neighbours(lengths: Sequence[int], most: int) -> Int64Array:
    """Put passages that follow each other into groups of about the same length: [passages], the group of each.

    Args:
        lengths: [passages], above zero.
        most: groups at most; passages that are fewer stay by themselves.
    """
    if len(lengths) <= most:
        return np.arange(len(lengths))
    ends = np.cumsum(lengths)
    middle = (ends - np.asarray(lengths) / 2) / ends[-1]
    return np.unique((middle * most).astype(np.int64), return_inverse=True)[1].astype(np.int64)
