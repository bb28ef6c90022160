"""How well a model's scores tell similar pairs from others: the measures of every results table.

Ranking measures are scikit-learn's; the calibration error is written out here because scikit-learn has none.
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
    """A measure with its 95 % bootstrap interval; NaN where it does not exist (one class only, no threshold)."""

    value: float
    low: float
    high: float


def measure(
    labels: ArrayLike, scores: ArrayLike, threshold: float | None, probabilities: ArrayLike | None = None
) -> dict[str, float]:
    """All of `MEASURES` for one set of pairs.

    Args:
        labels: [pairs], 1 similar, 0 not.
        scores: [pairs], on the model's own scale.
        threshold: a pair is predicted similar when its score reaches this; without one the first four are NaN.
        probabilities: [pairs], calibrated; without them the last two are NaN.
    """
    from sklearn import metrics

    y = np.asarray(labels, dtype=int)
    s = np.asarray(scores, dtype=float)
    found = dict.fromkeys(MEASURES, float("nan"))
    if threshold is not None:
        found.update(_counts(y == 1, s >= threshold))
    if 0 < y.sum() < y.size:
        found["roc_auc"] = float(metrics.roc_auc_score(y, s))
        found["average_precision"] = float(metrics.average_precision_score(y, s))
    if probabilities is not None:
        p = np.asarray(probabilities, dtype=float)
        found["calibration_error"] = expected_calibration_error(y, p)
        found["brier"] = float(np.mean((p - y) ** 2))
    return found


def _counts(similar: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> dict[str, float]:
    """Precision, recall, F1 and accuracy; 0 where nothing is predicted or nothing is there, as in scikit-learn.

    Written out because a bootstrap asks a thousand times: scikit-learn's checks take longer than all the rest.
    """
    both, ours, theirs = int((similar & predicted).sum()), int(predicted.sum()), int(similar.sum())
    return {
        "precision": both / ours if ours else 0.0,
        "recall": both / theirs if theirs else 0.0,
        "f1": 2 * both / (ours + theirs) if ours + theirs else 0.0,
        "accuracy": float(np.mean(similar == predicted)),
    }


def expected_calibration_error(
    labels: ArrayLike, probabilities: ArrayLike, bins: int = CALIBRATION_BINS
) -> float:
    """Mean over pairs of |mean probability − share of similar pairs| of the pair's bin (Naeini et al. 2015).

    Bins hold equally many pairs: their edges are quantiles of the probabilities, as in scikit-learn's
    `calibration_curve(strategy="quantile")`, so that equal probabilities are never parted.

    Args:
        labels: [pairs], 1 similar, 0 not.
        probabilities: [pairs], in [0, 1].
    """
    y = np.asarray(labels, dtype=float)
    p = np.asarray(probabilities, dtype=float)
    edges = np.quantile(p, np.linspace(0, 1, bins + 1)[1:-1])
    of_bin = np.searchsorted(edges, p)
    gaps = np.bincount(of_bin, weights=p - y, minlength=bins)  # sum of p − y in each bin
    return float(np.abs(gaps).sum() / y.size)


def bootstrap(
    labels: ArrayLike,
    scores: ArrayLike,
    threshold: float | None,
    probabilities: ArrayLike | None,
    sources: Sequence[Hashable],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Measured]:
    """All of `MEASURES`, each with a 95 % percentile interval over `draws` samples of the sources.

    Pairs of one source are not independent, so sources are drawn with replacement and bring all their pairs.

    Args:
        sources: [pairs], what each pair is grouped by.
        seed: the same seed gives the same intervals.
    """
    import sklearn

    y = np.asarray(labels, dtype=int)
    s = np.asarray(scores, dtype=float)
    p = None if probabilities is None else np.asarray(probabilities, dtype=float)
    whole = measure(y, s, threshold, p)
    pairs_of = _groups(sources)
    generator = np.random.default_rng(seed)
    sampled = np.empty((draws, len(MEASURES)))
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        for draw in range(draws):
            chosen = generator.integers(len(pairs_of), size=len(pairs_of))
            at = np.concatenate([pairs_of[i] for i in chosen])
            one = measure(y[at], s[at], threshold, None if p is None else p[at])
            sampled[draw] = [one[name] for name in MEASURES]
    found = {}
    for column, name in enumerate(MEASURES):
        known = sampled[:, column][~np.isnan(sampled[:, column])]
        low, high = np.quantile(known, [0.025, 0.975]) if known.size else (np.nan, np.nan)
        found[name] = Measured(whole[name], float(low), float(high))
    return found


def _groups(sources: Sequence[Hashable]) -> list[NDArray[np.intp]]:
    """Indices of the pairs of each source, sources in order of appearance."""
    groups: dict[Hashable, list[int]] = {}
    for i, source in enumerate(sources):
        groups.setdefault(source, []).append(i)
    return [np.asarray(group, dtype=np.intp) for group in groups.values()]
