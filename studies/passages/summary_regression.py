"""Fits the logistic regression that tells summaries from ordered passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from colde.passages.fitted_limits import FittedLimits
from colde.passages.summaries import SummaryFeatures, SummaryLimits, summary_candidates
from studies.passages.detection_measures import Case, covered
from studies.passages.seed_memory import SearchedPair
from studies.passages.short_answers import INDEPENDENT, AnswerPair

Example = tuple[SummaryFeatures, float]
"""A candidate, and what its detection adds to the measures of its pair; negative where it takes away."""
CLEAN = 3.0
"""Weight of a candidate in a pair without reuse."""
ANSWER = 0.5
"""Weight of the share of a short answer."""
DIGITS = 3


def examples(pairs: Iterable[tuple[Sequence[Case], SearchedPair]], limits: FittedLimits) -> Iterator[Example]:
    """The candidates of pairs, each with its cases."""
    for cases, pair in pairs:
        for features, candidate, ordered in _candidates(pair, limits):
            yield features, added(candidate, ordered, cases) * (1 if cases else CLEAN)


def answer_examples(
    pairs: Iterable[tuple[AnswerPair, SearchedPair]], limits: FittedLimits
) -> Iterator[Example]:
    """The candidates of short answers: a share is wanted of revised ones, and not of independent ones."""
    for answer, pair in pairs:
        for features, candidate, ordered in _candidates(pair, limits):
            share = pair.share([*ordered, candidate]) - pair.share(ordered)
            yield features, ANSWER * (-share if answer.kind == INDEPENDENT else share)


def _candidates(
    pair: SearchedPair, limits: FittedLimits
) -> Iterator[tuple[SummaryFeatures, Case, list[Case]]]:
    """Yield each candidate with its features, and the ordered passages of the pair."""
    ordered = pair.detections(replace(limits, summaries=replace(limits.summaries, intercept=-np.inf)))
    counts = pair.texts[0].counts, pair.texts[1].counts
    for block, features in summary_candidates(pair.seeds, *counts, limits.summaries, limits.joining):
        yield features, pair.detection(block, limits), ordered


def added(candidate: Case, ordered: Sequence[Case], cases: Sequence[Case]) -> float:
    """What a candidate adds to the sums of recall and precision, in place of the detections that lie in it."""
    replaced = [d for d in ordered if covered(d, [candidate])[0] > 1 / 2]
    recall = sum(covered(case, [candidate])[0] - covered(case, replaced)[0] for case in cases)
    wrong = 1 - covered(candidate, cases)[0] - sum(1 - covered(d, cases)[0] for d in replaced)
    return recall - wrong


def fitted(some: Sequence[Example], limits: SummaryLimits) -> SummaryLimits:
    """The limits with the intercept and weights that examples give; an example counts by what it adds or takes."""
    values = np.array([features.values() for features, _ in some])
    gain = np.array([value for _, value in some])
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=1.0).fit(scaler.transform(values), gain > 0, sample_weight=np.abs(gain))
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return replace(
        limits,
        intercept=round(intercept, DIGITS),
        weights=SummaryFeatures(*(round(float(w), DIGITS) for w in weights)),
    )
