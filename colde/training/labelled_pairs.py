"""Labelled pairs as a graph, and batches drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.corpus.corpus_folder import Pair, read_pairs
from colde.errors import CorpusError
from colde.judge.profiles import profile_of


@dataclass(frozen=True, slots=True)
class PairGraph:
    """Graph of the documents of a corpus that are known to be similar, and of those known not to be.

    A document linked to two groups belongs to both: a positive is an edge, not a shared label (docs/departures.md).

    Attributes:
        similar, different: [documents, documents] by their positions, symmetric.
        pairs: [pairs, 2]; labels: [pairs].
    """

    similar: sparse.csr_matrix
    different: sparse.csr_matrix
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]


class Documents(Protocol):
    """Documents by position."""

    @property
    def ids(self) -> tuple[str, ...]: ...


class LabelledPairs(Protocol):
    """Pairs of positions [pairs, 2] and their labels [pairs]."""

    @property
    def pairs(self) -> NDArray[np.int64]: ...
    @property
    def labels(self) -> NDArray[np.int64]: ...


class ProfileCorpus(Protocol):
    """Corpus that thresholds are fitted on: its validation pairs, and which of its documents are related."""

    @property
    def name(self) -> str: ...
    @property
    def profile(self) -> str: ...
    @property
    def whole(self) -> Documents: ...
    @property
    def valid(self) -> LabelledPairs: ...
    @property
    def related(self) -> sparse.csr_matrix: ...


class TrainedOn(Protocol):
    """A corpus by the pairs it is trained on."""

    @property
    def train(self) -> PairGraph: ...


@dataclass(frozen=True, slots=True)
class DocumentIds:
    """Ids by position."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledCorpus:
    """A `ProfileCorpus` without vectors or texts."""

    name: str
    profile: str
    whole: DocumentIds
    valid: PairGraph
    related: sparse.csr_matrix


def labelled_corpus(folder: Path) -> LabelledCorpus:
    """The validation pairs of a corpus, from its tables alone."""
    train, valid = (read_pairs(folder / f"{split}.tsv") for split in ("train", "valid"))
    ids = tuple(sorted({name for p in valid for name in (p.source, p.target)}))
    index = {name: i for i, name in enumerate(ids)}
    both = [p for p in train if p.source in index and p.target in index] + valid
    return LabelledCorpus(
        folder.name,
        profile_of(folder.name),
        DocumentIds(ids),
        graph(valid, index, folder),
        graph(both, index, folder).similar,
    )


def graph(pairs: Sequence[Pair], index: Mapping[str, int], folder: Path) -> PairGraph:
    """The pairs as positions (`index`: document id → position) and as two symmetric matrices."""
    try:
        ends = np.array([(index[p.source], index[p.target]) for p in pairs], dtype=np.int64).reshape(-1, 2)
    except KeyError as error:
        raise CorpusError(f"{folder}: a pair names the document {error}, which is not there") from None
    if any(p.label is None for p in pairs):
        raise CorpusError(f"{folder}: a pair has no label")
    labels = np.array([p.label for p in pairs], dtype=np.int64)
    size = len(index)

    def matrix(label: int) -> sparse.csr_matrix:
        i, j = ends[labels == label].T
        ones = np.ones(2 * len(i), dtype=bool)
        return sparse.csr_matrix((ones, (np.r_[i, j], np.r_[j, i])), shape=(size, size))

    return PairGraph(matrix(1), matrix(0), ends, labels)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs of several corpora and all documents in them.

    Attributes:
        documents: one (corpus, position) a document.
        pairs: [pairs, 2], positions in `documents`; labels: [pairs].
        similar: [documents, documents], bool: an edge of the training graph, in whatever pair it was drawn.
        weight: [documents, documents]: how much a pair counts as a negative: 1 labelled so, `unlabelled`
            for other pairs of one corpus, 0 across corpora (they would teach to tell corpora apart).
    """

    documents: tuple[tuple[int, int], ...]
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]
    similar: NDArray[np.bool_]
    weight: NDArray[np.float32]


def draw_batch(
    corpora: Sequence[TrainedOn], pairs: int, unlabelled: float, random: np.random.Generator
) -> Batch:
    """So many training pairs of each corpus, at random."""
    documents: list[tuple[int, int]] = []
    found_pairs, found_labels, similar, weight = [], [], [], []
    for c, corpus in enumerate(corpora):
        known = corpus.train
        chosen = random.choice(len(known.pairs), size=min(pairs, len(known.pairs)), replace=False)
        members, position = np.unique(known.pairs[chosen], return_inverse=True)
        found_pairs.append(position.reshape(-1, 2) + len(documents))
        found_labels.append(known.labels[chosen])
        documents.extend((c, int(d)) for d in members)
        similar.append(known.similar[members][:, members].toarray())
        different = known.different[members][:, members].toarray()
        weight.append(np.where(different, 1.0, unlabelled))
    return Batch(
        tuple(documents),
        np.concatenate(found_pairs),
        np.concatenate(found_labels),
        _blocks(similar).astype(bool),
        _blocks(weight).astype(np.float32),
    )


def _blocks(parts: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    """The parts on the diagonal, zero elsewhere."""
    from scipy.linalg import block_diag

    whole: NDArray[np.generic] = block_diag(*parts)
    return whole
