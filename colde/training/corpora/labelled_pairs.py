"""Labelled pairs as a graph, and batches drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import block_diag

from colde.corpus.corpus_folder import Pair
from colde.errors import CorpusError


@dataclass(frozen=True, slots=True)
class PairGraph:
    """Labelled pairs of a corpus, and the graphs of similar and of different documents.

    A positive is an edge, not a shared label: a document linked to two groups belongs to both (docs/departures.md).

    Attributes:
        similar, different: [documents, documents] by position, symmetric.
        pairs: [pairs, 2]; labels: [pairs].
    """

    similar: sparse.csr_matrix
    different: sparse.csr_matrix
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]


class TrainedOn(Protocol):
    """A corpus with training pairs."""

    @property
    def train(self) -> PairGraph: ...


def pair_graph(pairs: Sequence[Pair], names: Sequence[str], corpus: Path) -> PairGraph:
    """Labelled pairs as positions in `names` and as two symmetric matrices.

    Raises:
        CorpusError: a pair has no label, or names a document that is not in `names`.
    """
    ends, labels = pair_arrays(pairs, {name: i for i, name in enumerate(names)}, corpus)
    similar, different = (symmetric_matrix(ends[labels == label], len(names)) for label in (1, 0))
    return PairGraph(similar, different, ends, labels)


def pair_arrays(
    pairs: Sequence[Pair], position: Mapping[str, int], corpus: Path
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions [pairs, 2] and labels [pairs]; errors as in `pair_graph`."""
    try:
        ends = [(position[p.source], position[p.target]) for p in pairs]
    except KeyError as error:
        raise CorpusError(f"{corpus}: a pair names the document {error}, which is not there") from None
    if any(p.label is None for p in pairs):
        raise CorpusError(f"{corpus}: a pair has no label")
    return np.array(ends, np.int64).reshape(-1, 2), np.array([p.label for p in pairs], np.int64)


def symmetric_matrix(pairs: NDArray[np.int64], count: int) -> sparse.csr_matrix:
    """True at both places of each pair: [count, count]."""
    i, j = pairs.T
    ones = np.ones(2 * len(i), dtype=bool)
    return sparse.csr_matrix((ones, (np.r_[i, j], np.r_[j, i])), shape=(count, count))


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs of several corpora and all documents in them.

    Attributes:
        documents: (corpus, position) of each document.
        pairs: [pairs, 2], positions in `documents`; labels: [pairs].
        similar: [documents, documents], edges of the training graph.
        weight: [documents, documents], of each pair as a negative: 1 if labelled 0, `unlabelled` for other pairs of one
            corpus, 0 across corpora, which would teach the model to separate corpora.
    """

    documents: tuple[tuple[int, int], ...]
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]
    similar: NDArray[np.bool_]
    weight: NDArray[np.float32]


def draw_batch(
    corpora: Sequence[TrainedOn], pairs: int, unlabelled: float, random: np.random.Generator
) -> Batch:
    """Draw `pairs` training pairs of each corpus at random."""
    documents: list[tuple[int, int]] = []
    ends, labels, similar, weight = [], [], [], []
    for c, corpus in enumerate(corpora):
        graph = corpus.train
        chosen = random.choice(len(graph.pairs), size=min(pairs, len(graph.pairs)), replace=False)
        members, position = np.unique(graph.pairs[chosen], return_inverse=True)
        ends.append(position.reshape(-1, 2) + len(documents))
        labels.append(graph.labels[chosen])
        documents.extend((c, int(d)) for d in members)
        similar.append(graph.similar[members][:, members].toarray())
        different = graph.different[members][:, members].toarray()
        weight.append(np.where(different, 1.0, unlabelled))
    return Batch(
        tuple(documents),
        np.concatenate(ends),
        np.concatenate(labels),
        block_diag(*similar).astype(bool),
        block_diag(*weight).astype(np.float32),
    )
