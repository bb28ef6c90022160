"""A fixed example of two short texts with fixed vectors, whose features are stored beside the fitted parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from colde.alignment.sentence_pair_features import CandidatePairs, candidate_pairs, context_features
from colde.alignment.sentence_similarity import sentence_similarities
from colde.encoders.vector_math import centred, normalised

A = (
    "The keeper lights the lamp of the old tower at 6 every evening.",
    "Ships that pass at night steer by its beam.",
    "In the storm of 1908 the boat could not land for nine days.",
    "Bread was baked on the rock itself.",
)
B = (
    "Each evening at 6 the old tower's lamp is lit by its keeper.",
    "For nine days in 1908 no boat was able to land because of the storm.",
    "Today nobody lives there, and a motor turns the lens.",
)
DIMENSION = 6


def example() -> dict[str, Any]:
    """Sentences, vectors and the features of all candidate pairs, as plain values."""
    draw = np.random.default_rng(0)
    one, two = (np.round(normalised(draw.normal(size=(len(side), DIMENSION))), 3) for side in (A, B))
    return {"a": list(A), "b": list(B), "vectors_a": one.tolist(), "vectors_b": two.tolist()} | features(
        A, B, one, two
    )


def estimates(pairs: CandidatePairs) -> np.ndarray:
    """Made-up estimates of the first model, so that the example does not depend on what was fitted: [pairs]."""
    return np.linspace(0.0, 1.0, len(pairs))


def features(a: tuple[str, ...], b: tuple[str, ...], one: np.ndarray, two: np.ndarray) -> dict[str, Any]:
    similarity = sentence_similarities(*centred(one.astype(np.float32), two.astype(np.float32)), a, b)
    pairs = candidate_pairs(similarity, np.asarray(one @ two.T, dtype=np.float32), a, b)
    return {
        "rows": pairs.rows.tolist(),
        "columns": pairs.columns.tolist(),
        "values": [[round(float(x), 4) for x in row] for row in pairs.values],
        "context": [[round(float(x), 4) for x in row] for row in context_features(pairs, estimates(pairs))],
    }
