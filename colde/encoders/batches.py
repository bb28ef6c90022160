"""Texts in batches of like length, so that a batch needs little padding or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

TOKENS_PER_BATCH = 4096
"""Default size of a batch: 8 chunks of 512 tokens, or 128 sentences of 32."""


def by_length(lengths: Sequence[int] | NDArray[np.int64], tokens: int) -> Iterator[NDArray[np.int64]]:
    """Positions of texts, shortest first, for batches without padding of about `tokens` tokens."""
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(sizes, kind="stable")
    batch = (np.cumsum(sizes[order]) - 1) // tokens
    yield from (run for run in np.split(order, np.flatnonzero(np.diff(batch)) + 1) if len(run))


def padded_batches(lengths: Sequence[int], tokens: int = TOKENS_PER_BATCH) -> Iterator[NDArray[np.int64]]:
    """Positions of texts, longest first; a batch has at most `tokens` tokens with its padding, or one text."""
    order = np.argsort([-n for n in lengths], kind="stable")
    at = 0
    while at < len(order):
        size = max(1, tokens // max(1, lengths[order[at]]))
        yield order[at : at + size]
        at += size
