"""Late interaction: how well each chunk finds its like in the other document (Khattab and Zaharia 2020, ColBERT)."""

from __future__ import annotations

import numpy as np

from colde.encoders.vectors import normalised
from colde.results.maps import Array


def centred(chunks: Array, centre: Array) -> Array:
    """Encoder states [chunks, width] as unit vectors from the centre of the background, of length one again."""
    return normalised(normalised(chunks) - centre)


def late_similarity(a: Array, b: Array) -> float:
    """Mean over chunks of the cosine with the best match on the other side, both ways; in [−1, 1].

    Args:
        a, b: [chunks, width], rows of length one.
    """
    cosines = a @ b.T
    return float(np.clip((cosines.max(0).mean() + cosines.max(1).mean()) / 2, -1.0, 1.0))


def best_matches(a: Array, b: Array) -> Array:
    """What each pair of chunks adds to `late_similarity`: [chunks of a, chunks of b]; the cells add up to it."""
    cosines = a @ b.T
    found = np.zeros(cosines.shape)
    rows, columns = np.arange(len(a)), np.arange(len(b))
    forth, back = cosines.argmax(1), cosines.argmax(0)
    found[rows, forth] += cosines[rows, forth] / (2 * len(a))
    found[back, columns] += cosines[back, columns] / (2 * len(b))
    return np.asarray(found, dtype=np.float32)
