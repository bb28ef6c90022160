"""Training of LDA: topics of the documents in training pairs, by scikit-learn's online variational inference."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from colde.corpus.corpus_folder import read_pairs, read_records
from colde.models.checkpoint import build_config
from colde.results.progress import Progress, Stage
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Counts, distinctive_columns, shipped_statistics
from colde.training.corpora.corpus_cache import cached_word_counts
from colde.training.corpora.held_out import HeldOutPairs, validation_pairs
from colde.training.profile_scores import Scorings
from colde.training.trainer import Trainer
from studies.papers.lda import Lda, Topics, topic_similarity


@dataclass(frozen=True, slots=True)
class LdaTraining:
    """Settings of a run."""

    topics: int = 100
    words: int = 6_000  # those in most training documents, without those in over 15 % of them
    passes: int = 4  # over all training documents


class LdaTrainer(Trainer):
    """Fits topics to the training documents of all corpora."""

    def train(self) -> dict[str, Any]:
        run = self.run
        training = build_config(LdaTraining, run.training, "training")
        kept = Path(run.settings.get("counts") or run.work / "counts")
        begun = time.process_time()
        self.counts = [cached_word_counts(folder, kept) for folder in run.corpora]
        self.names = [[name for name, _ in read_records(folder)] for folder in run.corpora]
        seen = [_in_training(folder, names) for folder, names in zip(run.corpora, self.names, strict=True)]
        topics = fit_topics([r[s] for r, s in zip(self.counts, seen, strict=True)], training, run.seed)
        self.lda = Lda(topics, card=run.spec.card)
        return {
            **run.record(training),
            "documents": {c.name: len(s) for c, s in zip(run.corpora, seen, strict=True)},
            "seconds": round(time.process_time() - begun, 1),
        }

    def held_out(self) -> Sequence[HeldOutPairs]:
        return [validation_pairs(folder, self.run.profile_of(folder)) for folder in self.run.corpora]

    def scorings(self) -> Scorings:
        shares: dict[str, list[Any]] = {}
        for corpus, names, counts in zip(self.held_out(), self.names, self.counts, strict=True):
            position = {name: i for i, name in enumerate(names)}
            shares[corpus.name] = [self.lda.shares(counts[position[n]]) for n in corpus.ids]
            if self.run.on_progress is not None:
                done = Progress(Stage.WORDS, len(shares), len(self.names), subject=corpus.name)
                self.run.on_progress(done)

        def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
            topics = shares[corpus.name]
            return np.array([topic_similarity(topics[i], topics[j]) for i, j in pairs], dtype=np.float32)

        return Scorings(score)

    def model(self) -> Lda:
        return self.lda


fit = LdaTrainer.fit


def fit_topics(corpora: Sequence[Counts], training: LdaTraining, seed: int) -> Topics:
    """Topics of the documents of all corpora, each given as word counts [documents, BUCKETS]."""
    from sklearn.decomposition import LatentDirichletAllocation

    held = np.mean([np.bincount(c.indices, minlength=c.shape[1]) / max(c.shape[0], 1) for c in corpora], 0)
    telling = distinctive_columns(shipped_statistics())
    chosen = np.sort(telling[np.argsort(-held[telling], kind="stable")[: training.words]])
    table = sparse.vstack([c[:, chosen] for c in corpora], format="csr")
    model = LatentDirichletAllocation(
        training.topics, learning_method="online", batch_size=256, max_iter=training.passes, random_state=seed
    )
    model.fit(table)
    weights = np.log(model.components_).astype(np.float16)  # as a checkpoint keeps them
    return Topics(chosen, weights.astype(np.float32), float(model.doc_topic_prior_))


def _in_training(folder: Path, names: Sequence[str]) -> np.ndarray:
    """Positions of the documents that stand in training pairs, rising."""
    seen = {n for p in read_pairs(folder / "train.tsv") for n in (p.source, p.target)}
    return np.array([i for i, name in enumerate(names) if name in seen])
