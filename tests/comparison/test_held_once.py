"""Maps that two models have in common, to the bit, are in memory once; others stay apart."""

from __future__ import annotations

import numpy as np

from colde.comparison.pipeline import share_equal_arrays
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span


def a_map(values: np.ndarray) -> SimilarityMap:
    spans = tuple(Span(i, i + 1) for i in range(3))
    return SimilarityMap(values, spans, spans, "cosine", "Anything.", role="topic", level="chunk")


def test_equal_maps_share_their_values() -> None:
    values = np.arange(9, dtype=np.float32).reshape(3, 3)
    values[1, 1] = np.nan
    read = Coverage(1, 1)
    known = {"one": PairResult(0.5, read, read, {"chunk": a_map(values)})}
    nearly = values.copy()
    nearly[0, 0] = 1e-7
    found = share_equal_arrays({"same": a_map(values.copy()), "other": a_map(nearly)}, known)
    assert found["same"].values is known["one"].maps["chunk"].values
    assert found["other"].values is not values
    np.testing.assert_array_equal(found["other"].values, nearly)
