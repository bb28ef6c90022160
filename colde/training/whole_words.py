"""The words channel of `colde_words`: trained on the network's pairs, its statistics from their documents.

Inverse document frequencies and the vocabulary come from documents of the training pairs alone: what a word is worth
must not be known from the documents it is tried on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from colde.data.corpus import read_records
from colde.models.colde.word_channel import WordChannel
from colde.text.term_weights import Counts, Statistics, inverse_frequencies, weighted
from colde.training.batch_loss import words_loss
from colde.training.losses import PairLoss
from colde.training.pairs import PairGraph, draw
from colde.training.settings import TrainConfig
from colde.training.vectors import kept_counts
from colde.training.whole_data import WholeCorpus


@dataclass(frozen=True, slots=True)
class WordCorpus:
    """Word counts of a corpus, documents as in the pairs of `WholeCorpus`."""

    train: PairGraph
    counts: Counts


def word_corpus(corpus: WholeCorpus, folder: Path, kept: Path) -> WordCorpus:
    """Counts of the documents that stand in pairs, kept in the folder `kept`."""
    position = {name: i for i, (name, _) in enumerate(read_records(folder))}
    rows = kept_counts(folder, kept)[[position[name] for name in corpus.layouts.names]]
    return WordCorpus(corpus.train, Counts(rows))


def training_statistics(corpora: Sequence[WordCorpus]) -> Statistics:
    """Frequencies over the documents of the training pairs, each corpus with the same weight."""
    shares, lengths = [], []
    for corpus in corpora:
        own = corpus.counts[np.unique(corpus.train.pairs)]
        shares.append(np.bincount(own.indices, minlength=own.shape[1]) / own.shape[0])
        lengths.append(float(own.sum(1).mean()))
    idf = inverse_frequencies(np.mean(shares, axis=0)).astype(np.float16)  # as a checkpoint keeps them
    return Statistics(idf.astype(np.float32), float(np.mean(lengths)))


def train_words(
    corpora: Sequence[WordCorpus], training: TrainConfig, dimension: int = 256, seed: int = 0
) -> WordChannel:
    """All steps, without choosing among them: what is stopped by known documents is stopped too late for new ones."""
    torch.manual_seed(seed)
    words, pair_loss = WordChannel(dimension, training_statistics(corpora)), PairLoss()
    known = [words.known(weighted(c.counts, words.statistics)) for c in corpora]
    both = nn.ModuleList([words, pair_loss])
    optimiser = torch.optim.AdamW(both.parameters(), lr=training.words_rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, training.words_rate, total_steps=training.words_steps, pct_start=training.warm_up
    )
    for step in range(training.words_steps):
        random = np.random.default_rng((seed, step))
        torch.manual_seed((seed << 32) + step)
        batch = draw(corpora, training.words_pairs, training.unlabelled, random)
        optimiser.zero_grad()
        words_loss(words, pair_loss, batch, known, training).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(both.parameters(), training.clip)
        optimiser.step()
        schedule.step()
    return words.eval()
