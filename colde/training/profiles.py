"""Thresholds, calibrations and backgrounds of a model, from the validation pairs of each corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from colde.calibration import fit_profile
from colde.models.base import Profile
from colde.similarity import Array
from colde.training.pairs import TrainingCorpus

PROFILE_OF = {"acl": "papers", "wiki": "encyclopedia", "peps": "proposals", "textbooks": "textbooks"}
"""Corpus folder → the profile its validation pairs define."""

UNRELATED = 2_000  # random pairs a background is drawn from


def unrelated_pairs(corpus: TrainingCorpus, seed: int) -> np.ndarray:
    """Pairs of validation documents drawn at random that no label calls similar: [pairs, 2]."""
    random = np.random.default_rng((seed, len(corpus.whole.ids)))
    drawn = random.integers(len(corpus.whole.ids), size=(4 * UNRELATED, 2))
    keep = [i != j and not corpus.related[i, j] for i, j in drawn]
    return np.asarray(drawn[keep][:UNRELATED])


def fit_profiles(
    score: Callable[[TrainingCorpus, np.ndarray], Array], corpora: Sequence[TrainingCorpus], seed: int = 0
) -> dict[str, Profile]:
    """A profile for each corpus, and `general`: all of them, each with the same weight.

    Args:
        score: corpus and pairs of positions in `corpus.whole` [pairs, 2] → scores [pairs].
    """
    found: dict[str, Profile] = {}
    scores, labels, weights, backgrounds = [], [], [], []
    for corpus in corpora:
        s = score(corpus, corpus.valid.pairs)
        background = score(corpus, unrelated_pairs(corpus, seed))
        name = PROFILE_OF.get(corpus.name, corpus.name)
        found[name] = fit_profile(name, s.tolist(), corpus.valid.labels.tolist(), background.tolist())
        scores.append(s)
        labels.append(corpus.valid.labels)
        weights.append(np.full(len(s), 1 / len(s)))
        backgrounds.append(background)
    pooled = np.concatenate(weights)
    general = fit_profile(
        "general",
        np.concatenate(scores).tolist(),
        np.concatenate(labels).tolist(),
        np.concatenate(backgrounds).tolist(),
        (pooled * len(pooled) / pooled.sum()).tolist(),
    )
    return {"general": general, **found}
