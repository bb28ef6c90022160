"""Clusters of documents by average linkage, cut at the model's threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from colde.results.similarity_map import Array

MAX_ORDERED = 600
"""Documents whose leaves are ordered optimally, which takes cubic time."""


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Groups of documents in the order of the tree, and the tree in the form of scipy."""

    groups: tuple[tuple[int, ...], ...]
    merges: Array


def clusters(scores: Array, threshold: float | None) -> Clusters:
    """Groups whose mean score reaches the threshold.

    Args:
        scores: [documents, documents], symmetric, at most 1.
        threshold: without one each document is a group.
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage  # imported on use: they take 0.3 s
    from scipy.spatial.distance import squareform

    count = len(scores)
    if count < 2:
        return Clusters(tuple((i,) for i in range(count)), np.zeros((0, 4), np.float32))
    distance = np.clip(1.0 - (scores + scores.T).astype(np.float64) / 2, 0.0, None)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=count <= MAX_ORDERED)
    cut = -1.0 if threshold is None else 1.0 - threshold
    label = fcluster(tree, cut, "distance")
    groups: dict[int, list[int]] = {}
    for leaf in leaves_list(tree):
        groups.setdefault(int(label[leaf]), []).append(int(leaf))
    return Clusters(tuple(map(tuple, groups.values())), tree.astype(np.float32))


def groups_of(count: int, pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Numbers that pairs connect, directly or through others; unconnected ones are left out."""
    if not pairs:
        return ()
    rows, columns = zip(*pairs, strict=True)
    graph = coo_matrix((np.ones(len(pairs)), (rows, columns)), shape=(count, count))
    label = connected_components(graph, directed=False)[1]
    groups = (tuple(np.flatnonzero(label == k).tolist()) for k in np.unique(label))
    return tuple(group for group in groups if len(group) > 1)
