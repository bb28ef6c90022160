"""BM25, both ways (Robertson and Zaragoza 2009): how well each document's words would find the other.

BM25 scores a document for a query on an open scale. Here each document is the query for the other, and its score is
divided by what the query gives its own document, so that 1 means: found as well as itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from colde.document import Document, Span
from colde.models.lexical import Lexical, rows
from colde.passages import passage
from colde.similarity import Array, Encoding, Evidence, SimilarityMap
from colde.words import Counts, bucket, counts, words_of

K1 = 1.5  # how soon repeating a word stops to count; the usual value
B = 0.75  # how much long documents are held back; the usual value
MOST_WORDS = 25

SECTION_MEANING = (
    "Words of sections by BM25: how well the words of each section would find the other, as a share of how well they "
    "find their own section, mean of both ways."
)


class Bm25(Lexical):
    """Mean of BM25(a → b) / BM25(a → a) and BM25(b → a) / BM25(b → b)."""

    def weigh(self, texts: Sequence[str]) -> Counts:
        """idf · count · (k1 + 1) / (count + k1 · (1 − b + b · length / mean length)): [texts, BUCKETS]."""
        raw = counts(texts).astype(np.float64)
        lengths = np.asarray(raw.sum(1)).ravel() / self.statistics.mean_length
        held = np.repeat(K1 * (1 - B + B * lengths), np.diff(raw.indptr))
        raw.data = raw.data * (K1 + 1) / (raw.data + held)
        weighted = sparse.csr_matrix(raw.multiply(self.statistics.idf))
        weighted.eliminate_zeros()
        return weighted

    def compare(self, a: Encoding, b: Encoding) -> float:
        """From 0 to 1; symmetric."""
        return float(_shares(rows(a, "document"), rows(b, "document"))[0, 0])

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`."""
        values = _shares(rows(a, "section"), rows(b, "section"))
        return {
            "section": SimilarityMap(values, a.section_spans, b.section_spans, "term weight", SECTION_MEANING)
        }

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The shared words that carry most of the score; the weight is the word's share of it."""
        left, right = rows(a, "document"), rows(b, "document")
        shared = np.intersect1d(left.indices, right.indices)
        total = left.sum(), right.sum()
        if not len(shared):
            return []
        one, other = left[:, shared].toarray()[0], right[:, shared].toarray()[0]
        weight = (other / total[0] + one / total[1]) / 2
        order = np.argsort(-weight, kind="stable")[:MOST_WORDS]
        wanted = {int(shared[k]): float(weight[k]) for k in order}
        first_a, first_b = _first_places(a.document, set(wanted)), _first_places(b.document, set(wanted))
        found = []
        for column, value in wanted.items():
            if column in first_a and column in first_b:
                (word, at_a), (_, at_b) = first_a[column], first_b[column]
                found.append(
                    Evidence(
                        self.card.name,
                        passage(a.document, at_a.start, at_a.end),
                        passage(b.document, at_b.start, at_b.end),
                        min(value, 1.0),
                        f"word “{word}”",
                    )
                )
        return found


def _shares(a: Counts, b: Counts) -> Array:
    """Both ways, each as a share of the own score, mean: [rows of a, rows of b]."""
    has_a, has_b = a.sign(), b.sign()
    own_a, own_b = (np.maximum(np.asarray(x.sum(1)).ravel(), 1e-12) for x in (a, b))
    forth = (has_a @ b.T).toarray() / own_a[:, None]  # a's words find b
    back = (a @ has_b.T).toarray() / own_b[None, :]
    return np.asarray(np.clip((forth + back) / 2, 0.0, 1.0), dtype=np.float32)


def _first_places(document: Document, columns: set[int]) -> dict[int, tuple[str, Span]]:
    """For each wanted column the word and the first sentence that holds it."""
    found: dict[int, tuple[str, Span]] = {}
    known: dict[str, int] = {}
    for _, sentence in document.sentences():
        for word in words_of(document.text[sentence.start : sentence.end]):
            if word not in known:
                known[word] = bucket(word)
            if known[word] in columns:
                found.setdefault(known[word], (word, sentence))
        if len(found) == len(columns):
            break
    return found
