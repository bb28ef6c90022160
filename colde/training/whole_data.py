"""Corpora, batches and layouts for training the whole network on kept states."""

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

from colde.data.corpus import Pair, read_pairs
from colde.models.colde.aggregate import Layout
from colde.training.pairs import PairGraph
from colde.training.states import Kept, Layouts, kept_layouts, open_kept, sample
from colde.training.unseen import carve, unseen


@dataclass(frozen=True)
class WholeCorpus:
    """A corpus with its kept states; documents by their position in `layouts.names`.

    Attributes:
        train: pairs that are trained on. one, none: pairs of the development part, of which one document or none is
            trained on. valid: the validation pairs; new: [valid pairs], how many of the two documents are new.
    """

    name: str
    layouts: Layouts
    kept: Kept
    train: PairGraph
    one: PairGraph
    none: PairGraph
    valid: PairGraph
    new: NDArray[np.int64]

    @cached_property
    def mass(self) -> NDArray[np.float32]:
        """[all chunks], tokens of each."""
        local = self.layouts.chunk + np.repeat(self.layouts.chunks[:-1], np.diff(self.layouts.first))
        return np.bincount(local, self.layouts.tokens, len(self.layouts.part)).astype(np.float32)

    def rows(self, document: int) -> NDArray[np.int64]:
        """Numbers of the kept sentences of a document."""
        return np.arange(self.kept.first[document], self.kept.first[document + 1])

    def drawn(self, document: int, budget: int, random: np.random.Generator | None) -> NDArray[np.int64]:
        """Kept sentences of about so many tokens, drawn evenly from the chunks; the first ones without `random`."""
        rows = self.rows(document)
        numbers = self.kept.sentence[rows]
        random = random or np.random.default_rng(document)
        return rows[sample(self.layouts.tokens[numbers], self.layouts.chunk[numbers], budget, random)]


def load_whole(corpus: Path, folder: Path, share: float) -> WholeCorpus:
    """A corpus whose states are kept in `folder`."""
    layouts = kept_layouts(corpus, folder)
    kept = open_kept(corpus, folder, layouts)
    carved = carve(corpus.name, read_pairs(corpus / "train.tsv"), share)
    valid = read_pairs(corpus / "valid.tsv")
    seen = frozenset(n for p in carved.train for n in (p.source, p.target))
    train, one, none, judged = (
        pair_graph(p, layouts.names) for p in (carved.train, carved.one, carved.none, valid)
    )
    return WholeCorpus(corpus.name, layouts, kept, train, one, none, judged, unseen(valid, seen))


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


@dataclass(frozen=True, slots=True)
class Gathered:
    """Sentences of a batch of documents.

    Attributes:
        layout: where they belong.
        section, chunk: [sentences], p and q for the embeddings.
        source: [sentences], (corpus, kept sentence).
        lengths: [sentences], tokens with special ones.
    """

    layout: Layout
    section: Tensor
    chunk: Tensor
    source: NDArray[np.int64]
    lengths: NDArray[np.int64]


def gather(
    corpora: Sequence[WholeCorpus],
    documents: Sequence[tuple[int, int]],
    rows: Sequence[NDArray[np.int64]],
) -> Gathered:
    """The layout of these kept sentences of these documents; parts without a sentence are left out."""
    chunk_of, weight, part_of, mass, document_of, following = [], [], [], [], [], []
    section, place, source, lengths = [], [], [], []
    chunks = parts = 0
    for number, ((c, d), own) in enumerate(zip(documents, rows, strict=True)):
        corpus = corpora[c]
        numbers = corpus.kept.sentence[own]
        present, local = np.unique(corpus.layouts.chunk[numbers], return_inverse=True)
        at = corpus.layouts.chunks[d] + present
        p, local_part = np.unique(corpus.layouts.part[at], return_inverse=True)
        chunk_of.append(local + chunks)
        weight.append(corpus.layouts.tokens[numbers])
        part_of.append(local_part + parts)
        mass.append(corpus.mass[at] / corpus.mass[at].sum())
        document_of.append(np.full(len(p), number))
        following.append((np.arange(len(p)) + 1) % len(p) + parts)
        section.append(corpus.layouts.part[at][local])
        place.append(corpus.layouts.place[at][local])
        source.append(np.stack([np.full(len(own), c), own], 1))
        lengths.append(corpus.kept.offsets[own + 1] - corpus.kept.offsets[own])
        chunks, parts = chunks + len(present), parts + len(p)

    def long(values: list[NDArray[np.int64]]) -> Tensor:
        return torch.from_numpy(np.concatenate(values).astype(np.int64))

    layout = Layout(
        chunk=long(chunk_of),
        weight=long(weight).float(),
        part=long(part_of),
        mass=torch.from_numpy(np.concatenate(mass).astype(np.float32)),
        document=long(document_of),
        following=long(following),
    )
    return Gathered(layout, long(section), long(place), np.concatenate(source), np.concatenate(lengths))


def sentences_of(corpus: WholeCorpus, number: int, rows: NDArray[np.int64]) -> Gathered:
    """Kept sentences of a corpus without a layout: for their vectors alone."""
    sentences = corpus.kept.sentence[rows]
    document = np.searchsorted(corpus.layouts.first, sentences, side="right") - 1
    chunk = corpus.layouts.chunk[sentences] + corpus.layouts.chunks[document]
    none = torch.zeros(0, dtype=torch.int64)
    return Gathered(
        Layout(none, none.float(), none, none.float(), none, none),
        torch.from_numpy(corpus.layouts.part[chunk]),
        torch.from_numpy(corpus.layouts.place[chunk]),
        np.stack([np.full(len(rows), number), rows], 1),
        corpus.kept.offsets[rows + 1] - corpus.kept.offsets[rows],
    )
