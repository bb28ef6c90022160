"""Judgement of a score: verdict by the threshold, calibrated probability, and percentile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated

import numpy as np
from msgspec import Meta

from colde.judge.log_odds import from_log_odds, log_odds
from colde.judge.profiles import GENERAL, NONE, threshold_profile
from colde.judge.unknown_kinds import DocumentTraits, UnknownKinds
from colde.results.model_score import FitPairs
from colde.results.verdicts.prior import shift_prior

QUANTILES = 101
TRANSLATED = "chapters of manuals and their translations"
"""What the threshold of translations was chosen on."""
MAX_SCORE = 1e6
"""Greatest size of a threshold. Scores lie in [-1, 1]; of a model that tells nothing, a threshold lies far beyond."""
MAX_COEFFICIENT = 1e12
"""Greatest size of a slope, an offset or a threshold in standard deviations, of scores that hardly differ."""
CLIP = 1e-7  # least distance of a probability from 0 and 1, which a sigmoid in float32 reaches

Score = Annotated[float, Meta(ge=-MAX_SCORE, le=MAX_SCORE)]
Coefficient = Annotated[float, Meta(ge=-MAX_COEFFICIENT, le=MAX_COEFFICIENT)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Figure = Annotated[float, Meta(ge=0, le=1e12)]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling: probability = 1 / (1 + exp(−(slope · score + offset))), fitted on validation pairs.

    Attributes:
        log_odds: the score is a probability and its log-odds are scaled instead, as Platt scales the output before
            the sigmoid; slope 1 and offset 0 leave it as it is.
    """

    slope: Coefficient
    offset: Coefficient
    log_odds: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """Threshold and calibration for documents of one kind; files hold it as JSON (`colde.models.checkpoint`).

    Attributes:
        name: one of profiles.toml, or a name that a user gave.
        corpora: names of the corpora it was fitted on; empty where the checkpoint does not record them.
        languages: ISO 639-1 codes of the languages of these corpora; empty where they are not recorded.
        threshold: a pair is called similar when its score reaches this; from validation.
        calibration: score to probability; from validation.
        quantiles: 101 quantiles of the scores of unrelated pairs of such documents, rising.
        score_std: standard deviation of those scores; 0 where it is not known.
        threshold_sd: the threshold in units of the standard deviation, for `general` with a reference.
        measured: validation figures: accuracy, f1, auc, ece, pairs.
        weights: of the channels of a score that is a weighted mean; empty: those of the model's settings.
        translation_threshold: a text is called a translation of one in another language when their score reaches this;
            None: texts in two languages get no verdict.
        trained_on: whether the model was trained on documents of this kind.
        unknown: of `general`: how pairs of no kind that has a profile are judged; None: by its threshold alone.
    """

    name: Name
    threshold: Score
    calibration: Calibration | None = None
    quantiles: Annotated[tuple[Score, ...], Meta(max_length=10_001)] = ()
    measured: Mapping[str, Figure] = field(default_factory=dict)
    score_std: Annotated[float, Meta(ge=0, le=MAX_SCORE)] = 0.0
    threshold_sd: Coefficient | None = None
    corpora: Annotated[tuple[Name, ...], Meta(max_length=1000)] = ()
    languages: Annotated[
        tuple[Annotated[str, Meta(pattern="^[a-z]{2,3}(-[A-Za-z]+)?$", max_length=20)], ...],
        Meta(max_length=1000),
    ] = ()
    weights: Mapping[str, Annotated[float, Meta(ge=0, le=1)]] = field(default_factory=dict)
    translation_threshold: Score | None = None
    trained_on: bool = False
    unknown: UnknownKinds | None = None

    def __post_init__(self) -> None:
        if any(lower > higher for lower, higher in pairwise(self.quantiles)):
            raise ValueError("quantiles: they do not rise")


