"""Contributions to a cross-encoder's score, from its scores of some of the sentences that it reads.

A cross-encoder's score is no product of two vectors, and its sentences interact. So the network scores every prefix of
A with every prefix of B, and a pair of sentences gets the second difference of these scores (`colde.explain.shapley`),
which add up exactly. The score is the mean of both orders of the texts: prefixes grow from the beginning in one order
and from the end in the other. Integrated gradients would give parts to single sentences alone and cost more: eight
points with derivatives are more work than 25 prefixes of half the length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from colde.explain.contribution import Float64Array, Int64Array
from colde.explain.shapley import group_neighbours, second_differences
from colde.models.shared.network_input import DocumentTokens

MOST_GROUPS = 5
"""Passages of each text: sentences, or neighbouring ones together. Match-Ignition reads five."""

Positions = NDArray[np.int32]
"""Positions of word pieces, among those a model takes of a document."""
Scores = Callable[[Sequence[tuple[Positions, Positions]], bool], Float64Array]
"""Scores [pairs] of pairs of texts made of some of the word pieces; True: B stands first."""


def pair_cells(a: Int64Array, b: Int64Array, score: Scores) -> tuple[Float64Array, float]:
    """Parts of the score over groups of sentences.

    Args:
        a, b: [word pieces], the group of each, counted from 0: the order in which they stand.
        score: asks the network.

    Returns:
        [groups of a, groups of b], and the reference: the mean score of either text with an empty one.
    """
    count = int(a.max()) + 1, int(b.max()) + 1
    nothing = np.zeros(0, np.int32)
    every = np.arange(len(a), dtype=np.int32), np.arange(len(b), dtype=np.int32)
    total = np.zeros(count)
    alone = []
    for swapped in (False, True):
        orders = [np.arange(n)[:: -1 if swapped else 1] for n in count]
        pairs = [
            (_taken(a, orders[0][: i + 1]), _taken(b, orders[1][: j + 1]))
            for i in range(count[0])
            for j in range(count[1])
        ]
        *values, only_a, only_b = score([*pairs, (every[0], nothing), (nothing, every[1])], swapped)
        empty = (only_a + only_b) / 2
        alone.append(empty)
        total += second_differences(np.reshape(values, count), orders[0], orders[1], empty)
    return total / 2, float(np.mean(alone))


def grouped(tokens: DocumentTokens, positions: Positions) -> Int64Array:
    """Sentences as groups, neighbours together where they are many: [positions], the group of each.

    Args:
        positions: of the word pieces a network reads, rising.
    """
    token_starts = tokens.at(positions)
    new = np.ones(len(positions), dtype=bool)
    new[1:] = (np.diff(token_starts.sentence) != 0) | (np.diff(token_starts.section) != 0)
    sentence = np.cumsum(new) - 1
    return np.asarray(group_neighbours(np.bincount(sentence).tolist(), MOST_GROUPS)[sentence], dtype=np.int64)


def _taken(group: Int64Array, chosen: Int64Array) -> Positions:
    return np.flatnonzero(np.isin(group, chosen)).astype(np.int32)
