"""Data made of a whole corpus and kept on disk, named by what it was made from and never taken for another's."""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from pathlib import Path

from scipy import sparse

from colde.assets import file_hash
from colde.corpus.corpus_folder import DOCUMENTS, read_documents
from colde.text.term_weights import Counts, counts


def cached_word_counts(corpus: Path, folder: Path) -> Counts:
    """Word counts of every document of a corpus in its order: [documents, BUCKETS], from `folder` if they are there."""
    path = folder / f"{corpus.name}-{corpus_digest(corpus)}-words.npz"
    if not is_intact(path):
        folder.mkdir(parents=True, exist_ok=True)
        documents = (d for _, d in read_documents(corpus, sentences=False))
        rows = [counts(["\n".join(d.text[s.start : s.end] for _, s in d.compared())]) for d in documents]
        temporary = path.with_suffix(f".{os.getpid()}.part.npz")
        sparse.save_npz(temporary, sparse.vstack(rows, format="csr"))
        temporary.rename(path)
    return Counts(sparse.load_npz(path))


def corpus_digest(corpus: Path, *more: str) -> str:
    """Names what is made from a corpus's documents and, it may be, an encoder: sixteen letters."""
    return hashlib.sha256("\n".join((file_hash(corpus / DOCUMENTS), *more)).encode()).hexdigest()[:16]


def is_intact(path: Path) -> bool:
    """Whether a kept file is there, whole: zip archives end with their table and hold a sum of each part."""
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
