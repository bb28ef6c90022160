"""Measures of how well scores separate similar pairs from others, as in all results tables.

scikit-learn computes the ranking measures; it has no calibration error.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

CALIBRATION_BINS = 15
DRAWS = 1000

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
    from sklearn import metrics

    y = np.asarray(labels, dtype=int)
    s = np.asarray(scores, dtype=float)
    w = _weights(weights, y.size)
    measures = dict.fromkeys(MEASURES, float("nan"))
    if threshold is not None:
        measures.update(_counts(y == 1, s >= threshold, w))
    if 0 < y.sum() < y.size:
        measures["roc_auc"] = float(metrics.roc_auc_score(y, s, sample_weight=w))
        measures["average_precision"] = float(metrics.average_precision_score(y, s, sample_weight=w))
    if probabilities is not None:
        p = np.asarray(probabilities, dtype=float)
        measures["calibration_error"] = expected_calibration_error(y, p, weights=w)
        measures["brier"] = float(np.average((p - y) ** 2, weights=w))
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


def _counts(
    similar: NDArray[np.bool_], predicted: NDArray[np.bool_], weights: NDArray[np.float64]
) -> dict[str, float]:
    """Precision, recall, F1 and accuracy, 0 where they are undefined, as in scikit-learn.

    scikit-learn's input checks would take most of the time of a bootstrap of 1,000 draws.
    """
    hits, called, related = (
        float(weights[which].sum()) for which in (similar & predicted, predicted, similar)
    )
    return {
        "precision": hits / called if called else 0.0,
        "recall": hits / related if related else 0.0,
        "f1": 2 * hits / (called + related) if called + related else 0.0,
        "accuracy": float(np.average(similar == predicted, weights=weights)),
    }


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
    import sklearn

    y = np.asarray(labels, dtype=int)
    s = np.asarray(scores, dtype=float)
    p = None if probabilities is None else np.asarray(probabilities, dtype=float)
    w = _weights(weights, y.size)
    overall = measure(y, s, threshold, p, w)
    pairs_of = _groups(sources)
    generator = np.random.default_rng(seed)
    sampled = np.empty((draws, len(MEASURES)))
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for draw in range(draws):
            chosen = generator.integers(len(pairs_of), size=len(pairs_of))
            at = np.concatenate([pairs_of[i] for i in chosen])
            one = measure(y[at], s[at], threshold, None if p is None else p[at], w[at])
            sampled[draw] = [one[name] for name in MEASURES]
    by_measure = {}
    for column, name in enumerate(MEASURES):
        known = sampled[:, column][~np.isnan(sampled[:, column])]
        low, high = np.quantile(known, [0.025, 0.975]) if known.size else (np.nan, np.nan)
        by_measure[name] = Measured(overall[name], float(low), float(high))
    return by_measure


def _groups(sources: Sequence[Hashable]) -> list[NDArray[np.intp]]:
    """Indices of the pairs of each source, sources in order of appearance."""
    groups: dict[Hashable, list[int]] = {}
    for i, source in enumerate(sources):
        groups.setdefault(source, []).append(i)
    return [np.asarray(group, dtype=np.intp) for group in groups.values()]
