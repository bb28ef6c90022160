"""The words channel of `colde_words`: trained on the network's pairs, its statistics from their documents.

Inverse document frequencies and the vocabulary come from documents of the training pairs alone: what a word is worth
must not be known from the documents it is tried on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn

from colde.corpus.corpus_folder import read_records
from colde.models.colde.contrastive import PairLoss, supervised_contrastive
from colde.models.colde_words.trained_words import TrainedWords
from colde.results.progress import OnProgress
from colde.text.term_weights import Counts, Statistics, inverse_frequencies, weighted
from colde.training.colde_corpus import VectorCorpus
from colde.training.corpus_cache import cached_word_counts
from colde.training.labelled_pairs import Batch, PairGraph, draw_batch
from colde.training.objective import StepResult
from colde.training.seeding import seeded
from colde.training.training_loop import LoopConfig, run_loop


@dataclass(frozen=True, slots=True)
class WordVectorTraining:
    """Hyper-parameters of the words of `colde_words`; figures for the choices stand in docs/results.md."""

    steps: int = 100
    pairs: int = 200  # of each corpus in a step
    rate: float = 1e-2
    dropout: float = 0.3  # share of a document's words left out, at random, each time
    temperature: float = 0.1
    unlabelled: float = 0.1  # weight of pairs without a label as negatives
    warm_up: float = 0.1
    clip: float = 1.0
    aside: float = 0.06  # documents of the development part
    everything: bool = True  # train anew on all pairs once thresholds are fitted


@dataclass(frozen=True, slots=True)
class CorpusWordCounts:
    """Word counts of a corpus, documents as in the pairs of `VectorCorpus`."""

    train: PairGraph
    counts: Counts


def corpus_word_counts(corpus: VectorCorpus, folder: Path, kept: Path) -> CorpusWordCounts:
    """Counts of the documents that stand in pairs, kept in the folder `kept`."""
    position = {name: i for i, (name, _) in enumerate(read_records(folder))}
    rows = cached_word_counts(folder, kept)[[position[name] for name in corpus.layouts.names]]
    return CorpusWordCounts(corpus.train, Counts(rows))


def training_statistics(corpora: Sequence[CorpusWordCounts]) -> Statistics:
    """Frequencies over the documents of the training pairs, each corpus with the same weight."""
    shares, lengths = [], []
    for corpus in corpora:
        own = corpus.counts[np.unique(corpus.train.pairs)]
        shares.append(np.bincount(own.indices, minlength=own.shape[1]) / own.shape[0])
        lengths.append(float(own.sum(1).mean()))
    idf = inverse_frequencies(np.mean(shares, axis=0)).astype(np.float16)  # as a checkpoint keeps them
    return Statistics(idf.astype(np.float32), float(np.mean(lengths)))


class WordVectorObjective:
    """The two losses of the words channel, on TF-IDF rows of which some words are left out."""

    def __init__(
        self,
        words: TrainedWords,
        corpora: Sequence[CorpusWordCounts],
        settings: WordVectorTraining,
        seed: int,
    ) -> None:
        self.words, self.corpora, self.settings, self.seed = words, corpora, settings, seed
        self.pair_loss = PairLoss()
        self.known = [words.known(weighted(c.counts, words.statistics)) for c in corpora]

    def gradients(self, step: int) -> StepResult:
        settings = self.settings
        random = np.random.default_rng((self.seed, step))
        batch = draw_batch(self.corpora, settings.pairs, settings.unlabelled, random)
        loss = word_vector_loss(self.words, self.pair_loss, batch, self.known, settings)
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(loss.item())

    def validate(self) -> float:
        """Nothing is measured: what is stopped by known documents is stopped too late for new ones."""
        return math.nan


def train_word_vectors(
    corpora: Sequence[CorpusWordCounts],
    settings: WordVectorTraining,
    dimension: int = 256,
    seed: int = 0,
    *,
    state: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> TrainedWords:
    """Train the words channel for all its steps."""
    with seeded(seed):
        words = TrainedWords(dimension, training_statistics(corpora))
    objective = WordVectorObjective(words, corpora, settings, seed)
    run_loop(
        nn.ModuleDict({"words": words, "losses": objective.pair_loss}),
        objective,
        LoopConfig(
            steps=settings.steps,
            learning_rate=settings.rate,
            weight_decay=0.0,
            warm_up=settings.warm_up,
            clip=settings.clip,
            validate_every=max(1, settings.steps // 3),  # nothing is, but the state is saved
        ),
        seed=seed,
        state=state,
        resume=resume,
        on_progress=on_progress,
        subject="words",
        run={"settings": asdict(settings), "dimension": dimension},
    )
    return words.eval()


def word_vector_loss(
    words: TrainedWords,
    pair_loss: PairLoss,
    batch: Batch,
    known: Sequence[Counts],
    settings: WordVectorTraining,
) -> Tensor:
    """Contrastive loss and pair loss of the words channel, over whole documents of which some words are left out.

    Args:
        known: of each corpus, the TF-IDF of its documents over the channel's words: [documents, words].
    """
    rows = sparse.vstack([known[c][d] for c, d in batch.documents], format="csr")
    z = words(rows, settings.dropout)  # [documents, dimension]
    similar, weight = torch.from_numpy(batch.similar), torch.from_numpy(batch.weight)
    ends, labels = torch.from_numpy(batch.pairs), torch.from_numpy(batch.labels)
    cosine = (z[ends[:, 0]] * z[ends[:, 1]]).sum(-1)
    term: Tensor = pair_loss(cosine, labels)
    return supervised_contrastive(z, similar, settings.temperature, weight) / len(z) + term
