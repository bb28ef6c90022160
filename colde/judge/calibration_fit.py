"""Threshold, calibration and quantiles of a profile, fitted on validation pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from colde.judge.calibration import CLIP, QUANTILES, Calibration, Profile, score_at
from colde.judge.log_odds import log_odds

ENOUGH_PAIRS = 100
"""Validation pairs that a probability needs."""


def fit_profile(
    name: str,
    scores: Sequence[float],
    labels: Sequence[int],
    unrelated: Sequence[float],
    weights: Sequence[float] | None = None,
    spreads: Sequence[float] | None = None,
    *,
    probabilities: bool = False,
) -> Profile:
    """Threshold, calibration and background from validation pairs; fewer than `ENOUGH_PAIRS` give no calibration.

    The threshold is the score whose probability is 0.5, so the side of the threshold never contradicts the words for
    the probability. On pairs that chose nothing it is right as often as the threshold of best accuracy, and more often
    where a profile has few pairs (proposals 0.791 and 0.755).

    Args:
        scores, labels: of the validation pairs.
        unrelated: scores of random pairs of documents that no label calls similar.
        weights: of the pairs (a pooled profile weighs each corpus evenly).
        spreads: for each pair, the standard deviation of unrelated scores in its corpus (a pooled profile has several);
            by default that of `unrelated`.
        probabilities: the scores are probabilities; the calibration is then fitted to their log-odds.
    """
    from sklearn.metrics import roc_auc_score

    s, y = np.asarray(scores, float), np.asarray(labels, int)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, float)
    calibration = fit_calibration(s, y, w, probabilities)
    threshold = choose_threshold(calibration, s, y, w)
    spread = float(np.std(unrelated))
    units = np.full(len(s), spread) if spreads is None else np.asarray(spreads, float)
    predicted = s >= threshold
    return Profile(
        name=name,
        threshold=threshold,
        calibration=calibration if len(s) >= ENOUGH_PAIRS else None,
        quantiles=tuple(float(q) for q in np.quantile(unrelated, np.linspace(0, 1, QUANTILES))),
        measured={
            "accuracy": float(np.average(predicted == y, weights=w)),
            "auc": float(roc_auc_score(y, s, sample_weight=w)),
            "pairs": float(len(s)),
        },
        score_std=spread,
        threshold_sd=best_threshold(s / units, y, w) if units.min() > 0 else None,
    )


def fit_calibration(
    scores: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    probabilities: bool = False,
) -> Calibration:
    """Platt scaling of scores, or of the log-odds of `probabilities`; all [pairs].

    As Platt has it, each of n related pairs counts as one of the probability (n + 1) / (n + 2), and each unrelated one
    likewise: few pairs that the scores separate give no certainty.
    """
    from sklearn.linear_model import LogisticRegression

    positive = labels == 1
    count = np.where(positive, positive.sum(), (~positive).sum())
    sure = (count + 1) / (count + 2)
    x = log_odds(scores, CLIP) if probabilities else scores
    scale = x.std() or 1.0  # the fitted on standard scores, where the mild penalty is harmless
    fitted = LogisticRegression(C=1e4).fit(
        np.tile((x - x.mean()) / scale, 2)[:, None],
        np.concatenate((positive, ~positive)).astype(int),
        sample_weight=np.concatenate((weights * sure, weights * (1 - sure))),
    )
    slope = float(fitted.coef_[0, 0]) / scale
    return Calibration(slope, float(fitted.intercept_[0]) - slope * float(x.mean()), probabilities)


def choose_threshold(
    calibration: Calibration, scores: np.ndarray, labels: np.ndarray, weights: np.ndarray
) -> float:
    """The score whose probability is 0.5; the one of best accuracy where probabilities do not rise with the score."""
    if calibration.slope > 0:
        return score_at(0.5, calibration)
    return best_threshold(scores, labels, weights)


def best_threshold(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """The threshold of best accuracy, half-way between two scores.

    Of the thresholds whose accuracy is within half a standard error of the best, the median is taken: it generalises
    better than the very best one.
    """
    order = np.argsort(scores, kind="stable")
    s, y, w = scores[order], labels[order], weights[order]
    cuts = np.concatenate(([s[0] - 1e-6], (s[1:] + s[:-1]) / 2, [s[-1] + 1e-6]))
    below_right = np.concatenate(([0.0], np.cumsum(w * (y == 0))))
    above_right = np.concatenate((np.cumsum((w * (y == 1))[::-1])[::-1], [0.0]))
    accuracy = (below_right + above_right) / w.sum()
    best = accuracy.max()
    error = math.sqrt(max(best * (1 - best), 1e-9) / len(s))
    return float(np.median(cuts[accuracy >= best - error / 2]))
