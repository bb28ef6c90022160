"""From a score to a verdict: threshold, probability and percentile, and how they are fitted on validation pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from colde.models.base import GENERAL, Background, Calibration, Profile

FALLBACK = "papers"  # a model without the chosen profile uses this one and says so
QUANTILES = 101
NEAREST = 1e-7  # a probability is kept so far from 0 and 1: a sigmoid in float32 reaches both


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a profile says of a score; None where it has nothing to say it from."""

    profile: str | None = None
    threshold: float | None = None
    similar: bool | None = None
    probability: float | None = None
    percentile: float | None = None


def judge(
    score: float, profiles: Mapping[str, Profile], name: str, background: Background | None = None
) -> Judgement:
    """Judge a score by the profile of that name, else by `papers`, else not at all.

    Args:
        background: of a reference; then the threshold is the profile's in units of the background's spread, and the
            percentile is the background's.
    """
    profile = profiles.get(name) or profiles.get(FALLBACK)
    if profile is None:
        return Judgement()
    if background is not None:
        return _against(score, profile, background)
    return Judgement(
        profile=profile.name,
        threshold=profile.threshold,
        similar=score >= profile.threshold,
        probability=probability(score, profile.calibration) if profile.calibration else None,
        percentile=percentile(score, profile.quantiles) if profile.quantiles else None,
    )


def _against(score: float, profile: Profile, background: Background) -> Judgement:
    """Judge a score against a reference.

    A profile of one kind keeps its calibration, on the background's scale. `general` has none here: on a kind of
    documents that was left out of training its calibration error was .05 to .11 (docs/results.md).
    """
    place = percentile(score, background.quantiles)
    threshold, scale = profile.threshold, 1.0
    if background.spread and profile.spread and profile.relative is not None:
        threshold, scale = profile.relative * background.spread, profile.spread / background.spread
    likely = None
    if profile.name != GENERAL and profile.calibration:
        likely = probability(score * scale, profile.calibration)
    return Judgement(profile.name, threshold, score >= threshold, likely, place)


def probability(score: float, calibration: Calibration) -> float:
    """Share of validation pairs scored like this one that are similar."""
    known = float(log_odds(score)) if calibration.log_odds else score
    x = calibration.slope * known + calibration.offset
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def log_odds(probabilities: ArrayLike) -> NDArray[np.float64]:
    """ln(p / (1 − p)), of the same shape; finite at 0 and 1, too."""
    p = np.clip(np.asarray(probabilities, dtype=np.float64), NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p) - np.log1p(-p), dtype=np.float64)


def percentile(score: float, quantiles: Sequence[float]) -> float:
    """Share of unrelated pairs that score lower, in [0, 1], between quantiles by straight lines."""
    return float(np.interp(score, quantiles, np.linspace(0, 1, len(quantiles))))


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
    """Threshold, calibration and background from validation pairs.

    Args:
        scores, labels: of the validation pairs.
        unrelated: scores of pairs of documents drawn at random that no label calls similar.
        weights: of the pairs (a pooled profile weighs each corpus evenly).
        spreads: of the pairs, the standard deviation of unrelated scores in their own corpus (a pooled profile has
            several); by default that of `unrelated`.
        probabilities: the scores are such; the calibration is then fitted to their log-odds.
    """
    from sklearn.metrics import roc_auc_score

    s, y = np.asarray(scores, float), np.asarray(labels, int)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, float)
    threshold = best_threshold(s, y, w)
    spread = float(np.std(unrelated))
    own = np.full(len(s), spread) if spreads is None else np.asarray(spreads, float)
    predicted = s >= threshold
    return Profile(
        name=name,
        threshold=threshold,
        calibration=fit_calibration(s, y, w, probabilities),
        quantiles=tuple(float(q) for q in np.quantile(unrelated, np.linspace(0, 1, QUANTILES))),
        measured={
            "accuracy": float(np.average(predicted == y, weights=w)),
            "auc": float(roc_auc_score(y, s, sample_weight=w)),
            "pairs": float(len(s)),
        },
        spread=spread,
        relative=best_threshold(s / own, y, w) if own.min() > 0 else None,
    )


def fit_calibration(
    scores: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    probabilities: bool = False,
) -> Calibration:
    """Platt scaling of scores, or of the log-odds of `probabilities`; all [pairs]."""
    from sklearn.linear_model import LogisticRegression

    x = log_odds(scores) if probabilities else scores
    scale = x.std() or 1.0  # the fit is done on standard scores, where its mild penalty is harmless
    fitted = LogisticRegression(C=1e4).fit(((x - x.mean()) / scale)[:, None], labels, sample_weight=weights)
    slope = float(fitted.coef_[0, 0]) / scale
    return Calibration(slope, float(fitted.intercept_[0]) - slope * float(x.mean()), probabilities)


def best_threshold(scores: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """The threshold of best accuracy: half-way between two scores, in the middle of the best stretch.

    Accuracy over the threshold is ragged; among thresholds within half a standard error of the best, the
    median is taken, which travels better than the very best one.
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
