"""Is there anything to see in an attention map? Attention that is even over all it can look at says nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from colde.results.maps import Level, SimilarityMap

LEAST = 0.07
"""Of the greatest entropy there can be: so much a map must lack. Networks of random numbers lack up to .067 (words of
SMASH RNN's paragraph hierarchy), trained ones .07 to .23 where they learned to look, 0 to .03 where they did not."""


def shape(found: SimilarityMap) -> float:
    """How far attention is from even, mean of its rows: 0 even, 1 all on one place.

    Even is either the same for each place, or in proportion to its length: sentences of many words get more where all
    words get the same. The nearer of both counts.
    """
    values = found.values.astype(np.float64)
    rows, spans = (
        (values, found.columns) if found.form == "matrix" else (values.reshape(1, -1), found.weighted)
    )
    places = rows.shape[1]
    if places < 2:
        return 0.0
    lengths = np.array([max(len(s), 1) for s in spans], dtype=np.float64)
    shares = rows / np.maximum(rows.sum(1, keepdims=True), 1e-30)
    greatest = np.log(places)
    far = [
        _divergence(shares, even) / greatest
        for even in (np.full(places, 1 / places), lengths / lengths.sum())
    ]
    return float(np.min(np.mean(far, axis=1)))


def _divergence(shares: np.ndarray, even: np.ndarray) -> np.ndarray:
    """Kullback and Leibler's, of each row: [rows]."""
    return np.asarray(np.sum(shares * np.log(np.maximum(shares, 1e-30) / even), axis=1))


def with_shape(maps: Mapping[str, SimilarityMap]) -> dict[str, SimilarityMap]:
    """Maps less the attention that is even but for chance."""
    return {name: m for name, m in maps.items() if m.role != "attention" or shape(m) >= LEAST}


def levels_left(
    levels: tuple[str, ...], before: Mapping[str, SimilarityMap], after: Mapping[str, SimilarityMap]
) -> tuple[str, ...]:
    """The levels that a model explains once some of its maps are not shown."""

    def known(maps: Mapping[str, SimilarityMap]) -> set[Level]:
        return {m.level for m in maps.values()}

    gone = known(before) - known(after)
    return tuple(level for level in levels if level not in gone)
