"""Corpora as chunks and segments of stored sentence vectors, for training CoLDE's network."""

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

from colde.corpus.corpus_folder import read_pairs
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.sentence_layout import split_segments
from colde.encoders.vector_math import group_sums
from colde.models.colde.augmentation import PARTS, pad_segments, split_parts
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array
from colde.training.corpora.development_split import split_development, unseen
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.corpora.labelled_pairs import PairGraph, pair_graph
from colde.training.corpora.sentence_vectors import (
    CorpusLayout,
    MissingVectorWriter,
    StoredVectors,
    load_layout,
    open_stored_vectors,
)
from colde.training.training_run import TrainingRun


@dataclass(frozen=True, slots=True)
class PooledChunks:
    """The chunks of a document, or the segments of its chunks.

    Attributes:
        means: [chunks, width], token-weighted means of the unit vectors of its sentences.
        mass: [chunks], all tokens of the chunk as a share of the document's.
        part: [chunks], the part p (3.1) of each, rising.
    """

    means: Array
    mass: Array
    part: NDArray[np.int64]


@dataclass(frozen=True)
class VectorCorpus:
    """A corpus with its stored vectors; documents by their position in `layouts.names`.

    Attributes:
        train: the pairs that are trained on.
        one, none: pairs of the development part; one or none of their documents is trained on.
        valid: the validation pairs; new: [valid pairs], how many of the two documents were not trained on.
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
        pooled = []
        for document in range(len(self.layouts.names)):
            chunk = self.layouts.chunk[self.layouts.of(document)]
            pooled.append(self._pooled(document, chunk, np.arange(int(chunk.max(initial=-1)) + 1)))
        return pooled

    @cached_property
    def segments(self) -> list[PooledChunks]:
        """The segments of every document, the units of CoLDE's attention."""
        pooled = []
        for document in range(len(self.layouts.names)):
            rows = self.layouts.of(document)
            segments = split_segments(self.layouts.tokens[rows], self.layouts.chunk[rows])
            pooled.append(self._pooled(document, *segments))
        return pooled

    def _pooled(self, document: int, group: NDArray[np.int64], chunk: NDArray[np.int64]) -> PooledChunks:
        """Means over groups of sentences, of which some are stored.

        Args:
            group: [sentences of the document], the group of each; chunk: [groups], the chunk of each.
        """
        layouts, stored = self.layouts, self.kept.of(document)
        rows, sentences = layouts.of(document), self.kept.sentence[stored]
        present, local = np.unique(group[sentences - rows.start], return_inverse=True)
        tokens = layouts.tokens[sentences].astype(np.float32)
        vectors = np.asarray(self.kept.vectors[stored], dtype=np.float32)
        summed = group_sums(vectors * tokens[:, None], local, len(present))
        mass = np.bincount(group, layouts.tokens[rows])[present]
        parts = split_parts(np.bincount(layouts.chunk[rows], layouts.tokens[rows]), PARTS)
        return PooledChunks(
            means=np.asarray(summed / np.bincount(local, tokens).clip(min=1)[:, None], dtype=np.float32),
            mass=(mass / mass.sum()).astype(np.float32),
            part=parts[chunk[present]],
        )

    def held_out(self, profile: str) -> HeldOutPairs:
        """All labelled pairs that are not trained on, under this profile."""
        graphs = (self.valid, self.one, self.none)
        kinds = [self.new, np.full(len(self.one.pairs), 1), np.full(len(self.none.pairs), 2)]
        positions, pairs = np.unique(np.concatenate([g.pairs for g in graphs]), return_inverse=True)
        related = sum((g.similar for g in graphs), start=self.train.similar)
        return HeldOutPairs(
            name=self.name,
            profile=profile,
            ids=tuple(self.layouts.names[p] for p in positions),
            pairs=pairs.reshape(-1, 2),
            labels=np.concatenate([g.labels for g in graphs]),
            related=sparse.csr_matrix(related[positions][:, positions]),
            positions=positions,
            new_documents=np.concatenate(kinds),
        )

    def centre(self, documents: NDArray[np.int64] | None = None) -> Array:
        """The mean over documents, by default those that are trained on, of the means of their segments: [width]."""
        chosen = np.unique(self.train.pairs) if documents is None else documents
        means = [self.segments[int(d)].means.mean(0) for d in chosen]
        return np.asarray(np.mean(means, axis=0), dtype=np.float32)