@dataclass(frozen=True, slots=True)
class Background:
    """Scores of unrelated pairs among documents of one kind, measured on a reference folder instead of a corpus.

    Attributes:
        name: of the folder.
        documents: number of documents that were measured.
        score_std: standard deviation of the scores of their random pairs.
        quantiles: 101 quantiles of these scores, rising.
    """

    name: str
    documents: int
    score_std: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of a score by a profile; values that the profile does not give are None.

    Attributes:
        corpora: the corpora that threshold, probability and percentile were fitted on; empty where they are not known.
        no_verdict: the reason why there is no threshold and no probability, as a clause; None where there is one.
        threshold_probability: of a score at the threshold.
        same_kind: the pair scores as unrelated documents of one kind do.
        fit: the pairs that threshold and probability were fitted on; None where they are not known.
    """

    profile: str | None = None
    threshold: float | None = None
    similar: bool | None = None
    probability: float | None = None
    percentile: float | None = None
    corpora: tuple[str, ...] = ()
    no_verdict: str | None = None
    threshold_probability: float | None = None
    same_kind: bool = False
    fit: FitPairs | None = None

    def at_prior(self, prior: float) -> Judgement:
        """Copy with the probability where this share of pairs is related; the rest does not depend on it."""
        likely, limit = (
            None if p is None else shift_prior(p, prior)
            for p in (self.probability, self.threshold_probability)
        )
        return replace(self, probability=likely, threshold_probability=limit)


def judge(
    score: float,
    profiles: Mapping[str, Profile],
    name: str,
    background: Background | None = None,
    *,
    unread: str = "",
    traits: tuple[DocumentTraits, DocumentTraits] | None = None,
) -> Judgement:
    """Judge a score by the profile of that name. Without that profile there is no threshold and no probability.

    `none` has a threshold for each pair (`UnknownKinds`), or that of `general` where the model has none. The scores of
    unrelated pairs of its kind are not known: without a reference it has no percentile.

    Args:
        background: of a reference; it then gives the percentile, and the unit of the threshold of `general`.
        traits: of the two documents, for `none`.
        unread: why the profile does not hold for the languages of the pair (`comparison.language_coverage`); then only
            the percentile of a reference remains.
    """
    profile = profiles.get(threshold_profile(name))
    if unread or profile is None:
        place = None if background is None else percentile(score, background.quantiles)
        return Judgement(percentile=place, no_verdict=unread or _missing(profiles, name))
    if background is not None:
        judged = _against(score, profile, background)
        return replace(judged, profile=name)
    if name == NONE:
        return _of_unknown_kind(score, profile, traits)
    return _by_profile(score, profile)


def unknown_kinds(profiles: Mapping[str, Profile], name: str) -> UnknownKinds | None:
    """How a model judges pairs of no kind that has a profile, where `name` is `none`; else None."""
    general = profiles.get(GENERAL)
    return general.unknown if name == NONE and general is not None else None


def _of_unknown_kind(
    score: float, general: Profile, traits: tuple[DocumentTraits, DocumentTraits] | None
) -> Judgement:
    """The judgement of a pair of no kind that has a profile."""
    unknown = general.unknown
    if unknown is None or traits is None:
        return Judgement(NONE, general.threshold, score >= general.threshold, corpora=general.corpora)
    calibration = Calibration(unknown.slope, unknown.offset(*traits))
    threshold, likely = unknown.threshold(*traits), probability(score, calibration)
    known = unknown.gives_probability
    return Judgement(
        profile=NONE,
        threshold=threshold,
        similar=score >= threshold,
        probability=likely if known else None,
        threshold_probability=0.5 if known else None,
        same_kind=score < threshold and float(log_odds(likely, CLIP)) >= unknown.same_kind,
        fit=FitPairs(unknown.pairs, unknown.kinds, unknown.calibration_error),
    )


def _by_profile(score: float, profile: Profile) -> Judgement:
    """The judgement by threshold, calibration and unrelated pairs of a profile."""
    threshold, calibration = profile.threshold, profile.calibration
    return Judgement(
        profile=profile.name,
        threshold=threshold,
        similar=score >= threshold,
        probability=None if calibration is None else probability(score, calibration),
        percentile=percentile(score, profile.quantiles) if profile.quantiles else None,
        corpora=profile.corpora,
        threshold_probability=None if calibration is None else probability(threshold, calibration),
        fit=FitPairs(int(profile.measured["pairs"])) if "pairs" in profile.measured else None,
    )


def judge_translation(
    score: float, threshold: float, name: str, background: Background | None = None
) -> Judgement:
    """Judge whether a text is a translation of the other; there is no probability.

    Args:
        name: of the profile.
        background: of a reference, which gives the percentile.
    """
    place = None if background is None else percentile(score, background.quantiles)
    return Judgement(name, threshold, score >= threshold, percentile=place, corpora=(TRANSLATED,))


def _missing(profiles: Mapping[str, Profile], name: str) -> str:
    return f"the model has no profile {name}" if profiles else "the model has no thresholds"


def _against(score: float, profile: Profile, background: Background) -> Judgement:
    """Judge a score against a reference, whose random pairs give the percentile.

    A profile of one kind keeps its threshold and calibration: in narrower collections of its kind they are right more
    often than a threshold in units of the collection's standard deviation, which is large where many pairs are related
    (docs/log/colde.md). `general` has its threshold in these units, since it does not know the kind, and no
    calibration: on a kind of documents that was left out of training, its calibration error was 0.05 to 0.13.
    """
    place = percentile(score, background.quantiles)
    if profile.name != GENERAL:
        return replace(_by_profile(score, profile), percentile=place)
    threshold = profile.threshold
    if background.score_std and profile.score_std and profile.threshold_sd is not None:
        threshold = profile.threshold_sd * background.score_std
    return Judgement(profile.name, threshold, score >= threshold, None, place, profile.corpora)


def score_at(likely: float, calibration: Calibration) -> float:
    """The score that has this probability, in (0, 1): the inverse of `probability`."""
    known = (float(log_odds(likely, CLIP)) - calibration.offset) / calibration.slope
    return float(from_log_odds(known)) if calibration.log_odds else known


def probability(score: float, calibration: Calibration) -> float:
    """Share of validation pairs scored like this one that are similar."""
    known = float(log_odds(score, CLIP)) if calibration.log_odds else score
    return float(from_log_odds(calibration.slope * known + calibration.offset))


def percentile(score: float, quantiles: Sequence[float]) -> float:
    """Share of unrelated pairs that score lower, in [0, 1], between quantiles by straight lines."""
    return float(np.interp(score, quantiles, np.linspace(0, 1, len(quantiles))))
