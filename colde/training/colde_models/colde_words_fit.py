"""`colde train colde_words`: the word vectors beside the network that ships, and the profiles of their mixture.

Inverse document frequencies and the vocabulary come from documents of the training pairs only, so that the weight of a
word does not depend on the documents on which it is validated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn

from colde.assets import asset
from colde.corpus.corpus_folder import read_records
from colde.judge.profiles import GENERAL
from colde.models.checkpoint import build_config, read_config
from colde.models.colde.contrastive import PairLoss, supervised_contrastive
from colde.models.colde.matcher import Colde
from colde.models.colde.out_of_domain import untrained_view
from colde.models.colde_words.mixture_matcher import ColdeWords, ColdeWordsConfig
from colde.models.colde_words.mixture_weights import Mixture, MixtureWeights
from colde.models.colde_words.tfidf_centre import NO_CENTRE, TfidfCentre
from colde.models.colde_words.trained_words import TrainedWords
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Counts, Statistics, inverse_frequencies, weighted
from colde.training.colde_models.colde_corpus import VectorCorpus, held_out_pairs, load_vector_corpora
from colde.training.colde_models.colde_fit import (
    load_network,
    out_of_domain_scores,
    reference_documents,
    scores_from_vectors,
)
from colde.training.corpora.corpus_cache import cached_word_counts
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.corpora.labelled_pairs import Batch, PairGraph
from colde.training.profile_scores import Scoring, Scorings
from colde.training.steps.objective import ContrastiveObjective
from colde.training.steps.seeding import seeded
from colde.training.steps.training_loop import LoopConfig, run_loop
from colde.training.trainer import Trainer
from colde.training.training_run import TrainingRun


@dataclass(frozen=True, slots=True)
class WordVectorTraining:
    """Hyper-parameters of the words of `colde_words`; figures for the choices stand in docs/log/colde.md."""

    steps: int = 100
    pairs: int = 200  # of each corpus in a step
    rate: float = 1e-2
    dropout: float = 0.3  # share of a document's words left out, at random, each time
    temperature: float = 0.1
    unlabelled: float = 0.1  # weight of pairs without a label as negatives
    warm_up: float = 0.1
    clip: float = 1.0
    aside: float = 0.06  # documents of the development part
    everything: bool = True  # once thresholds are fitted, train again on all pairs


@dataclass(frozen=True, slots=True)
class CorpusWordCounts:
    """Word counts of a corpus, documents as in the pairs of `VectorCorpus`."""

    train: PairGraph
    counts: Counts


def corpus_word_counts(corpus: VectorCorpus, folder: Path, kept: Path) -> CorpusWordCounts:
    """Word counts of the documents in labelled pairs; the folder `kept` stores them."""
    position = {name: i for i, (name, _) in enumerate(read_records(folder))}
    rows = cached_word_counts(folder, kept)[[position[name] for name in corpus.layouts.names]]
    return CorpusWordCounts(corpus.train, Counts(rows))


def training_statistics(corpora: Sequence[CorpusWordCounts]) -> Statistics:
    """Frequencies over the documents of the training pairs, each corpus with the same weight."""
    shares, lengths = [], []
    for corpus in corpora:
        counts = corpus.counts[np.unique(corpus.train.pairs)]
        shares.append(np.bincount(counts.indices, minlength=counts.shape[1]) / counts.shape[0])
        lengths.append(float(counts.sum(1).mean()))
    idf = inverse_frequencies(np.mean(shares, axis=0)).astype(np.float16)  # as a checkpoint keeps them
    return Statistics(idf.astype(np.float32), float(np.mean(lengths)))


class WordVectorObjective(ContrastiveObjective):
    """Contrastive loss and pair loss of whole documents as TF-IDF vectors, of which some words are left out."""

    def __init__(
        self,
        words: TrainedWords,
        corpora: Sequence[CorpusWordCounts],
        settings: WordVectorTraining,
        seed: int,
    ) -> None:
        super().__init__(words, corpora, settings, seed)
        self.words, self.settings = words, settings
        self.pair_loss = PairLoss()
        self.tfidf = [words.known(weighted(c.counts, words.statistics)) for c in corpora]

    def loss(self, batch: Batch, random: np.random.Generator) -> Tensor:
        settings = self.settings
        rows = sparse.vstack([self.tfidf[c][d] for c, d in batch.documents], format="csr")
        z = self.words(rows, settings.dropout)  # [documents, dimension]
        similar, weight = torch.from_numpy(batch.similar), torch.from_numpy(batch.weight)
        ends, labels = torch.from_numpy(batch.pairs), torch.from_numpy(batch.labels)
        cosine = (z[ends[:, 0]] * z[ends[:, 1]]).sum(-1)
        pair_loss: Tensor = self.pair_loss(cosine, labels)
        return supervised_contrastive(z, similar, settings.temperature, weight) / len(z) + pair_loss

    def validate(self) -> float:
        """Not a number: early stopping on documents that were trained on stops too late for new ones."""
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
    """Train the word vectors for all steps."""
    with seeded(seed):
        words = TrainedWords(dimension, training_statistics(corpora))
    objective = WordVectorObjective(words, corpora, settings, seed)
    run_loop(
        nn.ModuleDict({"words": words, "losses": objective.pair_loss}),
        objective,
        LoopConfig.of(
            settings,
            learning_rate=settings.rate,
            weight_decay=0.0,
            validate_every=max(1, settings.steps // 3),  # nothing is measured, but the state is saved
        ),
        seed=seed,
        state=state,
        resume=resume,
        on_progress=on_progress,
        subject="words",
        run={"settings": asdict(settings), "dimension": dimension},
    )
    return words.eval()


def train_on_corpora(
    run: TrainingRun,
    settings: WordVectorTraining,
    dimension: int,
    corpora: Sequence[VectorCorpus],
    state: str,
) -> tuple[list[CorpusWordCounts], TrainedWords]:
    """The word counts of the corpora, and the word vectors trained on their pairs."""
    folder = Path(run.settings.get("counts") or run.work / "counts")
    counts = [corpus_word_counts(c, path, folder) for c, path in zip(corpora, run.corpora, strict=True)]
    words = train_word_vectors(
        counts,
        settings,
        dimension,
        run.seed,
        state=run.output / state,
        resume=run.resume,
        on_progress=run.on_progress,
    )
    return counts, words


Channels = dict[str, Array]
"""Scores of pairs by channel: dense, words, exact."""

ByCorpus = Mapping[str, Callable[[np.ndarray], Channels]]
"""By the name of a corpus, a function from pairs to their scores in each channel."""


def channel_scores(
    held_out: HeldOutPairs,
    dense: Scoring,
    words: TrainedWords,
    counts: CorpusWordCounts,
    centre: TfidfCentre = NO_CENTRE,
) -> Callable[[np.ndarray], Channels]:
    """A function from pairs of a corpus to their scores in each channel."""
    rows = weighted(counts.counts[held_out.positions], words.statistics)
    with torch.inference_mode():
        word_vectors = words(words.known(rows)).numpy()

    def score(pairs: np.ndarray) -> Channels:
        i, j = pairs.T
        return {
            "dense": dense(held_out, pairs),
            "words": (word_vectors[i] * word_vectors[j]).sum(-1),
            "exact": centre.cosines(rows[i], rows[j]),
        }

    return score


def corpus_tfidf_centre(
    corpus: VectorCorpus, counts: CorpusWordCounts, statistics: Statistics
) -> TfidfCentre:
    """The centre of a reference that consists of the corpus itself."""
    return TfidfCentre.of(weighted(Counts(counts.counts[reference_documents(corpus)]), statistics))


def mix_channels(channels: Channels, weights: MixtureWeights) -> Array:
    """The weighted mean of the channels, as `ColdeWords.match` computes it."""
    total = (
        weights.dense * channels["dense"]
        + weights.words * channels["words"]
        + weights.exact * channels["exact"]
    )
    return np.asarray(total, dtype=np.float32)


class ColdeWordsTrainer(Trainer):
    """Trains `colde_words`.

    Profiles are fitted with word vectors that were not trained on the development part. The checkpoint holds vectors
    that were trained on all pairs: word vectors gain by it, the network does not (docs/log/colde.md). The setting
    `network` names the checkpoint of `colde`, by default the one that ships.
    """

    has_untrained_view = True

    def __init__(self, run: TrainingRun) -> None:
        super().__init__(run)
        self.config = build_config(ColdeWordsConfig, run.model, "model")
        self.settings = build_config(WordVectorTraining, run.training, "training")
        self.network = Path(run.settings.get("network") or asset("models", "colde"))

    def train(self) -> dict[str, Any]:
        self.corpora = load_vector_corpora(self.run, self.settings.aside)
        self.counts, self.words = self._train_words(self.corpora, "state")
        return self.run.record(self.settings)

    def _train_words(
        self, corpora: Sequence[VectorCorpus], state: str
    ) -> tuple[list[CorpusWordCounts], TrainedWords]:
        return train_on_corpora(self.run, self.settings, self.config.dimension, corpora, state)

    def held_out(self) -> Sequence[HeldOutPairs]:
        return held_out_pairs(self.run, self.corpora)

    def scorings(self) -> Scorings:
        network, words = load_network(self.network), self.words
        dense, general, around = (
            scores_from_vectors(network, self.corpora),
            scores_from_vectors(untrained_view(network), self.corpora),
            out_of_domain_scores(network, self.corpora),
        )
        by_kind, in_general, with_reference = {}, {}, {}
        for held_out, corpus, counts in zip(self.held_out(), self.corpora, self.counts, strict=True):
            centre = corpus_tfidf_centre(corpus, counts, words.statistics)
            by_kind[corpus.name] = channel_scores(held_out, dense, words, counts)
            in_general[corpus.name] = channel_scores(held_out, general, words, counts)
            with_reference[corpus.name] = channel_scores(held_out, around, words, counts, centre)
        mixture = Mixture.of(self.config.mixture)
        return Scorings(
            profile=_mixed(by_kind, lambda c: mixture.weights(c.profile)),
            general=_mixed(in_general, lambda c: mixture.weights(GENERAL)),
            out_of_domain=_mixed(with_reference, lambda c: mixture.weights(GENERAL, reference=True)),
        )

    def model(self) -> ColdeWords:
        words = self.words
        if self.settings.everything:
            _, words = self._train_words(load_vector_corpora(self.run, 0.0), "everything")
        config = replace(self.config, network=read_config(self.network).weights or "")
        return ColdeWords(Colde.load(self.network), words, config, card=self.run.spec.card)


fit = ColdeWordsTrainer.fit


def _mixed(channels: ByCorpus, weights: Callable[[HeldOutPairs], MixtureWeights]) -> Scoring:
    def score(corpus: HeldOutPairs, pairs: np.ndarray) -> Array:
        return mix_channels(channels[corpus.name](pairs), weights(corpus))

    return score