def load_vector_corpora(run: TrainingRun, aside: float, seed: int = 0) -> list[VectorCorpus]:
    """The corpora of a run; their vectors are kept under `sentences` in its work folder.

    Args:
        aside: share of the documents in the development part; seed: of their choice.
    """
    folder = Path(run.settings.get("sentences") or run.work / "sentences")
    return corpora_with_vectors(
        run.corpora, folder, aside, run.on_progress, run.model.get("encoder", PACKAGED), seed
    )


def corpora_with_vectors(
    paths: Sequence[Path],
    folder: Path,
    aside: float,
    on_progress: OnProgress | None = None,
    encoder: str = PACKAGED,
    seed: int = 0,
) -> list[VectorCorpus]:
    """Corpora with vectors of their sentences by an encoder, kept in `folder`; missing ones are computed."""
    writer: MissingVectorWriter | None = None
    corpora = []
    for path in paths:
        (folder / path.name).mkdir(parents=True, exist_ok=True)
        corpus = load_vector_corpus(path, folder, aside, encoder, seed)
        if not corpus.kept.ready.all():
            writer = writer or MissingVectorWriter(encoder)
            for done, total in writer.complete(corpus.layouts, corpus.kept):
                if on_progress is not None:
                    on_progress(Progress(Stage.SENTENCES, done, total, subject=path.name))
        corpora.append(corpus)
    return corpora


def load_vector_corpus(
    corpus: Path, folder: Path, share: float, encoder: str = PACKAGED, seed: int = 0
) -> VectorCorpus:
    """A corpus whose sentence vectors are kept in `folder`; some may be missing."""
    layouts = load_layout(corpus, folder, encoder=encoder)
    kept = open_stored_vectors(corpus, folder, layouts, encoder)
    split = split_development(corpus.name, read_pairs(corpus / "train.tsv"), share, seed)
    valid = read_pairs(corpus / "valid.tsv")
    trained_on = frozenset(n for p in split.train for n in (p.source, p.target))
    train, one, none, validation = (
        pair_graph(pairs, layouts.names, corpus) for pairs in (split.train, split.one, split.none, valid)
    )
    new = unseen(valid, trained_on)
    return VectorCorpus(corpus.name, layouts, kept, train, one, none, validation, new)


def held_out_pairs(run: TrainingRun, corpora: Sequence[VectorCorpus]) -> list[HeldOutPairs]:
    """The pairs that a run's profiles are fitted on, under the run's profile if it has one."""
    return [c.held_out(run.profile_of(path)) for c, path in zip(corpora, run.corpora, strict=True)]


def padded(chunks: Sequence[PooledChunks]) -> tuple[Tensor, Tensor]:
    """Means [documents, most, width] and mass [documents, most] of documents, 0 where there is no chunk."""
    return pad_segments([c.means for c in chunks], [c.mass for c in chunks])


def parts_of(chunks: Sequence[PooledChunks], mass: Tensor) -> tuple[Tensor, NDArray[np.int64]]:
    """The mass of each part p of each document, elsewhere 0: [parts, most]; and the document of each part."""
    masses, owner = [], []
    for i, c in enumerate(chunks):
        for p in np.unique(c.part):
            rows = torch.from_numpy(np.flatnonzero(c.part == p))
            part_mass = torch.zeros_like(mass[i])
            part_mass[rows] = mass[i, rows]
            masses.append(part_mass)
            owner.append(i)
    return torch.stack(masses), np.array(owner, dtype=np.int64)
