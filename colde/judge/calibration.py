"""From a score to a verdict: threshold, probability and percentile, and how they are fitted on validation pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from colde.judge.log_odds import from_log_odds, log_odds
from colde.judge.profiles import GENERAL
from colde.results.prior import shift_prior

QUANTILES = 101
CLIP = 1e-7  # a probability is kept so far from 0 and 1: a sigmoid in float32 reaches both


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling: probability = 1 / (1 + exp(−(slope · score + offset))), fitted on validation pairs.

    Attributes:
        log_odds: the score is a probability and its log-odds are scaled instead, as Platt scales the output before
            the sigmoid; slope 1 and offset 0 leave it as it is.
    """

    slope: float
    offset: float
    log_odds: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """Threshold and calibration for documents of one kind.

    Attributes:
        name: one of profiles.toml, or of a user's own.
        corpora: names of the corpora it was fitted on; empty where the checkpoint does not record them.
        languages: ISO 639-1 codes of the languages of these corpora; empty where they are not recorded.
        threshold: a pair is called similar when its score reaches this; from validation.
        calibration: score to probability; from validation.
        quantiles: 101 quantiles of the scores of unrelated pairs of such documents, rising.
        score_std: standard deviation of those scores; 0 where it is not known.
        threshold_sd: the threshold in units of the spread, for what `general` judges against a reference.
        measured: validation figures: accuracy, f1, auc, ece, pairs.
    """

    name: str
    threshold: float
    calibration: Calibration | None = None
    quantiles: tuple[float, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)
    score_std: float = 0.0
    threshold_sd: float | None = None
    corpora: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Background:
    """Usual scores among documents of one kind, measured on a reference folder instead of a profile's corpus.

    Attributes:
        name: for the reader, e.g. the folder's name.
        documents: how many it was measured on.
        score_std: standard deviation of the scores of their random pairs.
        quantiles: 101 quantiles of these scores, rising.
    """

    name: str
    documents: int
    score_std: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a score by a profile; None where there is nothing to judge it by.

    Attributes:
        corpora: the corpora that threshold, probability and percentile were fitted on; empty where they are not known.
        no_verdict: the reason why there is no threshold and no probability, as a clause; empty where there is one.
    """

    profile: str | None = None
    threshold: float | None = None
    similar: bool | None = None
    probability: float | None = None
    percentile: float | None = None
    corpora: tuple[str, ...] = ()
    no_verdict: str = ""

    def at_prior(self, prior: float) -> Judgement:
        """Copy with the probability where this share of pairs is related; the rest does not depend on it."""
        likely = None if self.probability is None else shift_prior(self.probability, prior)
        return replace(self, probability=likely)


def judge(
    score: float,
    profiles: Mapping[str, Profile],
    name: str,
    background: Background | None = None,
    *,
    unread: str = "",
) -> Judgement:
    """Judge a score by the profile of that name. Without that profile there is no threshold and no probability.

    Args:
        background: of a reference; then the percentile is the background's, and the threshold of `general` is in units
            of its spread.
        unread: why the profile does not apply to the languages of the pair (`match.languages`); then only the
            percentile of a reference remains.
    """
    profile = profiles.get(name)
    if unread or profile is None:
        place = None if background is None else percentile(score, background.quantiles)
        return Judgement(percentile=place, no_verdict=unread or _missing(profiles, name))
    if background is not None:
        return _against(score, profile, background)
    return Judgement(
        profile=profile.name,
        threshold=profile.threshold,
        similar=score >= profile.threshold,
        probability=probability(score, profile.calibration) if profile.calibration else None,
        percentile=percentile(score, profile.quantiles) if profile.quantiles else None,
        corpora=profile.corpora,
    )


def _missing(profiles: Mapping[str, Profile], name: str) -> str:
    return f"the model has no profile {name}" if profiles else "the model has no thresholds"


def _against(score: float, profile: Profile, background: Background) -> Judgement:
    """Judge a score against a reference, which always says how many of its random pairs score lower.

    A profile of one kind keeps its threshold and its calibration: in collections of its kind that are narrower than its
    own they are right more often than a threshold in units of the collection's spread, which is wide where many pairs
    are related (docs/results.md). `general` has its threshold in these units, since it does not know the kind, and no
    calibration: on a kind of documents that was left out of training its error was .05 to .13.
    """
    place = percentile(score, background.quantiles)
    if profile.name != GENERAL:
        likely = probability(score, profile.calibration) if profile.calibration else None
        similar = score >= profile.threshold
        return Judgement(profile.name, profile.threshold, similar, likely, place, profile.corpora)
    threshold = profile.threshold
    if background.score_std and profile.score_std and profile.threshold_sd is not None:
        threshold = profile.threshold_sd * background.score_std
    return Judgement(profile.name, threshold, score >= threshold, None, place, profile.corpora)


def probability(score: float, calibration: Calibration) -> float:
    """Share of validation pairs scored like this one that are similar."""
    known = float(log_odds(score, CLIP)) if calibration.log_odds else score
    return float(from_log_odds(calibration.slope * known + calibration.offset))


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
        score_std=spread,
        threshold_sd=best_threshold(s / own, y, w) if own.min() > 0 else None,
    )


def fit_calibration(
    scores: NDArray[np.float64],
    labels: NDArray[np.int64],
    weights: NDArray[np.float64],
    probabilities: bool = False,
) -> Calibration:
    """Platt scaling of scores, or of the log-odds of `probabilities`; all [pairs]."""
    from sklearn.linear_model import LogisticRegression

    x = log_odds(scores, CLIP) if probabilities else scores
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
