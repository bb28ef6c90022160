"""`colde train minilm`: thresholds of the mean of the encoder's sentence vectors, from those that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from colde.encoders.vector_math import normalised
from colde.models import create
from colde.results.similarity_map import Array
from colde.training.colde_corpus import VectorCorpus
from colde.training.colde_fit import HeldOutPairs, held_out_pairs, load_vector_corpora
from colde.training.colde_objective import ColdeTraining
from colde.training.labelled_pairs import PairGraph
from colde.training.threshold_fit import Scoring, fit_profiles
from colde.training.training_run import TrainingRun
from colde.training.untrained_fit import save_with_profiles


def fit(run: TrainingRun) -> Path:
    """Fit the profiles; `colde.training.training_run.FitFunction`."""
    corpora = load_vector_corpora(run, ColdeTraining().aside)
    known = [validation_pairs(k, c) for k, c in zip(held_out_pairs(run, corpora), corpora, strict=True)]
    profiles = fit_profiles(
        mean_vector_cosines({c.name: c for c in corpora}), known, run.seed, folders=run.corpora
    )
    return save_with_profiles(create(run.spec.card.name), profiles, run)


def validation_pairs(known: HeldOutPairs, corpus: VectorCorpus) -> HeldOutPairs:
    """The validation pairs alone, as other models that are not trained are judged."""
    own, count = known.valid, len(corpus.valid.pairs)
    valid = PairGraph(own.similar, own.different, own.pairs[:count], own.labels[:count])
    return replace(known, valid=valid, kind=known.kind[:count])


def mean_vector_cosines(corpora: Mapping[str, VectorCorpus]) -> Scoring:
    """MiniLM's scores from the kept vectors."""

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        chunks = corpora[corpus.name].chunks
        means = normalised(np.stack([chunks[d].mass @ chunks[d].means for d in corpus.positions]))
        return np.asarray((means[pairs[:, 0]] * means[pairs[:, 1]]).sum(-1), dtype=np.float32)

    return score
