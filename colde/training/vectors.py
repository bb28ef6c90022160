"""Chunk vectors of a whole corpus, kept on disk: a frozen encoder needs to see each text once.

`kept_vectors` goes on where it was stopped: a part of 100 documents is written as soon as it is done. Parts are named
by what they were made from, the corpus's documents and the encoder, and never taken for those of another.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Collection
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


def kept_vectors(
    corpus: Path,
    folder: Path,
    frozen: FrozenEncoder,
    *,
    most_chunks: int | None = None,
    only: Collection[str] | None = None,
    on_progress: OnProgress | None = None,
) -> CorpusVectors:
    """Vectors of the documents of a corpus, from `folder` as far as they are there already.

    Args:
        most_chunks: of a longer document only so many chunks, evenly spread (8 to 16 are enough for
            training: docs/results.md); None for all.
        only: ids of the documents that are wanted; None for all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    documents = [
        (name, d) for name, d in read_documents(corpus, sentences=False) if only is None or name in only
    ]
    made_from = content(corpus, frozen.encoder.tag)
    kind = f"{corpus.name}-{made_from}-{most_chunks or 'all'}" + ("" if only is None else f"-{_digest(only)}")
    for at in range(0, len(documents), PART):
        path = folder / f"{kind}-{at:06d}.npz"
        if readable(path):
            continue
        counts: list[int] = []
        sections: list[int] = []
        ids: list[Ids] = []
        for _, document in documents[at : at + PART]:
            chunked = chunk_document(document, frozen.tokenizer)
            chosen = evenly(len(chunked.chunks), most_chunks)
            counts.append(len(chosen))
            sections.extend(chunked.chunks[i].section for i in chosen)
            ids.extend(chunked.ids[i] for i in chosen)
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


def whole_vectors(
    corpus: Path,
    folder: Path,
    frozen: FrozenEncoder,
    names: Collection[str],
    vectors: CorpusVectors,
    most_chunks: int | None,
    on_progress: OnProgress | None = None,
) -> CorpusVectors:
    """All chunks of these documents; those that are whole in `vectors` are taken from there."""
    count = dict(zip(vectors.ids, np.diff(vectors.first).tolist(), strict=True))
    cut = {name for name in names if most_chunks is not None and count.get(name, 0) >= most_chunks}
    rest = kept_vectors(corpus, folder, frozen, only=cut, on_progress=on_progress) if cut else vectors
    ids = tuple(sorted(names))
    sources = [(rest if name in cut else vectors, name) for name in ids if name in count]
    places = {id(v): v.index for v in (rest, vectors)}
    spans = [(v, v.first[places[id(v)][n]], v.first[places[id(v)][n] + 1]) for v, n in sources]
    return CorpusVectors(
        ids=tuple(n for _, n in sources),
        first=np.concatenate(([0], np.cumsum([end - start for _, start, end in spans]))),
        section=np.concatenate([v.section[start:end] for v, start, end in spans]),
        vectors=np.concatenate([v.vectors[start:end] for v, start, end in spans]),
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
