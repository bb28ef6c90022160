"""Features of candidate pairs of sentences, from which `sentence_pairs` tells what kind of match each is.

A candidate is a sentence of one text with one of its nearest sentences of the other text. All features are the same
when the two texts are swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.explain.shared_runs import word_pattern
from colde.results.maps import Array

NEAREST = 2
"""Nearest sentences that are candidates for each sentence, by likeness and by meaning."""
SHORTEST = 4
"""Words of a sentence that is compared; a shorter one is like many others."""

FEWEST_PAIRS = 100
"""Pairs of sentences that two texts count as, at least: the shortest development texts have about as many."""

MOST_NEIGHBOURS = 0.3
"""Likeness of neighbours that counts: a copied sentence does not make the next one a paraphrase."""

FEATURES = (
    "likeness",  # of the sentence map
    "meaning",  # cosine of the two sentence vectors as they come from the encoder
    "lower margin",  # likeness less the next one in the row or column, whichever is less
    "upper margin",  # whichever is more
    "usual",  # median likeness of the two to all sentences of the other text
    "usual meaning",  # the same of meaning
    "size",  # log of the number of all pairs of sentences: among more there are more that are alike by chance
    "neighbours",  # likeness of the best pair next to it, before or after both, at most `MOST_NEIGHBOURS`
    "length",  # log of the words of the shorter one
    "numbers",  # share of the numbers that stand in both, 0.5 where there are none
)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of sentences and what is known of them.

    Attributes:
        rows, columns: [pairs], positions among the sentences of a and of b.
        common: [pairs], words that stand in both in the same order.
        order: [pairs], the same as a share of the words of both, 0 to 1.
        values: [pairs, features], in the order of `FEATURES`.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    common: NDArray[np.int64]
    order: NDArray[np.float64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


def candidates(likeness: Array, meaning: Array, a: Sequence[str], b: Sequence[str]) -> Candidates:
    """The candidate pairs of two texts.

    Args:
        likeness: [sentences a, sentences b], the sentence map.
        meaning: [sentences a, sentences b], cosines of the sentence vectors.
        a, b: the sentences.
    """
    words = [[word_pattern().findall(text.lower()) for text in side] for side in (a, b)]
    long = [np.array([len(w) >= SHORTEST for w in side], dtype=bool) for side in words]
    rows, columns = _nearest(likeness, meaning, *long)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    common = np.array([same_order(words[0][i], words[1][j]) for i, j in pairs], dtype=np.int64)
    if not pairs:
        return Candidates(rows, columns, common, np.zeros(0), np.zeros((0, len(FEATURES))))
    margins = _margins(likeness, rows, columns)
    counts = np.array([(len(words[0][i]), len(words[1][j])) for i, j in pairs], dtype=np.float64)
    features = [
        likeness[rows, columns],
        meaning[rows, columns],
        margins.min(0),
        margins.max(0),
        _usual(likeness, rows, columns),
        _usual(meaning, rows, columns),
        np.full(len(pairs), np.log(max(likeness.size, FEWEST_PAIRS))),
        _neighbours(likeness, rows, columns),
        np.log(counts.min(1)),
        np.array([_same_numbers(a[i], b[j]) for i, j in pairs]),
    ]
    values = np.stack(features, axis=1).astype(np.float64)
    return Candidates(rows, columns, common, 2 * common / counts.sum(1), values)


def same_order(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest common subsequence, counted in the bits of one integer (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for k, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << k
    bits = everything = (1 << len(a)) - 1
    for word in b:
        matched = bits & places.get(word, 0)
        bits = (bits + matched | bits - matched) & everything
    return len(a) - bits.bit_count()


def _nearest(
    likeness: Array, meaning: Array, long_a: NDArray[np.bool_], long_b: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each long sentence with its nearest ones: rows and columns, in reading order."""
    chosen = np.zeros(likeness.shape, dtype=bool)
    for values in (likeness, meaning):
        for axis in (0, 1):
            most = min(NEAREST, values.shape[axis])
            best = np.argpartition(-values, most - 1, axis=axis).take(range(most), axis=axis)
            np.put_along_axis(chosen, best, True, axis=axis)
    chosen &= long_a[:, None] & long_b[None]
    rows, columns = np.nonzero(chosen)
    return rows.astype(np.int64), columns.astype(np.int64)


def _margins(values: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """How far each cell lies above the best other cell of its row and of its column: [2, pairs]."""
    found = []
    for matrix, at, here in ((values, rows, columns), (values.T, columns, rows)):
        if matrix.shape[1] < 2:
            found.append(matrix[at, here])
            continue
        two = -np.partition(-matrix, 1, axis=1)[:, :2]
        value = matrix[at, here]
        found.append(value - np.where(value >= two[at, 0], two[at, 1], two[at, 0]))
    return np.asarray(found, dtype=np.float32)


def _usual(values: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Mean of the medians of the row and of the column of each cell: [pairs]."""
    medians = np.median(values, axis=1)[rows] + np.median(values, axis=0)[columns]
    return np.asarray(medians / 2, dtype=np.float32)


def _neighbours(likeness: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Likeness of the best pair of a sentence next to one and a sentence next to the other: [pairs], 0 to 0.3."""
    padded = np.pad(likeness, 1, constant_values=0.0)
    around = np.stack([padded[rows + x, columns + y] for x in (0, 2) for y in (0, 2)])
    return np.asarray(np.clip(around.max(0), 0, MOST_NEIGHBOURS), dtype=np.float32)


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def _same_numbers(a: str, b: str) -> float:
    left, right = ({n.strip(".,") for n in _NUMBER.findall(text)} for text in (a, b))
    return len(left & right) / len(left | right) if left | right else 0.5
