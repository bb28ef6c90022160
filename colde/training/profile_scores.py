"""Scores of a model on pairs that it was not trained on, and the profiles fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from colde.corpus.corpus_folder import languages_of_corpus
from colde.judge.calibration import Profile
from colde.judge.profile_fit import CorpusScores, fit_profile, threshold_in_deviations
from colde.judge.profiles import GENERAL
from colde.results.model_score import ScoreKind
from colde.results.similarity_map import Array
from colde.training.corpora.held_out import HeldOutPairs

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
    one, other = drawn.T
    related = np.asarray(corpus.related[one, other], dtype=bool).ravel()
    return np.asarray(drawn[(one != other) & ~related][:count])


def score_corpus(
    corpus: HeldOutPairs, folder: Path, score: Scoring, seed: int, count: int = UNRELATED
) -> CorpusScores:
    """Scores of the validation pairs of a corpus, and of `count` unrelated pairs drawn at random.

    Args:
        folder: of the corpus.
    """
    unrelated = draw_unrelated_pairs(corpus, seed, count)
    different, where = np.unique(unrelated, axis=0, return_inverse=True)  # few documents have few pairs
    scores = score(corpus, different)[where.reshape(-1)]
    languages = tuple(languages_of_corpus(folder))
    return CorpusScores(corpus.name, score(corpus, corpus.pairs), corpus.labels, scores, languages)


def fit_profiles(
    scorings: Scorings,
    corpora: Sequence[HeldOutPairs],
    folders: Sequence[Path],
    seed: int,
    count: int,
    score_kind: ScoreKind,
) -> dict[str, Profile]:
    """A profile for each corpus, and `general`: all of them, each with the same weight.

    Related and unrelated pairs of a corpus have the same weight, too: calibrations are for the prior 0.5.

    Args:
        folders: of the corpora.
        count: unrelated pairs of each corpus; fewer for a model that encodes each pair.
        score_kind: the scale of the scores, as on the model's card; probabilities are calibrated by their log-odds.
    """
    known = list(zip(corpora, folders, strict=True))
    scores = [score_corpus(c, folder, scorings.profile, seed, count) for c, folder in known]
    general = scorings.general
    pooled = (
        scores if general is None else [score_corpus(c, folder, general, seed, count) for c, folder in known]
    )
    profiles = {
        c.profile: fit_profile(c.profile, [s], score_kind) for c, s in zip(corpora, scores, strict=True)
    }
    fitted = fit_profile(GENERAL, pooled, score_kind)
    if scorings.out_of_domain is not None:
        outside = [score_corpus(c, folder, scorings.out_of_domain, seed) for c, folder in known]
        fitted = replace(fitted, threshold_sd=threshold_in_deviations(outside))
    return {GENERAL: fitted, **profiles}
