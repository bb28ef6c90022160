"""The sentence filter of Match-Ignition (Pang, Lan, Cheng 2021, 3.1): PageRank over the sentences of two documents.

One graph holds the sentences of both. Two sentences are linked by the words they share, other than stop words; the
best of each document, by PageRank in this graph, are its digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colde.models.shared.network_input import Ints
from colde.text.word_lists.stop_words import stop_words
from colde.text.word_weights.term_weights import hashed, words_of

Graph: TypeAlias = sparse.csr_matrix
Ranks = NDArray[np.float64]

DAMPING = 0.85  # equation 6 and 4.2
TOLERANCE = 1e-10  # of the sum of changes; the power iteration gains a factor of 0.85 a step at least
MOST_STEPS = 200
MOST_SENTENCES = 2_000  # of a document; those after them take no part
DIGITS = 12  # ranks closer than this are ties, so that the order of the documents does not decide
BUCKETS = 2**31 - 1  # words are hashed: what is kept of a document stays integers without a vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class SentenceWords:
    """The words of a document's sentences, stop words left out.

    Attributes:
        words: the different words of each sentence, one sentence after the other, hashed.
        bounds: [sentences + 1], where each sentence's words begin and end in `words`.
        lengths: [sentences], words with repetitions: |s| in equation 1.
    """

    words: Ints
    bounds: Ints
    lengths: Ints

    def __len__(self) -> int:
        return len(self.lengths)


def sentence_words(sentences: Sequence[str], language: str | None = None) -> SentenceWords:
    """Words of two or more letters or digits in lower case, less the stop words of the language (None: English)."""
    if not sentences:
        return SentenceWords(np.zeros(0, np.int32), np.zeros(1, np.int32), np.zeros(0, np.int32))
    stop = _stop_words(language or "en")
    counts = hashed(([w for w in words_of(text) if w not in stop] for text in sentences), BUCKETS)
    lengths = np.asarray(counts.sum(1)).ravel()
    return SentenceWords(
        counts.indices.astype(np.int32), counts.indptr.astype(np.int32), lengths.astype(np.int32)
    )


@lru_cache(maxsize=8)
def _stop_words(language: str) -> frozenset[str]:
    """Stop words cut as `words_of` cuts a text: “’ll” is “ll”."""
    return frozenset(word for entry in stop_words(language) for word in words_of(entry))


def similarities(a: SentenceWords, b: SentenceWords) -> Graph:
    """Equation 1 for every two sentences of both documents: [sentences, sentences], a's first, symmetric.

    No sentence is linked to itself. Two sentences of one word each have no link: the equation divides by
    log 1 + log 1.
    """
    count = len(a) + len(b)
    distinct, column = np.unique(np.concatenate([a.words, b.words]), return_inverse=True)
    indptr = np.concatenate([a.bounds, a.bounds[-1] + b.bounds[1:]])
    held = sparse.csr_matrix((np.ones(len(column)), column, indptr), shape=(count, len(distinct)))
    shared = sparse.csr_matrix(held @ held.T)
    shared.sort_indices()
    log_length = np.log(np.maximum(np.concatenate([a.lengths, b.lengths]), 1))
    for row in range(count):  # in place: a graph in which all sentences share a word takes 200 MB
        cells = slice(shared.indptr[row], shared.indptr[row + 1])
        column = shared.indices[cells]
        divisor = log_length[row] + log_length[column]
        link = (column != row) & (divisor > 0)
        shared.data[cells] = np.where(link, shared.data[cells] / np.where(link, divisor, 1.0), 0.0)
    shared.eliminate_zeros()
    return shared


def pagerank(graph: Graph, damping: float = DAMPING) -> Ranks:
    """Equation 6 to its limit; a node without links spreads its rank evenly over all. [nodes], sums to 1.

    Args:
        graph: weights of links from row to column, none negative: [nodes, nodes].
    """
    count = graph.shape[0]
    if count == 0:
        return np.zeros(0)
    given = np.asarray(graph.sum(1)).ravel()
    alone = given == 0
    share = sparse.diags(1 / np.where(alone, 1.0, given))
    received = sparse.csr_matrix((share @ graph).T)  # columns sum to 1, or to 0
    ranks = np.full(count, 1 / count)
    for _ in range(MOST_STEPS):
        before = ranks
        ranks = damping * (received @ before + before[alone].sum() / count) + (1 - damping) / count
        if np.abs(ranks - before).sum() < TOLERANCE:
            break
    return np.asarray(ranks, dtype=np.float64)


def best(ranks: Ranks, count: int) -> NDArray[np.int64]:
    """Positions of the `count` highest in their original order; of two alike the first."""
    order = np.argsort(-np.round(ranks, DIGITS), kind="stable")[:count]
    return np.sort(order).astype(np.int64)


def fit(lengths: Ints, budget: int) -> Ints:
    """Lengths cut so that they sum to `budget` at most: the longest are cut, all to the same length."""
    if lengths.sum() <= budget:
        return lengths
    rising = np.sort(lengths)
    taken = np.concatenate([[0], np.cumsum(rising)[:-1]])  # by those that are shorter
    each = (budget - taken) // np.arange(len(lengths), 0, -1)  # for all the others
    limit = each[np.argmax(rising >= each)]
    return np.asarray(np.minimum(lengths, limit), dtype=np.int32)
