"""Arrays computed from a corpus and kept on disk, in files whose names hold a hash of what they were computed from."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from colde.assets import file_hash
from colde.atomic_write import atomic_write
from colde.corpus.corpus_folder import read_documents, required_documents_file
from colde.text.word_weights.term_weights import Counts, counts

SPLITS = ("train", "valid")


def cached_arrays(path: Path, compute: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The arrays of an npz file by name; computed and written where the file is missing or damaged."""
    if not is_intact(path):
        arrays = compute()
        with atomic_write(path) as temporary:
            np.savez_compressed(temporary, **arrays)
    with np.load(path, allow_pickle=False) as stored:
        return dict(stored)


def cached_word_counts(corpus: Path, folder: Path) -> Counts:
    """Word counts of every document of a corpus in its order: [documents, BUCKETS]; `folder` stores them."""

    def compute() -> dict[str, Any]:
        documents = (d for _, d in read_documents(corpus, sentences=False))
        rows = [counts(["\n".join(d.text[s.start : s.end] for _, s in d.compared())]) for d in documents]
        matrix = sparse.vstack(rows, format="csr")
        return {name: getattr(matrix, name) for name in ("data", "indices", "indptr", "shape")}

    stored = cached_arrays(folder / f"{corpus.name}-{corpus_digest(corpus)}-words.npz", compute)
    matrix = stored["data"], stored["indices"], stored["indptr"]
    return Counts(sparse.csr_matrix(matrix, shape=tuple(stored["shape"])))


def corpus_digest(corpus: Path) -> str:
    """A hash of the documents of a corpus: 16 hexadecimal digits."""
    return hashlib.sha256(file_hash(required_documents_file(corpus)).encode()).hexdigest()[:16]


def corpus_and_pairs_digest(corpus: Path) -> str:
    """A hash of the documents and the labelled pairs of a corpus: 16 hexadecimal digits."""
    files = (required_documents_file(corpus), *(corpus / f"{split}.tsv" for split in SPLITS))
    parts = [file_hash(file) for file in files]
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def is_intact(path: Path) -> bool:
    """Whether a zip archive is there and each of its parts has the stored checksum."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except (OSError, zipfile.BadZipFile, zlib.error):
        return False


def evenly_spaced(count: int, most: int | None) -> list[int]:
    """At most `most` of `count` positions, evenly spread, the first and the last among them."""
    if most is None or count <= most:
        return list(range(count))
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)}) if most > 1 else [0]
