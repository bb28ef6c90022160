"""Measures of how well scores separate similar pairs from others, as in all results tables.

They are those of scikit-learn, which has no calibration error. Here they are computed for many samples of the pairs at
once, as weights: scikit-learn takes seconds for the 1,000 samples of a bootstrap.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

CALIBRATION_BINS = 15
DRAWS = 1000
NUMBERS_AT_ONCE = 2_000_000

Numbers = NDArray[np.float64]

MEASURES = (
    "precision",
    "recall",
    "f1",
    "accuracy",
    "roc_auc",
    "average_precision",
    "calibration_error",
    "brier",
)
"""Every measure, in the order of the tables. All lie in [0, 1]; the last two are better when small."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure with its 95 % bootstrap interval; NaN where it is undefined (one class only, no threshold)."""

    value: float
    low: float
    high: float


def measure(
    labels: ArrayLike,
    scores: ArrayLike,
    threshold: float | None,
    probabilities: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> dict[str, float]:
    """All of `MEASURES` for one set of pairs.

    Args:
        labels: [pairs], 1 similar, 0 not.
        scores: [pairs], on the model's own scale.
        threshold: a pair is predicted similar when its score reaches this; without one the first four are NaN.
        probabilities: [pairs], calibrated; without them the last two are NaN.
        weights: [pairs], for example so that corpora of different sizes count equally; by default all are 1.
    """
    y, s, p = _arrays(labels, scores, probabilities)
    w = _weights(weights, y.size)
    measures = {name: float(values[0]) for name, values in _weighted(y, s, threshold, p, w[None]).items()}
    if p is not None:
        measures["calibration_error"] = expected_calibration_error(y, p, weights=w)
    return measures


def prior_weights(labels: ArrayLike, prior: float) -> NDArray[np.float64]:
    """Weights under which similar pairs make up this share of all; their mean is 1: [pairs].

    Args:
        labels: [pairs], 1 similar, 0 not; both are there, else all weights are 1.
        prior: in (0, 1).
    """
    y = np.asarray(labels, dtype=int)
    share = y.mean() if y.size else 0.0
    if not 0 < share < 1:
        return np.ones(y.size)
    return np.where(y == 1, prior / share, (1 - prior) / (1 - share))


def _weights(weights: ArrayLike | None, pairs: int) -> NDArray[np.float64]:
    return np.ones(pairs) if weights is None else np.asarray(weights, dtype=float)


def _arrays(
    labels: ArrayLike, scores: ArrayLike, probabilities: ArrayLike | None
) -> tuple[Numbers, Numbers, Numbers | None]:
    p = None if probabilities is None else np.asarray(probabilities, dtype=float)
    return np.asarray(labels, dtype=float), np.asarray(scores, dtype=float), p


def _weighted(
    y: Numbers, s: Numbers, threshold: float | None, p: Numbers | None, w: Numbers
) -> dict[str, Numbers]:
    """All of `MEASURES` but the calibration error, which is NaN, for several weightings of the pairs: [weightings].

    Precision, recall and F1 are 0 where they are undefined, as in scikit-learn.

    Args:
        y, s, p: labels, scores and probabilities, each [pairs].
        w: [weightings, pairs].
    """
    measures = {name: np.full(len(w), np.nan) for name in MEASURES}
    related, total = w @ y, w.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if threshold is not None:
            called = (s >= threshold).astype(float)
            hits, calls = w @ (y * called), w @ called
            measures["precision"] = np.where(calls > 0, hits / calls, 0.0)
            measures["recall"] = np.where(related > 0, hits / related, 0.0)
            measures["f1"] = np.where(calls + related > 0, 2 * hits / (calls + related), 0.0)
            measures["accuracy"] = w @ (y == called) / total
        if y.size:
            order = np.argsort(-s, kind="stable")
            ends = np.flatnonzero(np.diff(s[order], append=np.nan) != 0)  # equal scores are one step
            true, false = ((w * part)[:, order].cumsum(1)[:, ends] for part in (y, 1 - y))
            more_true, more_false = (np.diff(sums, axis=1, prepend=0.0) for sums in (true, false))
            area = (more_false * (true - more_true / 2)).sum(1)
            measures["roc_auc"] = area / (true[:, -1] * false[:, -1])
            precision = np.where(more_true > 0, true / (true + false), 0.0)
            one_class = (related == 0) | (related == total)
            average = (more_true * precision).sum(1) / related
            measures["average_precision"] = np.where(one_class, np.nan, average)
        if p is not None:
            measures["brier"] = w @ (p - y) ** 2 / total
    return measures


def expected_calibration_error(
    labels: ArrayLike,
    probabilities: ArrayLike,
    bins: int = CALIBRATION_BINS,
    weights: ArrayLike | None = None,
) -> float:
    """Mean over pairs of |mean probability − share of similar pairs| of the pair's bin (Naeini et al. 2015).

    Bins hold equal numbers of pairs. Their edges are quantiles of the probabilities, as in scikit-learn's
    `calibration_curve(strategy="quantile")`, so that equal probabilities are in one bin.

    Args:
        labels: [pairs], 1 similar, 0 not.
        probabilities: [pairs], in [0, 1].
        weights: [pairs], as in `measure`.
    """
    sums = _bins(labels, probabilities, bins, weights)
    return float(np.abs(sums[:, 0] - sums[:, 1]).sum() / sums[:, 2].sum())


def reliability(
    labels: ArrayLike, probabilities: ArrayLike, bins: int = 10, weights: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Points of a calibration plot: [bins that hold pairs, 3], rising in the first column.

    Columns: mean probability, share of similar pairs, share of all pairs. Arguments as in
    `expected_calibration_error`.
    """
    sums = _bins(labels, probabilities, bins, weights)
    sums = sums[sums[:, 2] > 0]
    return np.column_stack((sums[:, :2] / sums[:, 2:], sums[:, 2] / sums[:, 2].sum()))


def _bins(
    labels: ArrayLike, probabilities: ArrayLike, bins: int, weights: ArrayLike | None
) -> NDArray[np.float64]:
    """Sum probabilities, labels and weights in each bin: [bins, 3]."""
    y = np.asarray(labels, dtype=float)
    p = np.asarray(probabilities, dtype=float)
    w = _weights(weights, y.size)
    edges = np.quantile(p, np.linspace(0, 1, bins + 1)[1:-1])
    of_bin = np.searchsorted(edges, p)
    return np.column_stack([np.bincount(of_bin, weights=w * part, minlength=bins) for part in (p, y, 1.0)])


def bootstrap(
    labels: ArrayLike,
    scores: ArrayLike,
    threshold: float | None,
    probabilities: ArrayLike | None,
    sources: Sequence[Hashable],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    weights: ArrayLike | None = None,
) -> dict[str, Measured]:
    """All of `MEASURES`, each with a 95 % percentile interval over `draws` samples of the sources.

    Pairs of one source are not independent, so sources are drawn with replacement and bring all their pairs.

    Args:
        sources: [pairs], what each pair is grouped by.
        seed: the same seed gives the same intervals.
        weights: [pairs], as in `measure`.
    """
    y, s, p = _arrays(labels, scores, probabilities)
    w = _weights(weights, y.size)
    overall = measure(y, s, threshold, p, w)
    numbers = dict[Hashable, int]()
    group = np.array([numbers.setdefault(source, len(numbers)) for source in sources], dtype=np.intp)
    generator = np.random.default_rng(seed)
    sampled = np.empty((draws, len(MEASURES)))
    at_once = max(1, NUMBERS_AT_ONCE // max(1, y.size))
    for first in range(0, draws, at_once):
        some = range(first, min(first + at_once, draws))
        drawn = generator.integers(len(numbers), size=(len(some), len(numbers)))
        times = np.stack([np.bincount(one, minlength=len(numbers)) for one in drawn])[:, group]
        measured = _weighted(y, s, threshold, p, times * w)
        if p is not None:
            of_draw = (np.repeat(np.arange(y.size), repeats) for repeats in times)
            errors = [expected_calibration_error(y[at], p[at], weights=w[at]) for at in of_draw]
            measured["calibration_error"] = np.array(errors)
        sampled[some] = np.column_stack([measured[name] for name in MEASURES])
    by_measure = {}
    for column, name in enumerate(MEASURES):
        known = sampled[:, column][~np.isnan(sampled[:, column])]
        low, high = np.quantile(known, [0.025, 0.975]) if known.size else (np.nan, np.nan)
        by_measure[name] = Measured(overall[name], float(low), float(high))
    return by_measure
