"""Thresholds, calibrations and backgrounds of a model, from pairs that it was not trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from colde.corpus.corpus_folder import languages_of_corpus
from colde.judge.calibration import Profile
from colde.judge.calibration_fit import best_threshold
from colde.judge.calibration_fit import fit_profile as fit_to_scores
from colde.judge.profiles import GENERAL
from colde.results.model_score import ScoreKind
from colde.results.prior import BALANCED, prior_weights
from colde.results.similarity_map import Array
from colde.training.held_out import HeldOutPairs

UNRELATED = 2_000
"""Random pairs of each corpus that a background is made of."""

Scoring = Callable[[HeldOutPairs, np.ndarray], Array]
"""Corpus and pairs of positions in `HeldOutPairs.ids` [pairs, 2] → scores [pairs]."""


@dataclass(frozen=True, slots=True)
class Scorings:
    """How a model scores pairs.

    Attributes:
        profile: under the profile of their corpus.
        general: under `general`, where that differs.
        out_of_domain: under `general` with a reference, where that differs.
    """

    profile: Scoring
    general: Scoring | None = None
    out_of_domain: Scoring | None = None


def draw_unrelated_pairs(corpus: HeldOutPairs, seed: int, count: int = UNRELATED) -> np.ndarray:
    """Pairs of documents drawn at random that no label calls similar: [pairs, 2]."""
    random = np.random.default_rng((seed, len(corpus.ids)))
    drawn = random.integers(len(corpus.ids), size=(4 * count, 2))
    keep = [i != j and not corpus.related[i, j] for i, j in drawn]
    return np.asarray(drawn[keep][:count])


@dataclass(frozen=True, slots=True)
class _Scores:
    """Scores of a corpus: of its labelled pairs, and of unrelated ones."""

    name: str
    labelled: Array
    labels: np.ndarray
    unrelated: Array

    @classmethod
    def of(cls, corpus: HeldOutPairs, score: Scoring, seed: int, count: int) -> _Scores:
        unrelated = draw_unrelated_pairs(corpus, seed, count)
        different, where = np.unique(unrelated, axis=0, return_inverse=True)  # few documents have few pairs
        scores = score(corpus, different)[where.reshape(-1)]
        return cls(corpus.name, score(corpus, corpus.pairs), corpus.labels, scores)


def fit_profiles(
    scorings: Scorings,
    corpora: Sequence[HeldOutPairs],
    folders: Sequence[Path],
    seed: int,
    count: int,
    kind: ScoreKind,
) -> dict[str, Profile]:
    """A profile for each corpus, and `general`: all of them, each with the same weight.

    Related and unrelated pairs of a corpus have the same weight, too: calibrations are for the prior 0.5.

    Args:
        folders: of the corpora.
        count: unrelated pairs of each corpus; fewer for a model that encodes each pair.
        kind: the scale of the scores, as on the model's card; probabilities are calibrated by their log-odds.
    """
    languages = [languages_of_corpus(folder) for folder in folders]
    scores = [_Scores.of(c, scorings.profile, seed, count) for c in corpora]
    general = scorings.general
    pooled = scores if general is None else [_Scores.of(c, general, seed, count) for c in corpora]
    profiles = {
        c.profile: _fit(c.profile, [s], [known], kind)
        for c, s, known in zip(corpora, scores, languages, strict=True)
    }
    fitted = _fit(GENERAL, pooled, languages, kind)
    if scorings.out_of_domain is not None:
        fitted = replace(fitted, threshold_sd=threshold_in_deviations(scorings.out_of_domain, corpora, seed))
    return {GENERAL: fitted, **profiles}


def fit_corpus_profile(
    score: Scoring, corpus: HeldOutPairs, folder: Path, seed: int, count: int, kind: ScoreKind
) -> Profile:
    """The profile of one corpus; arguments as in `fit_profiles`."""
    scores = _Scores.of(corpus, score, seed, count)
    return _fit(corpus.profile, [scores], [languages_of_corpus(folder)], kind)


def _fit(
    name: str, corpora: Sequence[_Scores], languages: Sequence[Sequence[str]], kind: ScoreKind
) -> Profile:
    """A profile of corpora, with their names and languages; each has the same weight and its own spread."""
    fitted = fit_to_scores(
        name,
        np.concatenate([c.labelled for c in corpora]).tolist(),
        np.concatenate([c.labels for c in corpora]).tolist(),
        np.concatenate([c.unrelated for c in corpora]).tolist(),
        _balanced_weights([c.labels for c in corpora]).tolist(),
        np.concatenate(
            [np.full(len(c.labels), np.std(c.unrelated, dtype=np.float64)) for c in corpora]
        ).tolist(),
        probabilities=kind == "probability",
    )
    codes = dict.fromkeys(code for known in languages for code in known)
    return replace(fitted, corpora=tuple(c.name for c in corpora), languages=tuple(codes))


def threshold_in_deviations(score: Scoring, corpora: Sequence[HeldOutPairs], seed: int) -> float:
    """The threshold of best accuracy in units of the spread of unrelated pairs, each corpus with the same weight."""
    scores = [score(c, c.pairs) / np.std(score(c, draw_unrelated_pairs(c, seed))) for c in corpora]
    labels = [c.labels for c in corpora]
    return best_threshold(np.concatenate(scores), np.concatenate(labels), _balanced_weights(labels))


def _balanced_weights(labels: Sequence[np.ndarray]) -> np.ndarray:
    """Weights of all pairs, of mean 1: each corpus has the same sum, and so have its related and unrelated pairs."""
    total = sum(map(len, labels))
    return np.concatenate([prior_weights(one, BALANCED) * total / (len(labels) * len(one)) for one in labels])
