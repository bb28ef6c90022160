"""Five similarities of the words of two texts (Liu et al. 2019): what SimNet and the Concept Interaction Graph read.

TF-IDF cosine, TF cosine, BM25 cosine, Jaccard and Ochiai coefficients of the sets of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from colde.models.lexical.bm25 import K1, B
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Statistics

SIMILARITIES = ("tfidf", "tf", "bm25", "jaccard", "ochiai")

Bag = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Columns of different words, rising, and how often each stands in a text."""


def bag_of(columns: Iterable[int]) -> Bag:
    word_counts = sorted(Counter(columns).items())
    return np.array([c for c, _ in word_counts], np.int64), np.array([n for _, n in word_counts], np.float64)


def similarities(a: Bag, b: Bag, statistics: Statistics) -> Array:
    """[5], each in [0, 1]; 0 where a text has no words."""
    left, right = (_weights(x, statistics) for x in (a, b))
    shared, at_a, at_b = np.intersect1d(a[0], b[0], assume_unique=True, return_indices=True)
    values = [_cosine(x, y, at_a, at_b) for x, y in zip(left, right, strict=True)]
    size_a, size_b, both = len(a[0]), len(b[0]), len(shared)
    values.append(both / max(size_a + size_b - both, 1))
    values.append(both / max((size_a * size_b) ** 0.5, 1.0))
    return np.array(values, dtype=np.float32)


def _weights(bag: Bag, statistics: Statistics) -> tuple[NDArray[np.float64], ...]:
    """TF-IDF, TF and BM25 weights of a text's words."""
    columns, count = bag
    idf = statistics.idf[columns].astype(np.float64)
    held = K1 * (1 - B + B * count.sum() / statistics.mean_length)
    return (1 + np.log(count)) * idf, count, idf * count * (K1 + 1) / (count + held)


def _cosine(
    x: NDArray[np.float64], y: NDArray[np.float64], at_x: NDArray[np.int64], at_y: NDArray[np.int64]
) -> float:
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x[at_x] @ y[at_y]) / length if length else 0.0
