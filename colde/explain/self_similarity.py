"""How near each passage of a document is to others of the same document: what it says everywhere, it says to all.

A passage that is like much of its own document is like much of any other on the subject. Two passages count as far as
they are nearer to each other than that (CSLS: Conneau et al. 2018, section 2.3).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from colde.encoders.vector_math import best_mean
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks

NEIGHBOURS = 10  # nearest passages that count; Conneau et al. 2018, section 2.3
MOST = 2_000  # passages of a document, evenly spaced, among which the nearest are looked for
CELLS_PER_BLOCK = 2**21


def self_similarity(vectors: Array, apart: int = 1) -> Array:
    """Mean of each passage's ten greatest cosines with others of its document: [passages].

    Args:
        vectors: [passages, dimension], of length one, in reading order.
        apart: others less than so many places away do not count, itself never; windows share sentences.
    """
    some = _spread(len(vectors))
    found = np.zeros(len(vectors), dtype=np.float32)
    places, others = np.arange(len(found)), vectors[some].T
    for rows in row_blocks(len(found), len(some), CELLS_PER_BLOCK):
        cosine = vectors[rows] @ others  # [rows, some]
        cosine[np.abs(places[rows, None] - some[None]) < apart] = -np.inf
        found[rows] = best_mean(cosine, NEIGHBOURS)
    return found


def _spread(count: int) -> NDArray[np.int64]:
    return np.arange(0, count, max(1, -(-count // MOST)))
