"""Small sums over vectors, in numpy: the same for every model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.document import Chunk, Section, Span
from colde.similarity import Array


def normalised(vectors: Array) -> Array:
    """Each row divided by its length; a row of zeros stays as it is."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12), dtype=np.float32)


def cosines(a: Array, b: Array) -> Array:
    """Cosine of every row of a with every row of b: [rows of a, rows of b], in [−1, 1]."""
    return np.asarray(np.clip(normalised(a) @ normalised(b).T, -1.0, 1.0), dtype=np.float32)


def chunks_by_section(
    sections: Sequence[tuple[int, Section]], chunks: Sequence[Chunk]
) -> list[tuple[Span, list[int]]]:
    """Sections that hold at least one chunk: their span, and the positions of their chunks."""
    held: dict[int, list[int]] = {}
    for i, chunk in enumerate(chunks):
        held.setdefault(chunk.section, []).append(i)
    return [(Span(s.start, s.end), held[i]) for i, s in sections if i in held]
