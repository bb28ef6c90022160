"""`colde train minilm`: profiles of the mean of a document's sentence vectors, from vectors that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from colde.encoders.vector_math import normalised
from colde.models import create
from colde.results.similarity_map import Array
from colde.training.colde_models.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_models.colde_objective import ColdeTraining
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.profile_scores import Scoring, Scorings
from colde.training.trainer import Trainer


class MiniLmTrainer(Trainer):
    """Fits the profiles of `minilm`; nothing is trained."""

    def train(self) -> dict[str, Any]:
        self.corpora = load_vector_corpora(self.run, ColdeTraining().aside)
        return {}

    def held_out(self) -> Sequence[HeldOutPairs]:
        """The pairs of valid.tsv alone, as for other models that are not trained."""
        both = zip(held_out_pairs(self.run, self.corpora), self.corpora, strict=True)
        counts = [(held_out, len(corpus.valid.pairs)) for held_out, corpus in both]
        return [replace(h, pairs=h.pairs[:n], labels=h.labels[:n]) for h, n in counts]

    def scorings(self) -> Scorings:
        return Scorings(mean_vector_cosines(self.corpora))

    def model(self) -> Any:
        return create(self.run.spec.card.name)


fit = MiniLmTrainer.fit


def mean_vector_cosines(corpora: Sequence[VectorCorpus]) -> Scoring:
    """MiniLM's scores from the kept vectors."""
    chunks_of = {c.name: c.chunks for c in corpora}

    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        chunks = [chunks_of[corpus.name][d] for d in corpus.positions]
        means = normalised(np.stack([c.mass @ c.means for c in chunks]))
        return np.asarray((means[pairs[:, 0]] * means[pairs[:, 1]]).sum(-1), dtype=np.float32)

    return score
