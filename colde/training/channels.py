"""Scores of pairs from kept vectors, channel by channel: what the encoder says, what the words say, what both say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from colde.encoders.vectors import normalised
from colde.models.colde import ChannelWeights, ColdeNetwork, WordChannel
from colde.models.colde.late import centred, late_similarity
from colde.models.masked import pad
from colde.results.maps import Array
from colde.text.term_weights import Counts
from colde.training.pairs import TrainingCorpus
from colde.training.vectors import CorpusVectors


@torch.inference_mode()
def document_vectors(network: ColdeNetwork, vectors: CorpusVectors) -> Array:
    """Vectors of whole documents: [documents, projection]."""
    network.eval()
    order = np.argsort(np.diff(vectors.first))  # documents of like length together: little padding
    found = np.zeros((len(order), network.config.projection), dtype=np.float32)
    for at in range(0, len(order), 64):
        some = order[at : at + 64]
        found[some] = network(*pad([torch.from_numpy(vectors.of(int(d))) for d in some])).numpy()
    return found


@torch.inference_mode()
def word_vectors(words: WordChannel, known: Counts) -> Array:
    """Vectors of the words channel: [documents, words] → [documents, dimension]."""
    return np.asarray(words(known).numpy(), dtype=np.float32)


def pair_cosines(vectors: Array, pairs: np.ndarray) -> Array:
    """Cosines of pairs of rows: [documents, dimension], [pairs, 2] → [pairs]."""
    return np.asarray((vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(-1), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Channels:
    """Vectors of the documents of `corpus.whole`, channel by channel, and how pairs of them score.

    Attributes:
        dense: [documents, projection]; trained: [documents, words] or None; exact: TF-IDF rows.
        chunks: of each document, frozen chunk vectors as `late_similarity` compares them.
    """

    dense: Array
    trained: Array | None
    exact: Counts
    chunks: Sequence[Array]

    def score(self, pairs: np.ndarray, shares: ChannelWeights) -> Array:
        """Score pairs of positions as `Colde.match` does: [pairs, 2] → [pairs]."""
        total = shares.dense * pair_cosines(self.dense, pairs)
        if shares.words and self.trained is not None:
            total = total + shares.words * pair_cosines(self.trained, pairs)
        if shares.exact:
            exact = self.exact[pairs[:, 0]].multiply(self.exact[pairs[:, 1]]).sum(1)
            total = total + shares.exact * np.asarray(exact).ravel()
        if shares.late:
            late = [late_similarity(self.chunks[i], self.chunks[j]) for i, j in pairs]
            total = total + shares.late * np.asarray(late)
        return np.asarray(total, dtype=np.float32)


def channels(network: ColdeNetwork, words: WordChannel | None, corpus: TrainingCorpus) -> Channels:
    """The vectors of a corpus' validation documents."""
    rows = corpus.whole_words
    trained = None if words is None else word_vectors(words, words.known(rows))
    chunks = [centred(corpus.whole.of(d), network.centre.numpy()) for d in range(len(corpus.whole.ids))]
    return Channels(document_vectors(network, corpus.whole), trained, rows, chunks)


def recentred(network: ColdeNetwork, corpus: TrainingCorpus) -> ColdeNetwork:
    """Copy the network, centred on the documents of a corpus as `Colde.for_profile` centres it on a reference."""
    own = ColdeNetwork(network.config).eval()
    own.load_state_dict(network.state_dict())
    first, vectors = corpus.whole.first, normalised(corpus.whole.vectors)
    own.centre.copy_(torch.from_numpy(np.mean([vectors[a:b].mean(0) for a, b in pairwise(first)], axis=0)))
    return own
