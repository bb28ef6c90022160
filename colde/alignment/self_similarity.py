"""Self-similarity of passages: their similarity to the rest of their document (CSLS, Conneau et al. 2018, section 2.3).

A passage that is similar to much of its document is similar to much of any other document on the topic.
"""

from __future__ import annotations

import numpy as np

from colde.encoders.vector_math import best_mean
from colde.results.similarity_map import Array
from colde.row_blocks import row_blocks

NEIGHBOURS = 10  # nearest passages that count; Conneau et al. 2018, section 2.3
MOST = 2_000  # passages of a document, evenly spaced, among which the nearest are searched
CELLS_PER_BLOCK = 2**21


def self_similarity(vectors: Array, apart: int = 1) -> Array:
    """Mean of each passage's ten greatest cosines with others of its document: [passages].

    Args:
        vectors: [passages, dimension], of length one, in reading order.
        apart: others less than so many places away do not count, since windows share sentences.
    """
    count = len(vectors)
    sample = np.arange(0, count, max(1, -(-count // MOST)))
    similarity = np.zeros(count, dtype=np.float32)
    places, others = np.arange(count), vectors[sample].T
    for rows in row_blocks(count, len(sample), CELLS_PER_BLOCK):
        cosine = vectors[rows] @ others  # [rows, sample]
        cosine[np.abs(places[rows, None] - sample[None]) < apart] = -np.inf
        similarity[rows] = best_mean(cosine, NEIGHBOURS)
    return similarity
