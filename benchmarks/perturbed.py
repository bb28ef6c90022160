"""Documents put together anew from kept chunks: sections shuffled, the end cut off, chunks of others mixed in.

A document is a list of chunk positions in `CorpusVectors`. Chunks never cross a section and the frozen encoder reads
each by itself, so that chunks put together anew are what the model would see of the changed text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.data.corpus import read_records, to_document
from colde.text.term_weights import Counts, counts
from colde.text.tokens import TextTokenizer, chunk_document
from colde.training.vectors import CorpusVectors

TokenSpans = list[NDArray[np.int64]]  # of each document, positions of its chunks


def intact(vectors: CorpusVectors) -> TokenSpans:
    """Every document as it is."""
    return [np.arange(start, end) for start, end in zip(vectors.first, vectors.first[1:], strict=False)]


def shuffled(vectors: CorpusVectors, random: np.random.Generator, *, parts: int | None = None) -> TokenSpans:
    """The sections of each document in a random order, the chunks of a section in theirs (4.4.3).

    Args:
        parts: instead of the document's own sections, so many of equal length.
    """
    found = []
    for own in intact(vectors):
        if parts is None:
            borders = np.flatnonzero(np.diff(vectors.section[own])) + 1
            sections = np.split(own, borders)
        else:
            sections = np.array_split(own, min(parts, len(own)))
        found.append(np.concatenate([sections[i] for i in random.permutation(len(sections))]))
    return found


def truncated(vectors: CorpusVectors, share: float) -> TokenSpans:
    """The first chunks of each document, so many of a hundred, at least one."""
    return [own[: max(1, round(share * len(own)))] for own in intact(vectors)]


def noisy(vectors: CorpusVectors, share: float, random: np.random.Generator) -> TokenSpans:
    """Chunks of one other document at random places in each: `share` of its own number, at least one."""
    documents = intact(vectors)
    found = []
    for d, own in enumerate(documents):
        other = documents[(d + random.integers(1, len(documents))) % len(documents)]
        count = min(len(other), max(1, round(share * len(own))))
        foreign = random.choice(other, size=count, replace=False)
        at = np.sort(random.integers(0, len(own) + 1, size=count))
        found.append(np.insert(own, at, foreign))
    return found


def rearranged(vectors: CorpusVectors, places: Sequence[NDArray[np.int64]]) -> CorpusVectors:
    """The documents as `places` have them."""
    chosen = np.concatenate(list(places))
    return replace(
        vectors,
        first=np.concatenate(([0], np.cumsum([len(p) for p in places]))),
        section=vectors.section[chosen],
        vectors=vectors.vectors[chosen],
    )


def chunk_counts(folder: Path, whole: CorpusVectors, tokenizer: TextTokenizer, kept: Path) -> Counts:
    """Word counts of every chunk of `whole`: [chunks, BUCKETS], from the file `kept` if it is there.

    Raises:
        ValueError: a document of the corpus has other chunks than its vectors say.
    """
    if kept.exists():
        return Counts(sparse.load_npz(kept))
    wanted = set(whole.ids)
    rows: dict[str, Counts] = {}
    for name, record in read_records(folder):
        if name in wanted:
            document = to_document(record, sentences=False)
            chunks = chunk_document(document, tokenizer).chunks
            rows[name] = counts([document.text[c.start : c.end] for c in chunks])
    found = Counts(sparse.vstack([rows[name] for name in whole.ids], format="csr"))
    if [rows[name].shape[0] for name in whole.ids] != np.diff(whole.first).tolist():
        raise ValueError(f"{folder}: the documents have other chunks than their kept vectors")
    kept.parent.mkdir(parents=True, exist_ok=True)
    temporary = kept.with_suffix(".part.npz")
    sparse.save_npz(temporary, found)
    temporary.rename(kept)
    return found


def summed(of_chunks: Counts, places: Sequence[NDArray[np.int64]]) -> Counts:
    """Word counts of documents from those of their chunks: [chunks, BUCKETS] → [documents, BUCKETS]."""
    lengths = [len(p) for p in places]
    first = np.concatenate(([0], np.cumsum(lengths)))
    takes = sparse.csr_matrix(
        (np.ones(first[-1]), np.concatenate(list(places)), first), shape=(len(places), of_chunks.shape[0])
    )
    return Counts(takes @ of_chunks)
