"""Runs of words of a fixed length that several texts have, found by their hashes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
"""Hashes of words, or of runs of words."""


def runs_of(documents: Iterable[Hashes], size: int, fewest: int) -> Hashes:
    """Runs of `size` words that stand in at least `fewest` of the documents: their hashes, sorted.

    Args:
        documents: hashes of the words of each.
    """
    by_document = [np.unique(_run_hashes(words, size)) for words in documents]
    runs, counts = np.unique(np.concatenate([np.zeros(0, np.uint64), *by_document]), return_counts=True)
    return runs[counts >= fewest]


def in_runs(words: Hashes, runs: Hashes, size: int) -> NDArray[np.bool_]:
    """Which words are in one of these runs of `size` words: [words]."""
    first = np.flatnonzero(np.isin(_run_hashes(words, size), runs))
    edges = np.zeros(len(words) + 1, dtype=np.int64)
    edges[first] += 1
    edges[first + size] -= 1
    return np.asarray(np.cumsum(edges[:-1]) > 0)


def _run_hashes(words: Hashes, size: int) -> Hashes:
    count = max(0, len(words) - size + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for i in range(size):
        hashes = hashes * np.uint64(1_000_003) + words[i : i + count]
    return hashes
