"""Chunk vectors of a whole corpus, kept on disk: a frozen encoder needs to see each text once.

`kept_vectors` goes on where it was stopped: a part of 100 documents is written as soon as it is done. Parts are named
by what they were made from, the corpus's documents and the encoder, and never taken for those of another.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.assets import file_hash
from colde.data.corpus import DOCUMENTS, read_documents
from colde.encoders.encoder import Ids, encode_ids
from colde.encoders.frozen import FrozenEncoder
from colde.results.maps import Array
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.term_weights import Counts, counts
from colde.text.tokens import chunk_document

PART = 100  # documents a file


@dataclass(frozen=True, slots=True)
class CorpusVectors:
    """Frozen chunk vectors of a corpus.

    Attributes:
        ids: document ids; `index` maps an id to its position.
        first: [documents + 1], chunks of document d are `first[d]:first[d + 1]`.
        section: [chunks], number of the section each chunk stands in.
        vectors: [chunks, dimension], float32, not normalised.
    """

    ids: tuple[str, ...]
    first: NDArray[np.int64]
    section: NDArray[np.int64]
    vectors: Array

    @property
    def index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.ids)}

    def of(self, document: int) -> Array:
        """[chunks, dimension] of one document."""
        return self.vectors[self.first[document] : self.first[document + 1]]

    def ordered(self, ids: Sequence[str]) -> CorpusVectors:
        """These documents in this order."""
        places = [range(self.first[d], self.first[d + 1]) for d in map(self.index.__getitem__, ids)]
        rows = np.array([i for own in places for i in own], dtype=np.int64)
        return CorpusVectors(
            ids=tuple(ids),
            first=np.concatenate(([0], np.cumsum([len(own) for own in places]))),
            section=self.section[rows],
            vectors=self.vectors[rows],
        )


def kept_vectors(
    corpus: Path,
    folder: Path,
    frozen: FrozenEncoder,
    *,
    only: Collection[str] | None = None,
    on_progress: OnProgress | None = None,
) -> CorpusVectors:
    """Vectors of the documents of a corpus, from `folder` as far as they are there already.

    Args:
        only: ids of the documents that are wanted; None for all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    documents = [
        (name, d) for name, d in read_documents(corpus, sentences=False) if only is None or name in only
    ]
    made_from = content(corpus, frozen.encoder.tag)
    kind = f"{corpus.name}-{made_from}-all" + ("" if only is None else f"-{_digest(only)}")
    for at in range(0, len(documents), PART):
        path = folder / f"{kind}-{at:06d}.npz"
        if readable(path):
            continue
        counts: list[int] = []
        sections: list[int] = []
        ids: list[Ids] = []
        for _, document in documents[at : at + PART]:
            chunked = chunk_document(document, frozen.tokenizer)
            counts.append(len(chunked.chunks))
            sections.extend(c.section for c in chunked.chunks)
            ids.extend(chunked.ids)
        vectors = encode_ids(frozen.encoder, ids)
        temporary = path.with_suffix(f".{os.getpid()}.part.npz")
        np.savez(
            temporary,
            counts=np.asarray(counts, np.int64),
            section=np.asarray(sections, np.int64),
            vectors=vectors.astype(np.float16),
        )
        temporary.rename(path)
        if on_progress is not None:
            on_progress(
                Progress(Stage.ENCODING, min(at + PART, len(documents)), len(documents), subject=corpus.name)
            )
    parts = [
        np.load(folder / f"{kind}-{at:06d}.npz", allow_pickle=False) for at in range(0, len(documents), PART)
    ]
    counts_all = np.concatenate([p["counts"] for p in parts])
    return CorpusVectors(
        ids=tuple(name for name, _ in documents),
        first=np.concatenate(([0], np.cumsum(counts_all))),
        section=np.concatenate([p["section"] for p in parts]),
        vectors=np.concatenate([p["vectors"] for p in parts]).astype(np.float32),
    )


def kept_counts(corpus: Path, folder: Path) -> Counts:
    """Word counts of every document of a corpus in its order: [documents, BUCKETS], from `folder` if they are there."""
    path = folder / f"{corpus.name}-{content(corpus)}-words.npz"
    if not readable(path):
        folder.mkdir(parents=True, exist_ok=True)
        documents = (d for _, d in read_documents(corpus, sentences=False))
        rows = [counts(["\n".join(d.text[s.start : s.end] for _, s in d.compared())]) for d in documents]
        temporary = path.with_suffix(f".{os.getpid()}.part.npz")
        sparse.save_npz(temporary, sparse.vstack(rows, format="csr"))
        temporary.rename(path)
    return Counts(sparse.load_npz(path))


def content(corpus: Path, *more: str) -> str:
    """Names what is made from a corpus's documents and, it may be, an encoder: sixteen letters."""
    return hashlib.sha256("\n".join((file_hash(corpus / DOCUMENTS), *more)).encode()).hexdigest()[:16]


def readable(path: Path) -> bool:
    """Whether a kept file is there, whole: zip archives end with their table and hold a sum of each part."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except (OSError, zipfile.BadZipFile, zlib.error):
        return False


def _digest(names: Collection[str]) -> str:
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:8]


def evenly(count: int, most: int | None) -> list[int]:
    """At most `most` of `count` positions, evenly spread, the first and the last among them."""
    if most is None or count <= most:
        return list(range(count))
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)}) if most > 1 else [0]
