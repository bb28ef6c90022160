"""Features of candidate pairs of sentences, from which `paraphrase_classifier` decides the kind of match.

A candidate is a sentence of one text together with one of its most similar sentences in the other text. All features
are the same when the two texts are swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import words_as_compared
from colde.results.similarity_map import Array

NEAREST = 2
"""Candidates for each sentence: its most similar sentences by the sentence map, and as many by cosine."""
SHORTEST = 4
"""Words of a sentence that is compared; shorter ones are similar to many others."""
FEWEST_PAIRS = 100
"""Lower limit of the feature `pairs`: the shortest development texts have about 100 pairs of sentences."""
MOST_NEIGHBOURS = 0.3
"""Upper limit of the feature `neighbours`, so that a copied sentence does not make the next one a paraphrase."""

FEATURES = (
    "similarity",  # value of the sentence map
    "cosine",  # of the two sentence vectors
    "smaller margin",  # similarity minus the best other value of the row or column: the smaller of the two differences
    "larger margin",  # the larger of the two differences
    "median similarity",  # of both sentences to all sentences of the other text
    "median cosine",  # the same for cosines
    "pairs",  # log of the number of all pairs of sentences: more pairs give more similar ones by chance
    "neighbours",  # similarity of the best pair of the sentences before or after the two
    "words",  # log of the words of the shorter sentence
    "numbers",  # share of the numbers of both sentences that are equal; 0.5 where there are none
)
REACH = 3
"""Sentences before and after the two of a pair, among which `near` looks for another match."""
CONTEXT = (
    "near",  # highest probability of a pair of other sentences within `REACH` in both texts
    "share",  # mean probability of the best pairs of all other sentences of one text; the larger of both texts' means
)
"""Features that the first estimate of all candidates gives."""


@dataclass(frozen=True, slots=True)
class CandidatePairs:
    """Pairs of sentences with their features.

    Attributes:
        rows, columns: [pairs], positions among the sentences of a and of b.
        common: [pairs], words that both sentences have in the same order.
        order: [pairs], `common` as a share of the words of both sentences, 0 to 1.
        values: [pairs, features], in the order of `FEATURES`.
        sentences: number of sentences of a and of b.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    common: NDArray[np.int64]
    order: NDArray[np.float64]
    values: NDArray[np.float64]
    sentences: tuple[int, int]

    def __len__(self) -> int:
        return len(self.rows)


def candidate_pairs(similarity: Array, cosine: Array, a: Sequence[str], b: Sequence[str]) -> CandidatePairs:
    """The candidate pairs of two texts.

    Args:
        similarity: [sentences a, sentences b], the sentence map.
        cosine: [sentences a, sentences b], of the sentence vectors.
        a, b: the sentences.
    """
    words = [[words_as_compared(text) for text in side] for side in (a, b)]
    long = [np.array([len(w) >= SHORTEST for w in side], dtype=bool) for side in words]
    rows, columns = _nearest(similarity, cosine, *long)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    common = np.array([common_subsequence_length(words[0][i], words[1][j]) for i, j in pairs], dtype=np.int64)
    sentences = (len(a), len(b))
    if not pairs:
        return CandidatePairs(rows, columns, common, np.zeros(0), np.zeros((0, len(FEATURES))), sentences)
    margins = _margins(similarity, rows, columns)
    numbers = [[_numbers(text) for text in side] for side in (a, b)]
    counts = np.array([(len(words[0][i]), len(words[1][j])) for i, j in pairs], dtype=np.float64)
    features = [
        similarity[rows, columns],
        cosine[rows, columns],
        margins.min(0),
        margins.max(0),
        _medians(similarity, rows, columns),
        _medians(cosine, rows, columns),
        np.full(len(pairs), np.log(max(similarity.size, FEWEST_PAIRS))),
        _neighbours(similarity, rows, columns),
        np.log(counts.min(1)),
        np.array([_same_numbers(numbers[0][i], numbers[1][j]) for i, j in pairs]),
    ]
    values = np.stack(features, axis=1).astype(np.float64)
    return CandidatePairs(rows, columns, common, 2 * common / counts.sum(1), values, sentences)


def context_features(pairs: CandidatePairs, probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the other candidates say about each pair: [pairs, context features], in the order of `CONTEXT`.

    Args:
        probability: [pairs], that each is a paraphrase or an edit, from its values alone.
    """
    grid = np.zeros(pairs.sentences, dtype=np.float32)
    np.maximum.at(grid, (pairs.rows, pairs.columns), probability)
    padded = np.pad(grid, REACH)
    steps = [d for d in range(2 * REACH + 1) if d != REACH]  # the sentences of the pair are left out
    near = [padded[pairs.rows + x, pairs.columns + y] for x in steps for y in steps]
    shares = []
    for axis, places in ((1, pairs.rows), (0, pairs.columns)):
        best = grid.max(axis) if grid.size else np.zeros(grid.shape[1 - axis])
        shares.append((best.sum() - best[places]) / max(len(best) - 1, 1))
    return np.stack([np.max(near, axis=0), np.max(shares, axis=0)], axis=1).astype(np.float64)


def common_subsequence_length(a: Sequence[str], b: Sequence[str]) -> int:
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
    similarity: Array, cosine: Array, long_a: NDArray[np.bool_], long_b: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the candidates, in reading order."""
    chosen = np.zeros(similarity.shape, dtype=bool)
    for values in (similarity, cosine):
        for axis in (0, 1):
            most = min(NEAREST, values.shape[axis])
            best = np.argpartition(-values, most - 1, axis=axis).take(range(most), axis=axis)
            np.put_along_axis(chosen, best, True, axis=axis)
    chosen &= long_a[:, None] & long_b[None]
    rows, columns = np.nonzero(chosen)
    return rows.astype(np.int64), columns.astype(np.int64)


def _margins(values: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Each cell minus the best other cell of its row, and of its column: [2, pairs]."""
    margins = []
    for matrix, at, here in ((values, rows, columns), (values.T, columns, rows)):
        if matrix.shape[1] < 2:
            margins.append(matrix[at, here])
            continue
        two = -np.partition(-matrix, 1, axis=1)[:, :2]
        value = matrix[at, here]
        margins.append(value - np.where(value >= two[at, 0], two[at, 1], two[at, 0]))
    return np.asarray(margins, dtype=np.float32)


def _medians(values: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Mean of the medians of the row and of the column of each cell: [pairs]."""
    medians = np.median(values, axis=1)[rows] + np.median(values, axis=0)[columns]
    return np.asarray(medians / 2, dtype=np.float32)


def _neighbours(similarity: Array, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """Similarity of the best pair of a sentence next to one and a sentence next to the other: [pairs], 0 to 0.3."""
    padded = np.pad(similarity, 1, constant_values=0.0)
    around = np.stack([padded[rows + x, columns + y] for x in (0, 2) for y in (0, 2)])
    return np.asarray(np.clip(around.max(0), 0, MOST_NEIGHBOURS), dtype=np.float32)


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def _numbers(text: str) -> set[str]:
    return {number.strip(".,") for number in _NUMBER.findall(text)}


def _same_numbers(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.5
