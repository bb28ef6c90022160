"""Summaries: consecutive sentences of one text that say what sentences all over the other text say.

Whether a candidate is a summary is decided by a logistic regression on five features, fitted by
studies/passages/fit_passages.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from colde.passages.joining import Block, JoiningLimits, best_stretch, between, gains, near_groups
from colde.results.seeds import Seeds

NARROW = 1.5
"""Words of the other text, for each word of the candidate, that an ordered passage takes up at most."""


@dataclass(frozen=True, slots=True)
class SummaryFeatures:
    """What tells a summary from an ordered passage: features of a candidate, or their weights.

    Attributes:
        together: share of the gains in the best stretch of `NARROW` times the candidate's words of the other text.
        log_apart: logarithm of 1 and the gains outside this stretch.
        weight, log_weight: of the candidate, and its logarithm.
        shortening: logarithm of the words of the other text for each word of the candidate.
    """

    together: float
    log_apart: float
    weight: float
    log_weight: float
    shortening: float

    def values(self) -> NDArray[np.float64]:
        """[5], in the order of the attributes."""
        return np.array([getattr(self, f.name) for f in fields(self)], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SummaryLimits:
    """Numbers that find summaries, fitted by studies/passages/fit_passages.py.

    Attributes:
        weakest: log odds of a seed of a summary.
        gap: sentences between two seeds in the text that sums up.
        reach: log odds from which a sentence of the other text whose nearest one is in the summary widens the block.
        intercept, weights: of the logistic regression.
    """

    weakest: float
    gap: int
    reach: float
    intercept: float
    weights: SummaryFeatures


def summary_blocks(
    seeds: Seeds,
    words_a: NDArray[np.float64],
    words_b: NDArray[np.float64],
    limits: SummaryLimits,
    joining: JoiningLimits,
    *,
    of_b: bool = True,
) -> Iterator[Block]:
    """Yield the blocks of which a or b sums up the other text.

    Args:
        words_a, words_b: [sentences], words of each sentence.
        of_b: whether b may sum up a.
    """
    candidates = summary_candidates if of_b else _of_one_side
    for block, features in candidates(seeds, words_a, words_b, limits, joining):
        if limits.intercept + features.values() @ limits.weights.values() > 0:
            yield block


def summary_candidates(
    seeds: Seeds,
    words_a: NDArray[np.float64],
    words_b: NDArray[np.float64],
    limits: SummaryLimits,
    joining: JoiningLimits,
) -> Iterator[tuple[Block, SummaryFeatures]]:
    """Yield what can be a summary, first in a, then in b."""
    yield from _of_one_side(seeds, words_a, words_b, limits, joining)
    for block, features in _of_one_side(seeds.swapped(), words_b, words_a, limits, joining):
        yield replace(block, seeds=block.seeds.swapped(), reach=block.reach.swapped()), features


def _of_one_side(
    seeds: Seeds,
    words_a: NDArray[np.float64],
    words_b: NDArray[np.float64],
    limits: SummaryLimits,
    joining: JoiningLimits,
) -> Iterator[tuple[Block, SummaryFeatures]]:
    best = seeds.take(seeds.log_odds >= limits.weakest).best_by_row()
    nearest = seeds.take(seeds.log_odds >= limits.reach).swapped().best_by_row().swapped()
    for group in near_groups(best.rows, np.zeros_like(best.rows), limits.gap, 0):
        block = best.take(group)
        first, last, weight = best_stretch(block.rows, block.log_odds, words_a, joining)
        block = block.take(between(block.rows, (first, last)))
        if len(block) > 1 and weight > 0:
            candidate = Block(block, weight, True, nearest.take(between(nearest.rows, (first, last))))
            yield candidate, _features(candidate, words_a, words_b, joining)


def _features(
    candidate: Block, words_a: NDArray[np.float64], words_b: NDArray[np.float64], joining: JoiningLimits
) -> SummaryFeatures:
    seeds = candidate.seeds
    order = np.argsort(seeds.columns, kind="stable")
    columns = seeds.columns[order]
    gained = np.maximum(gains(seeds.log_odds, words_a[seeds.rows], joining), 0)[order]
    size = words_a[seeds.rows[0] : seeds.rows[-1] + 1].sum()
    place = np.r_[0.0, np.cumsum(words_b)]  # words before each sentence
    ends = np.searchsorted(place[columns + 1], place[columns] + NARROW * size, side="right")
    sums = np.r_[0.0, np.cumsum(gained)]
    together = (sums[np.maximum(ends, np.arange(len(columns)) + 1)] - sums[:-1]).max()
    return SummaryFeatures(
        together=float(together / sums[-1]),
        log_apart=float(np.log1p(max(0.0, sums[-1] - together))),
        weight=candidate.weight,
        log_weight=float(np.log(candidate.weight)),
        shortening=float(np.log(max(1.0, place[-1]) / max(1.0, size))),
    )
