"""Corpora as chunks of kept sentence vectors, and batches of them, for training CoLDE's network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from colde.corpus.corpus_folder import Pair, read_pairs
from colde.encoders.sentence_layout import split_segments
from colde.encoders.vector_math import group_sums
from colde.models.colde.augmentation import pad_segments
from colde.results.similarity_map import Array
from colde.training.development_split import split_development, unseen
from colde.training.labelled_pairs import PairGraph
from colde.training.sentence_vectors import (
    CorpusLayout,
    StoredVectors,
    TokenBudgets,
    load_layout,
    open_stored_vectors,
)


@dataclass(frozen=True, slots=True)
class PooledChunks:
    """The chunks of a document, or the segments of its chunks.

    Attributes:
        means: [chunks, width], token-weighted means of the unit vectors of its sentences.
        mass: [chunks], tokens of the whole chunk, read or not, as a share of the document.
        part: [chunks], p, rising.
    """

    means: Array
    mass: Array
    part: NDArray[np.int64]


@dataclass(frozen=True)
class VectorCorpus:
    """A corpus with its kept vectors; documents by their position in `layouts.names`.

    Attributes:
        train: pairs that are trained on. one, none: pairs of the development part, of which one document or none is
            trained on. valid: the validation pairs; new: [valid pairs], how many of the two documents are new.
    """

    name: str
    layouts: CorpusLayout
    kept: StoredVectors
    train: PairGraph
    one: PairGraph
    none: PairGraph
    valid: PairGraph
    new: NDArray[np.int64]

    @cached_property
    def chunks(self) -> list[PooledChunks]:
        """The chunks of every document."""
        return [self._chunks(d) for d in range(len(self.layouts.names))]

    def _chunks(self, document: int) -> PooledChunks:
        of = self.layouts.chunk[self.layouts.of(document)]
        return self._grouped(document, of, np.arange(int(of.max(initial=-1)) + 1))

    @cached_property
    def segments(self) -> list[PooledChunks]:
        """The segments of every document, which CoLDE's attention looks at."""
        layouts = self.layouts
        rows = [layouts.of(d) for d in range(len(layouts.names))]
        return [
            self._grouped(d, *split_segments(layouts.tokens[own], layouts.chunk[own]))
            for d, own in enumerate(rows)
        ]

    def _grouped(self, document: int, of: NDArray[np.int64], chunk: NDArray[np.int64]) -> PooledChunks:
        """Groups of sentences of which some are kept.

        Args:
            of: [sentences of the document], the group of each; chunk: [groups], the chunk of each.
        """
        layouts, rows = self.layouts, self.kept.of(document)
        own, numbers = layouts.of(document), self.kept.sentence[rows]
        present, local = np.unique(of[numbers - own.start], return_inverse=True)
        tokens = layouts.tokens[numbers].astype(np.float32)
        vectors = np.asarray(self.kept.vectors[rows], dtype=np.float32)
        summed = group_sums(vectors * tokens[:, None], local, len(present))
        mass = np.bincount(of, layouts.tokens[own])[present]
        return PooledChunks(
            means=np.asarray(summed / np.bincount(local, tokens).clip(min=1)[:, None], dtype=np.float32),
            mass=(mass / mass.sum()).astype(np.float32),
            part=layouts.part[layouts.chunks[document] + chunk[present]],
        )

    def centre(self, documents: NDArray[np.int64] | None = None) -> Array:
        """The mean over documents, by default those that are trained on, of the means of their segments: [width]."""
        known = np.unique(self.train.pairs) if documents is None else documents
        means = [self.segments[int(d)].means.mean(0) for d in known]
        return np.asarray(np.mean(means, axis=0), dtype=np.float32)


def load_vector_corpus(corpus: Path, folder: Path, share: float) -> VectorCorpus:
    """A corpus whose sentence vectors are kept in `folder`."""
    layouts = load_layout(corpus, folder)
    kept = open_stored_vectors(corpus, folder, layouts, TokenBudgets())
    carved = split_development(corpus.name, read_pairs(corpus / "train.tsv"), share)
    valid = read_pairs(corpus / "valid.tsv")
    seen = frozenset(n for p in carved.train for n in (p.source, p.target))
    train, one, none, judged = (
        pair_graph(p, layouts.names) for p in (carved.train, carved.one, carved.none, valid)
    )
    return VectorCorpus(corpus.name, layouts, kept, train, one, none, judged, unseen(valid, seen))


def pair_graph(pairs: Sequence[Pair], names: Sequence[str]) -> PairGraph:
    """Labelled pairs as positions and matrices."""
    index = {name: i for i, name in enumerate(names)}
    ends = np.array([(index[p.source], index[p.target]) for p in pairs], dtype=np.int64).reshape(-1, 2)
    labels = np.array([p.label for p in pairs], dtype=np.int64)

    def matrix(label: int) -> sparse.csr_matrix:
        i, j = ends[labels == label].T
        ones = np.ones(2 * len(i), dtype=bool)
        return sparse.csr_matrix((ones, (np.r_[i, j], np.r_[j, i])), shape=(len(names), len(names)))

    return PairGraph(matrix(1), matrix(0), ends, labels)


def padded(chunks: Sequence[PooledChunks]) -> tuple[Tensor, Tensor]:
    """Means [documents, most, width] and mass [documents, most] of documents, 0 where there is no chunk."""
    return pad_segments([c.means for c in chunks], [c.mass for c in chunks])


def parts_of(chunks: Sequence[PooledChunks], mass: Tensor) -> tuple[Tensor, NDArray[np.int64]]:
    """The mass of each part p of each document, elsewhere 0: [parts, most]; and the document of each part."""
    found, owner = [], []
    for i, c in enumerate(chunks):
        for p in np.unique(c.part):
            own = torch.zeros_like(mass[i])
            at = torch.from_numpy(np.flatnonzero(c.part == p))
            own[at] = mass[i, at]
            found.append(own)
            owner.append(i)
    return torch.stack(found), np.array(owner, dtype=np.int64)
