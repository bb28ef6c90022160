"""Thresholds, calibrations and backgrounds of a model, from the validation pairs of each corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from colde.corpus.corpus_folder import languages_of_corpus
from colde.judge.calibration import Profile, best_threshold, fit_profile
from colde.judge.profiles import GENERAL
from colde.results.model_score import ScoreKind
from colde.results.similarity_map import Array
from colde.training.labelled_pairs import ProfileCorpus

UNRELATED = 2_000  # random pairs a background is drawn from


def draw_unrelated_pairs(corpus: ProfileCorpus, seed: int, count: int = UNRELATED) -> np.ndarray:
    """Pairs of validation documents drawn at random that no label calls similar: [pairs, 2]."""
    random = np.random.default_rng((seed, len(corpus.whole.ids)))
    drawn = random.integers(len(corpus.whole.ids), size=(4 * count, 2))
    keep = [i != j and not corpus.related[i, j] for i, j in drawn]
    return np.asarray(drawn[keep][:count])


Scoring = Callable[[Any, np.ndarray], Array]
"""Corpus and pairs of positions in `corpus.whole` [pairs, 2] → scores [pairs]."""


def fit_profiles(
    score: Scoring,
    corpora: Sequence[ProfileCorpus],
    seed: int = 0,
    general: Scoring | None = None,
    out_of_domain: Scoring | None = None,
    count: int = UNRELATED,
    kind: ScoreKind = "cosine",
    folders: Sequence[Path] = (),
) -> dict[str, Profile]:
    """A profile for each corpus, and `general`: all of them, each with the same weight.

    Each profile records the names of the corpora that it was fitted on.

    Args:
        score: how pairs score under the profile of their corpus.
        general: how they score under `general`, where that differs.
        strange: how they score under `general` with a reference, where that differs.
        count: unrelated pairs of each corpus; fewer for a model that reads each pair anew.
        kind: the scale of the scores, as on the model's card; probabilities are calibrated by their log-odds.
        folders: of the corpora; each profile then records the languages of their documents, too.
    """
    languages = {folder.name: languages_of_corpus(folder) for folder in folders}
    probabilities = kind == "probability"
    found: dict[str, Profile] = {}
    scores, labels, weights, backgrounds, spreads = [], [], [], [], []
    for corpus in corpora:
        unrelated = draw_unrelated_pairs(corpus, seed, count)
        s, background = score(corpus, corpus.valid.pairs), score(corpus, unrelated)
        name = corpus.profile
        fitted = fit_profile(
            name,
            s.tolist(),
            corpus.valid.labels.tolist(),
            background.tolist(),
            probabilities=probabilities,
        )
        found[name] = replace(fitted, corpora=(corpus.name,), languages=tuple(languages.get(corpus.name, ())))
        if general is not None:
            s, background = general(corpus, corpus.valid.pairs), general(corpus, unrelated)
        scores.append(s)
        labels.append(corpus.valid.labels)
        weights.append(np.full(len(s), 1 / len(s)))
        backgrounds.append(background)
        spreads.append(np.full(len(s), np.std(background)))
    pooled = np.concatenate(weights)
    everything = fit_profile(
        GENERAL,
        np.concatenate(scores).tolist(),
        np.concatenate(labels).tolist(),
        np.concatenate(backgrounds).tolist(),
        (pooled * len(pooled) / pooled.sum()).tolist(),
        np.concatenate(spreads).tolist(),
        probabilities=probabilities,
    )
    if out_of_domain is not None:
        everything = replace(everything, threshold_sd=threshold_in_deviations(out_of_domain, corpora, seed))
    everything = replace(
        everything,
        corpora=tuple(c.name for c in corpora),
        languages=tuple(dict.fromkeys(code for p in found.values() for code in p.languages)),
    )
    return {GENERAL: everything, **found}


def threshold_in_deviations(score: Scoring, corpora: Sequence[ProfileCorpus], seed: int) -> float:
    """The threshold of best accuracy in units of the spread of unrelated pairs, each corpus with the same weight."""
    scores = [score(c, c.valid.pairs) / np.std(score(c, draw_unrelated_pairs(c, seed))) for c in corpora]
    weights = np.concatenate([np.full(len(s), 1 / len(s)) for s in scores])
    labels = np.concatenate([c.valid.labels for c in corpora])
    return best_threshold(np.concatenate(scores), labels, weights * len(weights) / weights.sum())
