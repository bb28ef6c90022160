"""Filters of maps: even attention is not shown, and maps that vary no more than chance are marked as flat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from colde.results.similarity_map import Level, SimilarityMap
from colde.row_blocks import row_blocks

CELLS_PER_BLOCK = 2**18
"""Cells of a map whose logarithms are taken together: 2 MB each time."""
MIN_UNEVENNESS = 0.07
"""Least unevenness of attention that is shown. Networks with random weights reach up to 0.067 (words of SMASH RNN's
paragraph hierarchy), trained ones 0.07 to 0.23 where they learned to attend, and 0 to 0.03 where they did not."""


def unevenness(attention: SimilarityMap) -> float:
    """Divergence of attention from even, mean of its rows: 0 is even, 1 all on one place.

    Even means either the same for each place, or in proportion to its length, as where all words get the same. The
    smaller divergence counts.
    """
    if attention.form == "matrix":
        rows, spans = attention.values, attention.columns
    else:
        rows, spans = attention.values.reshape(1, -1), attention.weighted
    places = rows.shape[1]
    if places < 2:
        return 0.0
    lengths = np.array([max(len(s), 1) for s in spans], dtype=np.float64)
    greatest = np.log(places)
    far = np.zeros((2, len(rows)))
    for part in row_blocks(len(rows), places, CELLS_PER_BLOCK):
        exact = rows[part].astype(np.float64)
        shares = exact / np.maximum(exact.sum(1, keepdims=True), 1e-30)
        for k, even in enumerate((np.full(places, 1 / places), lengths / lengths.sum())):
            far[k, part] = _divergence(shares, even) / greatest
    return float(np.min(np.mean(far, axis=1)))


def _divergence(shares: np.ndarray, even: np.ndarray) -> np.ndarray:
    """Kullback-Leibler divergence of each row: [rows]."""
    return np.asarray(np.sum(shares * np.log(np.maximum(shares, 1e-30) / even), axis=1))


def drop_even_attention(maps: Mapping[str, SimilarityMap]) -> dict[str, SimilarityMap]:
    """Maps without attention that is no less even than chance makes it."""
    return {name: m for name, m in maps.items() if m.role != "attention" or unevenness(m) >= MIN_UNEVENNESS}


FLAT_MEANING = " Drawn in one colour: its values vary no more than those of the same network untrained."


def shown_maps(maps: Mapping[str, SimilarityMap], noise: Mapping[Level, float]) -> dict[str, SimilarityMap]:
    """The maps that are shown, with a mark where they vary no more than chance.

    Args:
        noise: as in `mark_flat_maps`.
    """
    return mark_flat_maps(drop_even_attention(maps), noise)


def mark_flat_maps(
    maps: Mapping[str, SimilarityMap], noise: Mapping[Level, float]
) -> dict[str, SimilarityMap]:
    """Maps; those of topic similarity are marked flat where they vary less than with random weights.

    Args:
        noise: by level, the standard deviation of the values with random weights.
    """
    return {name: _flat(m) if _varies_less(m, noise) else m for name, m in maps.items()}


def _varies_less(m: SimilarityMap, noise: Mapping[Level, float]) -> bool:
    known = m.values[~np.isnan(m.values)]
    return (
        m.role == "topic" and m.side == "across" and known.size > 1 and known.std() < noise.get(m.level, 0.0)
    )


def _flat(m: SimilarityMap) -> SimilarityMap:
    return replace(m, flat=True, meaning=m.meaning + FLAT_MEANING)


def shown_levels(
    levels: tuple[str, ...], before: Mapping[str, SimilarityMap], after: Mapping[str, SimilarityMap]
) -> tuple[str, ...]:
    """The levels that a model explains once some of its maps are not shown."""

    def known(maps: Mapping[str, SimilarityMap]) -> set[Level]:
        return {m.level for m in maps.values()}

    gone = known(before) - known(after)
    return tuple(level for level in levels if level not in gone)
