"""Verdicts and probabilities of pairs by thresholds and calibrations that other pairs have chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from colde.judge.calibration import Calibration, probability
from colde.judge.profile_fit import choose_threshold, fit_calibration
from colde.judge.profiles import GENERAL

FOLDS = 5


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs of one kind of documents, with the scores of a model.

    Attributes:
        labels: [pairs], 1 similar, 0 not; folds: [pairs], the fold of each.
        scores: [pairs] by profile.
    """

    labels: NDArray[np.int64]
    folds: NDArray[np.int64]
    scores: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a model says of pairs.

    Attributes:
        similar: [pairs], 1 where the score reaches the threshold, else 0.
        probability: [pairs], NaN for a pair without a profile.
    """

    similar: NDArray[np.float64]
    probability: NDArray[np.float64]


def folds_by_source(sources: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each pair, the same for all pairs of a source: [pairs]."""
    fold = np.zeros(len(sources), dtype=np.int64)
    split = GroupKFold(FOLDS).split(np.zeros(len(sources)), groups=list(sources))
    for number, (_, rows) in enumerate(split):
        fold[rows] = number
    return fold


def verdicts(
    kinds: Mapping[str, ScoredPairs],
    used: Mapping[str, Sequence[str | None]],
    *,
    probabilities: bool = False,
) -> dict[str, Verdicts]:
    """The verdicts on the pairs of each kind, by thresholds and calibrations that the other folds have chosen.

    Args:
        kinds: pairs by the profile of their kind. A profile is fitted on the pairs of its kind, `general` on all,
            each kind with the same weight.
        used: by kind the profile that judges each pair; None: there is none, so the pair has no probability, and the
            threshold is that of `general`.
        probabilities: the scores are probabilities, and are calibrated by their log-odds.
    """
    judged = {
        kind: Verdicts(np.zeros(len(pairs.labels)), np.full(len(pairs.labels), np.nan))
        for kind, pairs in kinds.items()
    }
    for profile in {name or GENERAL for names in used.values() for name in names}:
        parts = list(kinds.values()) if profile == GENERAL else [kinds[profile]]
        for fold in range(FOLDS):
            fitted = _fit(profile, parts, fold, probabilities)
            for kind, pairs in kinds.items():
                here = [(n or GENERAL) == profile for n in used[kind]] & (pairs.folds == fold)
                _judge(judged[kind], pairs, used[kind], np.flatnonzero(here), profile, fitted)
    return judged


def _judge(
    judged: Verdicts,
    pairs: ScoredPairs,
    used: Sequence[str | None],
    chosen: NDArray[np.intp],
    profile: str,
    fitted: tuple[float, Calibration],
) -> None:
    """Write the verdicts on the chosen pairs."""
    threshold, calibration = fitted
    for i in chosen:
        score = float(pairs.scores[profile][i])
        judged.similar[i] = score >= threshold
        if used[i] is not None:
            judged.probability[i] = probability(score, calibration)


def _fit(
    profile: str, parts: Sequence[ScoredPairs], fold: int, probabilities: bool
) -> tuple[float, Calibration]:
    """Threshold and calibration from the pairs outside a fold, each part with the same weight."""
    kept = [part.folds != fold for part in parts]
    scores = np.concatenate([part.scores[profile][rows] for part, rows in zip(parts, kept, strict=True)])
    labels = np.concatenate([part.labels[rows] for part, rows in zip(parts, kept, strict=True)])
    weights = np.concatenate([np.full(rows.sum(), len(labels) / len(parts) / rows.sum()) for rows in kept])
    calibration = fit_calibration(scores, labels, weights, probabilities)
    return choose_threshold(calibration, scores, labels, weights), calibration
