"""Documents rearranged from kept chunks: runs of chunks shuffled, the end cut off, chunks of others mixed in.

A changed document is a list of chunks. The encoder reads each by itself, so that chunks put together anew are what the
network would see of the changed text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from colde.models.colde.augmentation import split_parts
from colde.training.colde_models.colde_corpus import PooledChunks

Places = list[NDArray[np.int64]]
"""Of each document, positions of its chunks in `joined`."""


def joined(documents: Sequence[PooledChunks]) -> PooledChunks:
    """The chunks of all documents, one after the other."""
    return PooledChunks(
        *(np.concatenate([getattr(d, name) for d in documents]) for name in ("means", "mass", "part"))
    )


def intact(documents: Sequence[PooledChunks]) -> Places:
    """Every document as it is."""
    first = np.cumsum([0, *(len(d.mass) for d in documents)])
    return [np.arange(a, b) for a, b in pairwise(first)]


def shuffled(documents: Sequence[PooledChunks], random: np.random.Generator, runs: int | None) -> Places:
    """So many runs of chunks of each document in a random order (4.4.3); with None each chunk is a run."""
    orders = []
    for places in intact(documents):
        pieces = np.array_split(places, min(runs or len(places), len(places)))
        orders.append(np.concatenate([pieces[i] for i in random.permutation(len(pieces))]))
    return orders


def truncated(documents: Sequence[PooledChunks], share: float) -> Places:
    """The first chunks of each document, so many of a hundred, at least one."""
    return [places[: max(1, round(share * len(places)))] for places in intact(documents)]


def noisy(documents: Sequence[PooledChunks], share: float, random: np.random.Generator) -> Places:
    """Chunks of one other document at random places in each: `share` of its own number, at least one."""
    every = intact(documents)
    mixed = []
    for d, places in enumerate(every):
        other = every[(d + random.integers(1, len(every))) % len(every)]
        count = min(len(other), max(1, round(share * len(places))))
        foreign = random.choice(other, size=count, replace=False)
        at = np.sort(random.integers(0, len(places) + 1, size=count))
        mixed.append(np.insert(places, at, foreign))
    return mixed


def rearranged(documents: Sequence[PooledChunks], places: Sequence[NDArray[np.int64]]) -> list[PooledChunks]:
    """The documents as `places` have them, split into two parts again."""
    every = joined(documents)
    changed = []
    for rows in places:
        mass = every.mass[rows] / every.mass[rows].sum()
        changed.append(PooledChunks(every.means[rows], mass, split_parts(mass.astype(np.float64), 2)))
    return changed
