"""Documents split into parts (3.1), and random samples of their segments, for training.

The paper's augmentation makes the parts of a document positives of each other, beside those that labels name. The loss
of random halves is `colde.models.colde.contrastive.halves_loss`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, from_numpy
from torch.nn.utils.rnn import pad_sequence

from colde.results.similarity_map import Array

PARTS = 2
"""n_p: the paper splits each document into two parts (3.1)."""

MOST_SAMPLED = 64
"""Segments of a document in a sample; attention costs the product of the segments of two documents."""


def split_parts(tokens: NDArray[Any], parts: int) -> NDArray[np.int64]:
    """Part p of each chunk: n_p runs of chunks with about as many tokens each; fewer runs for fewer chunks.

    Args:
        tokens: [chunks], tokens of each chunk or their share in the document.
    """
    if not len(tokens):
        return np.zeros(0, dtype=np.int64)
    middle = (np.cumsum(tokens) - tokens / 2) / max(float(np.sum(tokens)), 1.0)  # of each chunk, in (0, 1)
    part = np.minimum((middle * parts).astype(np.int64), parts - 1)
    return np.asarray(np.unique(np.maximum.accumulate(part), return_inverse=True)[1], dtype=np.int64)


def sample_segments(
    states: Sequence[Array], mass: Sequence[Array], random: np.random.Generator
) -> tuple[Tensor, Tensor]:
    """At most `MOST_SAMPLED` random segments of each document, padded as by `pad_segments`."""
    chosen = [random.permutation(len(m))[:MOST_SAMPLED] for m in mass]
    return pad_segments(*([v[c] for v, c in zip(values, chosen, strict=True)] for values in (states, mass)))


def pad_segments(states: Sequence[Array], mass: Sequence[Array]) -> tuple[Tensor, Tensor]:
    """Segments of documents as one batch.

    Args:
        states: [segments, width] of each document; mass: [segments] of each document.

    Returns:
        States [documents, most, width] and mass [documents, most], 0 for padding.
    """
    padded_states, padded_mass = (
        pad_sequence([from_numpy(x) for x in rows], batch_first=True) for rows in (states, mass)
    )
    return padded_states, padded_mass
