"""Whether one model is better than another on the same pairs: paired bootstrap, permutation test, McNemar's test.

Both models are scored on the same pairs, so what is drawn is drawn for both. Pairs of one source are not independent;
the bootstrap and the permutation test therefore draw whole sources.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

DRAWS = 1_000  # of the bootstrap, as in every results table
PERMUTATIONS = 9_999

Pooling = Literal["mean", "joined"]
"""`mean`: AUC within each corpus, then the mean; `joined`: one ranking over the pairs of all corpora."""


@dataclass(frozen=True, slots=True)
class PairedScores:
    """The pairs of one corpus under two models.

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


def paired_bootstrap_auc(
    corpora: Sequence[PairedScores], *, pooling: Pooling = "mean", draws: int = DRAWS, seed: int = 0
) -> Difference:
    """Difference of ROC AUC over one or several corpora, with its interval over `draws` samples of the sources.

    In each draw the sources of each corpus are drawn with replacement and bring all their pairs, the same for both
    models. A draw in which a corpus (with `joined`: all of them) has one class only is left out. p is twice the share
    of draws on the other side of zero, the whole sample counted as a draw.

    Raises:
        ValueError: a corpus without pairs of both classes.
    """
    labels = [np.asarray(c.labels, dtype=int) for c in corpora]
    if not corpora or any(not 0 < y.sum() < y.size for y in labels):
        raise ValueError("AUC needs pairs of both classes in each corpus")
    groups = [np.unique(np.array([str(s) for s in c.sources]), return_inverse=True)[1] for c in corpora]
    joined = pooling == "joined"
    sides = [
        _rankings(labels, [np.asarray(scores, dtype=float) for scores in side], joined)
        for side in ([c.first for c in corpora], [c.second for c in corpora])
    ]

    def difference(weights: Sequence[NDArray[np.int64]]) -> float:
        parts = [np.concatenate(weights)] if joined else weights
        first, second = (np.mean([r.auc(w) for r, w in zip(side, parts, strict=True)]) for side in sides)
        return float(first - second)

    random = np.random.default_rng(seed)
    whole = difference([np.ones(len(y), dtype=np.int64) for y in labels])
    drawn = np.empty(draws)
    for draw in range(draws):
        drawn[draw] = difference([_times(g, random)[g] for g in groups])
    known = drawn[~np.isnan(drawn)]
    if not known.size:
        return Difference(whole, float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(known, [0.025, 0.975])
    other_side = min((known <= 0).sum(), (known >= 0).sum())
    p = min(1.0, 2 * float(other_side + 1) / (known.size + 1))
    return Difference(whole, float(low), float(high), p)


def _times(group_of: NDArray[np.intp], random: np.random.Generator) -> NDArray[np.int64]:
    """Draw as many groups as there are, with replacement; how often each came: [groups]."""
    count = int(group_of.max()) + 1
    return np.bincount(random.integers(count, size=count), minlength=count)


def _rankings(
    labels: Sequence[NDArray[np.int64]], scores: Sequence[NDArray[np.float64]], joined: bool
) -> list[_Ranking]:
    if joined:
        return [_Ranking(np.concatenate(labels), np.concatenate(scores))]
    return [_Ranking(y, s) for y, s in zip(labels, scores, strict=True)]


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
