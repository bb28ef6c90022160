"""Words of a text as weighted counts, for TF-IDF and BM25.

Two documents have no corpus of their own to say which words are rare: the inverse document frequencies ship with
the program, from the four training corpora, each with the same weight. Words are hashed, so that no vocabulary
need be kept and unknown words have a place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from murmurhash.mrmr import hash as murmur
from numpy.typing import NDArray
from scipy import sparse

from colde.assets import asset
from colde.errors import CheckpointError
from colde.row_blocks import RowMatrix
from colde.text.document import Document

Array = NDArray[np.float32]

BUCKETS = 2**18
MAX_DOCUMENT_SHARE = 0.15  # a word in more than this share of documents says nothing of the subject
MIN_DOCUMENT_SHARE = 20 / 7_000  # rarer and unknown words count as if they stood in this share of documents
IDF = "idf.safetensors"

_WORD = re.compile(r"\b\w\w+\b")

Counts: TypeAlias = sparse.csr_matrix


def counts(texts: Sequence[str]) -> Counts:
    """Word counts: [texts, BUCKETS], sparse; words are runs of two or more letters or digits, in lower case."""
    return hashed(map(words_of, texts), BUCKETS)


def hashed(terms: Iterable[Iterable[str]], buckets: int) -> Counts:
    """Count each term in each list of terms: [lists, buckets], sparse, float64, columns rising.

    The columns of scikit-learn's HashingVectorizer, whose import takes a second.
    """
    indices: list[int] = []
    values: list[int] = []
    ends = [0]
    for text_terms in terms:
        word_counts = Counter(text_terms)
        indices += [bucket(term, buckets) for term in word_counts]
        values += word_counts.values()
        ends.append(len(indices))
    matrix = sparse.csr_matrix(
        (np.array(values, np.float64), np.array(indices, np.int32), np.array(ends, np.int32)),
        shape=(len(ends) - 1, buckets),
    )
    matrix.sum_duplicates()
    return matrix


def words_of(text: str) -> list[str]:
    """The words of a text as `counts` sees them."""
    return _WORD.findall(text.lower())


def bucket(word: str, buckets: int = BUCKETS) -> int:
    """The column of a word in lower case: its MurmurHash3 without the sign, less the multiples of `buckets`."""
    return abs(int(murmur(word, 0))) % buckets


def unit_rows(rows: Counts) -> Counts:
    """Each row over its length; a row of zeros stays as it is."""
    lengths = np.sqrt(np.add.reduceat(np.append(rows.data.astype(np.float64) ** 2, 0.0), rows.indptr[:-1]))
    lengths[np.diff(rows.indptr) == 0] = 1.0
    matrix = rows.copy()
    matrix.data = rows.data / np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(rows.indptr))
    return matrix


def inverse_frequencies(share: NDArray[np.float64]) -> Array:
    """ln(1 / share of documents with the word); 0 for the commonest, capped for the rarest: [BUCKETS]."""
    idf = np.log(1 / np.maximum(share, MIN_DOCUMENT_SHARE))
    return np.asarray(np.where(share > MAX_DOCUMENT_SHARE, 0.0, idf), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Word statistics of the background: idf [BUCKETS], and the mean length of a document in words."""

    idf: Array
    mean_length: float


@lru_cache(maxsize=1)
def shipped_statistics() -> Statistics:
    """From assets/models/words."""
    from safetensors.numpy import load_file

    path = asset("models", "words", IDF)
    if not path.is_file():
        raise CheckpointError(f"the word statistics are missing ({IDF}); install the program again")
    tensors: dict[str, Any] = load_file(path)
    return Statistics(tensors["idf"].astype(np.float32), float(tensors["mean_length"][0]))


def distinctive_columns(statistics: Statistics) -> NDArray[np.int64]:
    """Columns of the words that are neither common nor among the rarest: [words], rising."""
    idf = statistics.idf
    return np.flatnonzero((idf > 0) & (idf < idf.max()))


def word_weights(document: Document) -> dict[str, float]:
    """(1 + ln count) · idf of each word of what is compared, greatest first; words that say nothing are left out."""
    texts = (document.text[s.start : s.end] for _, s in document.compared())
    word_counts = Counter(word for text in texts for word in words_of(text))
    words = list(word_counts)
    rows = counts(words)
    idf = shipped_statistics().idf
    weights: dict[str, float] = {}
    for i, word in enumerate(words):
        columns = rows.indices[rows.indptr[i] : rows.indptr[i + 1]]
        weight = (1 + np.log(word_counts[word])) * float(idf[columns].max(initial=0.0))
        if weight > 0:
            weights[word] = float(weight)
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


def tfidf(texts: Sequence[str], statistics: Statistics) -> Counts:
    """(1 + ln count) · idf, rows of length one (a text without a telling word stays zero): [texts, BUCKETS]."""
    return weighted(counts(texts), statistics)


def weighted(term_counts: Counts, statistics: Statistics) -> Counts:
    """TF-IDF of counts, as `tfidf` has it."""
    rows = term_counts.astype(np.float64)
    rows.data = 1 + np.log(rows.data)
    rows = sparse.csr_matrix(rows.multiply(statistics.idf))
    rows.eliminate_zeros()
    return unit_rows(rows)


def word_cosines(a: Counts, b: Counts) -> Array:
    """Cosine of every row of a with every row of b, rows of length one: [rows of a, rows of b], in [0, 1]."""
    return np.clip(dense_product(a, b), 0.0, 1.0)


def product_by_rows(a: Counts, b: Counts) -> RowMatrix:
    """a bᵀ, computed some rows at a time: [rows of a, rows of b], float32.

    Where most texts share a word no cell is zero, and a sparse product takes more memory than a dense one.
    """
    other = sparse.csr_matrix(b.T)
    return RowMatrix(
        (a.shape[0], b.shape[0]),
        lambda row_slice: np.asarray((a[row_slice] @ other).toarray(), dtype=np.float32),
        width=b.shape[0],
    )


def dense_product(a: Counts, b: Counts) -> Array:
    """a bᵀ: [rows of a, rows of b]."""
    return product_by_rows(a, b).filled(np.float32)
