"""Functions of vectors in numpy that several models use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.results.similarity_map import Array
from colde.text.document import Chunk, Section, Span

F = TypeVar("F", bound=np.floating)


def normalised(vectors: Array) -> Array:
    """Rows divided by their length; a row of zeros stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12), dtype=np.float32)


def cosines(a: Array, b: Array) -> Array:
    """Cosine of every row of a with every row of b: [rows of a, rows of b], in [−1, 1]."""
    return np.asarray(np.clip(normalised(a) @ normalised(b).T, -1.0, 1.0), dtype=np.float32)


def centred(a: Array, b: Array) -> tuple[Array, Array]:
    """Unit vectors less the mean of the two documents' means, unit again."""
    if not len(a) or not len(b):
        return a, b
    a, b = normalised(a), normalised(b)
    centre = (a.mean(0) + b.mean(0)) / 2
    return normalised(a - centre), normalised(b - centre)


def group_sums(values: NDArray[F], of: NDArray[np.integer], count: int) -> NDArray[F]:
    """Sums of the rows of each group, in the precision of `values`: [count, …].

    Args:
        values: [rows, …].
        of: [rows], the group of each.
    """
    members = sparse.csr_matrix(
        (np.ones(len(of), dtype=values.dtype), (of, np.arange(len(of)))), shape=(count, len(of))
    )
    flat = values.reshape(len(values), math.prod(values.shape[1:]))
    return np.asarray(members @ flat).reshape(count, *values.shape[1:])


def window_means(vectors: Array, size: int) -> Array:
    """Mean of each row and its neighbours, `size` (odd) rows together, fewer at the ends: [rows, dimension]."""
    reach = size // 2
    at = np.arange(len(vectors))
    first, end = np.maximum(at - reach, 0), np.minimum(at + reach + 1, len(vectors))
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    sums[1:] = np.cumsum(vectors, axis=0, dtype=np.float64)
    return np.asarray((sums[end] - sums[first]) / (end - first)[:, None], dtype=np.float32)


def best_mean(values: Array, count: int) -> Array:
    """Mean of the `count` greatest finite values of each row, or of all if there are fewer; 0 for none: [rows]."""
    count = min(count, values.shape[1])
    best = np.partition(values, values.shape[1] - count, axis=1)[:, values.shape[1] - count :]
    finite = np.isfinite(best)
    total = np.where(finite, best, 0.0).sum(1)
    return np.asarray(total / np.maximum(finite.sum(1), 1), dtype=np.float32)


def chunks_by_section(
    sections: Sequence[tuple[int, Section]], chunks: Sequence[Chunk]
) -> list[tuple[Span, list[int]]]:
    """Sections with at least one chunk: their span, and the positions of their chunks."""
    positions: dict[int, list[int]] = {}
    for i, chunk in enumerate(chunks):
        positions.setdefault(chunk.section, []).append(i)
    return [(Span(s.start, s.end), positions[i]) for i, s in sections if i in positions]
