"""Intervals and tests: paired bootstrap and permutation test of two models on the same pairs, Holm's adjustment.

Both models are scored on the same pairs, so each draw is the same for both. Pairs of one source are not independent;
the bootstrap and the permutation test therefore draw whole sources.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from colde.evaluation.metrics import calibration_error_by_labelling

DRAWS = 1_000  # of the bootstrap, as in every results table
PERMUTATIONS = 9_999


@dataclass(frozen=True, slots=True)
class PairedScores:
    """Pairs under two models.

    Attributes:
        labels: [pairs], 1 similar, 0 not.
        first, second: [pairs], scores of the two models, each on its own scale.
        sources: [pairs], what each pair is grouped by.
    """

    labels: ArrayLike
    first: ArrayLike
    second: ArrayLike
    sources: Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class Difference:
    """First model less second.

    Attributes:
        value: the difference on all pairs.
        low, high: 95 % percentile interval; NaN without one.
        p: two-sided; how often a difference as great comes about when there is none.
    """

    value: float
    low: float
    high: float
    p: float


def paired_bootstrap_auc(pairs: PairedScores, *, draws: int = DRAWS, seed: int = 0) -> Difference:
    """Difference of ROC AUC, with its interval over `draws` samples of the sources.

    In each draw the sources are drawn with replacement and bring all their pairs, the same for both models. A draw
    that has one class only is left out. p is twice the share of draws on the other side of zero, the whole sample
    counted as a draw.

    Raises:
        ValueError: the pairs are not of both classes.
    """
    labels = np.asarray(pairs.labels, dtype=int)
    if not 0 < labels.sum() < labels.size:
        raise ValueError("AUC needs pairs of both classes")
    group = np.unique(np.array([str(s) for s in pairs.sources]), return_inverse=True)[1]
    first, second = (_Ranking(labels, np.asarray(x, dtype=float)) for x in (pairs.first, pairs.second))

    def difference(weights: NDArray[np.int64]) -> float:
        return first.auc(weights) - second.auc(weights)

    random = np.random.default_rng(seed)
    value = difference(np.ones(len(labels), dtype=np.int64))
    drawn = np.array([difference(_times(group, random)[group]) for _ in range(draws)])
    known = drawn[~np.isnan(drawn)]
    if not known.size:
        return Difference(value, float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(known, [0.025, 0.975])
    other_side = min((known <= 0).sum(), (known >= 0).sum())
    p = min(1.0, 2 * float(other_side + 1) / (known.size + 1))
    return Difference(value, float(low), float(high), p)


def _times(group_of: NDArray[np.intp], random: np.random.Generator) -> NDArray[np.int64]:
    """Draw as many groups as there are, with replacement; how often each was drawn: [groups]."""
    count = int(group_of.max()) + 1
    return np.bincount(random.integers(count, size=count), minlength=count)


class _Ranking:
    """Pairs sorted once by score, so that the AUC of a draw costs two sums."""

    def __init__(self, labels: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
        self._order = np.argsort(scores, kind="stable")
        self._similar = labels[self._order] == 1
        self._starts = np.unique(scores[self._order], return_index=True)[1]  # of each run of equal scores

    def auc(self, times: NDArray[np.int64]) -> float:
        """Share of (similar, not similar) that are in order, ties by half; `times` [pairs] counts each pair."""
        t = times[self._order]
        similar = np.add.reduceat(np.where(self._similar, t, 0), self._starts)
        others = np.add.reduceat(np.where(self._similar, 0, t), self._starts)
        both = int(similar.sum()) * int(others.sum())
        below = np.cumsum(others) - others
        return float((similar * (below + others / 2)).sum() / both) if both else float("nan")


def permutation_test(
    first: ArrayLike,
    second: ArrayLike,
    sources: Sequence[Hashable] | None = None,
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Difference:
    """Paired permutation test of the difference of two accuracies (SMASH RNN, tables 2, 3 and 7).

    If the models were alike, it would not matter which of them gave which answers: the answers to a source are
    swapped or not, in every way where there are few, else in `permutations` random ways.

    Args:
        first, second: [pairs], whether each model was right.
        sources: [pairs], what is swapped together; without them each pair by itself.
    """
    from scipy.stats import permutation_test as scipy_permutation_test

    gain = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    value = float(gain.mean())
    if sources is not None:
        _, group = np.unique(np.array([str(s) for s in sources]), return_inverse=True)
        gain = np.bincount(group, weights=gain)
    gain = gain[gain != 0]  # swapping equal answers changes nothing
    if gain.size < 2:
        return Difference(value, float("nan"), float("nan"), 1.0)
    tested = scipy_permutation_test(
        (gain,),
        lambda x, axis: np.sum(x, axis=axis),
        permutation_type="samples",  # of one sample: signs
        vectorized=True,
        n_resamples=permutations,
        batch=256,
        rng=np.random.default_rng(seed),
    )
    return Difference(value, float("nan"), float("nan"), float(tested.pvalue))


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p values of several comparisons [comparisons]: below α where Holm's procedure (1979) rejects at α.

    The smallest of m is multiplied by m, the next by m − 1 and so on, none below the one before it and none above 1.
    The chance of even one false finding among all then stays below α, however the comparisons depend on each other.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = np.arange(len(values), 0, -1) * values[order]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def bootstrap_interval(values: NDArray[np.float64]) -> list[float]:
    """Mean of independent values, and its 95 % interval over draws of them."""
    random = np.random.default_rng(0)
    means = values[random.integers(len(values), size=(DRAWS, len(values)))].mean(1)
    return [float(v) for v in (values.mean(), *np.quantile(means, (0.025, 0.975)))]


def calibration_error_by_chance(probabilities: ArrayLike, *, draws: int = DRAWS) -> float:
    """The calibration error that a model whose probabilities are exactly right stays below in 95 of 100 samples.

    A calibration error is never 0 on finitely many pairs, it grows with fewer, and a bootstrap only adds to it. So it
    is compared with that of labels drawn with these probabilities: [pairs].
    """
    p = np.asarray(probabilities, dtype=float)
    drawn = np.random.default_rng(0).random((draws, p.size)) < p
    return float(np.quantile(calibration_error_by_labelling(drawn, p), 0.95))
