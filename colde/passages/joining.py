"""Joining of seeds: seeds that continue each other in both texts become one block, and one that outweighs its gaps.

A block is extended as far as its sentences outweigh those between them that match nothing, as in the search of
sequence databases (X-drop; Altschul et al. 1990): each sentence adds its log odds, with a limit, and each sentence
without a seed subtracts a constant. Both are weighted by the words of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from colde.results.seeds import Seeds

LONG = 40
"""Words of a sentence above which its weight does not grow."""
USUAL = 20
"""Words of a sentence of weight 1."""


@dataclass(frozen=True, slots=True)
class JoiningLimits:
    """Numbers that join seeds, fitted by studies/passages/fit_passages.py.

    Attributes:
        weakest: log odds of a seed that can extend a block.
        strongest: log odds that one seed of a block reaches.
        gap: sentences of either text between two seeds of a block.
        bonus: what is added to the log odds of each sentence.
        cost: of a sentence without a seed.
        cap: the most that a sentence adds.
        least: the weight of a block.
    """

    weakest: float
    strongest: float
    gap: int
    bonus: float
    cost: float
    cap: float
    least: float


@dataclass(frozen=True)
class Block:
    """Seeds that belong together.

    Attributes:
        weight: what its sentences add, less the cost of its gaps; of both texts the smaller.
        summary: whether one text's side sums up the other's.
        reach: weaker pairs, whose sentences only widen the block.
    """

    seeds: Seeds
    weight: float
    summary: bool = False
    reach: Seeds = field(default_factory=Seeds.none)

    @cached_property
    def rows(self) -> tuple[int, int]:
        """First and last sentence of a."""
        return _ends(self.seeds.rows, self.reach.rows)

    @cached_property
    def columns(self) -> tuple[int, int]:
        """First and last sentence of b."""
        return _ends(self.seeds.columns, self.reach.columns)


def _ends(*places: NDArray[np.int64]) -> tuple[int, int]:
    joined = np.concatenate(places)
    return int(joined.min()), int(joined.max())


def without_held(blocks: Sequence[Block]) -> list[int]:
    """Positions of the blocks that lie in no other one; of two that hold each other, the heavier one.

    Two that are alike in all that does not depend on which text comes first are both kept.
    """
    keys = [(not b.summary, -b.weight, *sorted((b.rows, b.columns))) for b in blocks]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    rank = np.array([ranks[key] for key in keys], dtype=np.int64)
    firsts = np.array([(b.rows[0], b.columns[0]) for b in blocks], dtype=np.int64).reshape(-1, 2)
    lasts = np.array([(b.rows[1], b.columns[1]) for b in blocks], dtype=np.int64).reshape(-1, 2)
    kept = np.zeros(len(blocks), dtype=bool)
    for k in np.argsort(rank, kind="stable").tolist():
        rivals = np.flatnonzero(kept & (rank != rank[k]))
        held = ((firsts[rivals] - 1 <= firsts[k]) & (lasts[k] <= lasts[rivals] + 1)).all(axis=1)
        holding = ((firsts[k] - 1 <= firsts[rivals]) & (lasts[rivals] <= lasts[k] + 1)).all(axis=1)
        kept[k] = not (held | holding).any()
    return np.flatnonzero(kept).tolist()


def ordered_blocks(
    seeds: Seeds, words_a: NDArray[np.float64], words_b: NDArray[np.float64], limits: JoiningLimits
) -> Iterator[Block]:
    """Blocks whose seeds are near in both texts; what a block leaves of its group is tried again.

    Args:
        words_a, words_b: [sentences], words of each sentence.
    """
    left = [seeds.take(seeds.log_odds >= limits.weakest)]
    while left:
        seeds = left.pop()
        for group in near_groups(seeds.rows, seeds.columns, limits.gap, limits.gap):
            near = seeds.take(group)
            block = _heaviest(near, words_a, words_b, limits)
            if block is not None:
                yield block
                rest = near.take(~(between(near.rows, block.rows) | between(near.columns, block.columns)))
                if len(rest):
                    left.append(rest)


def _heaviest(
    seeds: Seeds, words_a: NDArray[np.float64], words_b: NDArray[np.float64], limits: JoiningLimits
) -> Block | None:
    """The stretch of both texts with the largest weight; None where that of one text is not that of the other."""
    while len(seeds):
        *rows, weight_a = best_stretch(seeds.rows, seeds.log_odds, words_a, limits)
        *columns, weight_b = best_stretch(seeds.columns, seeds.log_odds, words_b, limits)
        inside = between(seeds.rows, rows) & between(seeds.columns, columns)
        if inside.all():
            return Block(seeds, min(weight_a, weight_b))
        seeds = seeds.take(inside)
    return None


def between(places: NDArray[np.int64], ends: Sequence[int]) -> NDArray[np.bool_]:
    return np.asarray((places >= ends[0]) & (places <= ends[1]))


def gains(
    log_odds: NDArray[np.float64], words: NDArray[np.float64], limits: JoiningLimits
) -> NDArray[np.float64]:
    """[sentences], what each adds to a block."""
    return np.asarray(np.minimum(log_odds + limits.bonus, limits.cap) * np.minimum(words, LONG) / USUAL)


def best_stretch(
    places: NDArray[np.int64],
    log_odds: NDArray[np.float64],
    words: NDArray[np.float64],
    limits: JoiningLimits,
) -> tuple[int, int, float]:
    """First and last sentence of one text whose sum is largest, and the sum."""
    first = int(places.min())
    sentences = words[first : int(places.max()) + 1]
    values = np.full(len(sentences), -limits.cost)
    np.maximum.at(values, places - first, np.minimum(log_odds + limits.bonus, limits.cap))
    start, stop, weight = largest_sum(values * np.minimum(sentences, LONG) / USUAL)
    return first + start, first + stop, weight


def largest_sum(values: NDArray[np.float64]) -> tuple[int, int, float]:
    """First and last position of the stretch with the largest sum, and the sum (Kadane)."""
    best, best_first, best_last = -np.inf, 0, 0
    sum_here, first = 0.0, 0
    for k, value in enumerate(values.tolist()):
        if sum_here <= 0:
            sum_here, first = 0.0, k
        sum_here += value
        if sum_here > best:
            best, best_first, best_last = sum_here, first, k
    return best_first, best_last, float(best)


def near_groups(
    rows: NDArray[np.int64], columns: NDArray[np.int64], row_gap: int, column_gap: int
) -> list[NDArray[np.int64]]:
    """Positions of the pairs of each group: pairs are in one if they, or a chain of pairs, are near in both texts.

    Args:
        row_gap, column_gap: the largest difference of two positions that are near.
    """
    if not len(rows):
        return []
    from scipy.spatial import cKDTree  # imported on use: it takes 0.1 s

    scale = 2 * column_gap + 1, 2 * row_gap + 1
    places = np.stack([rows * scale[0], columns * scale[1]], axis=1)
    # a whole difference is within a gap where twice as much is below 2 * gap + 1
    links = cKDTree(places).query_pairs(scale[0] * scale[1] / 2, p=np.inf, output_type="ndarray")
    graph = csr_matrix((np.ones(len(links), dtype=bool), (links[:, 0], links[:, 1])), shape=(len(rows),) * 2)
    _, group = connected_components(graph, directed=False)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
