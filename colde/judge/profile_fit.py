"""Fits of a profile to the scores of validation pairs: threshold, calibration, background, weights of channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from colde.judge.calibration import CLIP, QUANTILES, Calibration, Profile, score_at
from colde.judge.log_odds import log_odds
from colde.results.model_score import ScoreKind
from colde.results.verdicts.prior import BALANCED, prior_weights

ENOUGH_PAIRS = 100
"""Validation pairs that a probability needs."""

TENTHS = 10
"""Weights of channels are fitted in steps of 0.1."""

Numbers = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class CorpusScores:
    """Scores of a model on a corpus.

    Attributes:
        corpus: its name.
        scores, labels: of the validation pairs, [pairs] each; 1 is related.
        unrelated: scores of random pairs of documents that no label calls related: [drawn].
        languages: of the documents.
    """

    corpus: str
    scores: Numbers
    labels: NDArray[np.integer]
    unrelated: Numbers
    languages: tuple[str, ...] = ()

    @property
    def spread(self) -> float:
        """Standard deviation of unrelated scores."""
        return float(np.std(self.unrelated, dtype=np.float64))


def fit_profile(name: str, corpora: Sequence[CorpusScores], score_kind: ScoreKind = "cosine") -> Profile:
    """The profile of one corpus or of several; fewer than `ENOUGH_PAIRS` validation pairs give no calibration.

    Each corpus has the same weight, and so have the related and the unrelated pairs of each: calibrations are for the
    prior 0.5. The threshold is the score whose probability is 0.5, so the side of the threshold never contradicts the
    words for the probability. On pairs that chose nothing it is right as often as the threshold of best accuracy, and
    more often where a profile has few pairs (proposals 0.791 and 0.755).

    Args:
        score_kind: the scale of the scores, as on the model's card; probabilities are calibrated by their log-odds.
    """
    from sklearn.metrics import roc_auc_score

    scores = np.concatenate([c.scores for c in corpora]).astype(np.float64)
    labels = np.concatenate([c.labels for c in corpora]).astype(np.int64)
    unrelated = np.concatenate([c.unrelated for c in corpora]).astype(np.float64)
    weights = _balanced_weights([c.labels for c in corpora])
    calibration = fit_calibration(scores, labels, weights, score_kind == "probability")
    threshold = choose_threshold(calibration, scores, labels, weights)
    return Profile(
        name=name,
        threshold=threshold,
        calibration=calibration if len(scores) >= ENOUGH_PAIRS else None,
        quantiles=tuple(float(q) for q in np.quantile(unrelated, np.linspace(0, 1, QUANTILES))),
        measured={
            "accuracy": float(np.average((scores >= threshold) == labels, weights=weights)),
            "auc": float(roc_auc_score(labels, scores, sample_weight=weights)),
            "pairs": float(len(scores)),
        },
        score_std=float(np.std(unrelated)),
        threshold_sd=threshold_in_deviations(corpora) if min(c.spread for c in corpora) > 0 else None,
        corpora=tuple(c.corpus for c in corpora),
        languages=tuple(dict.fromkeys(code for c in corpora for code in c.languages)),
    )


def threshold_in_deviations(corpora: Sequence[CorpusScores]) -> float:
    """The threshold of best accuracy in units of the spread of unrelated pairs, each corpus with the same weight."""
    labels = [c.labels for c in corpora]
    scores = np.concatenate([c.scores.astype(np.float64) / c.spread for c in corpora])
    return best_threshold(scores, np.concatenate(labels), _balanced_weights(labels))


def _balanced_weights(labels: Sequence[np.ndarray]) -> NDArray[np.float64]:
    """Weights of all pairs, of mean 1: each corpus has the same sum, and so have its related and unrelated pairs."""
    total = sum(map(len, labels))
    return np.concatenate([prior_weights(one, BALANCED) * total / (len(labels) * len(one)) for one in labels])


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


def fit_channel_weights(
    values: Numbers, labels: NDArray[np.integer], present: Sequence[float]
) -> tuple[float, ...]:
    """Weights of the channels of a mixture: the nearest whose ROC AUC is within one standard error of the best.

    So few pairs change little: the present weights were fitted on thousands of pairs of other documents.

    Args:
        values: [pairs, channels], NaN where a text has no value; the first channel has one for every text, so its
            weight is at least 0.1.
        labels: [pairs]; 1 is related.
        present: weights of the channels, of sum 1.
    """
    steps = product(range(TENTHS), repeat=values.shape[1] - 1)
    candidates = [(TENTHS - sum(rest), *rest) for rest in steps if sum(rest) < TENTHS]
    weights = np.array(candidates) / TENTHS
    aucs = np.array([_mixture_auc(values, labels, w) for w in weights])
    best = aucs.max()
    error = np.sqrt(best * (1 - best) / np.bincount(labels, minlength=2).min())
    good = weights[aucs >= best - error]
    distances = np.abs(good - np.asarray(present))[:, 1:].sum(1)
    return tuple(good[distances.argmin()].tolist())


def _mixture_auc(values: Numbers, labels: NDArray[np.integer], weights: Numbers) -> float:
    from sklearn.metrics import roc_auc_score

    w = weights * ~np.isnan(values)
    return float(roc_auc_score(labels, (w * np.nan_to_num(values)).sum(1) / w.sum(1)))
