"""BM25 both ways (Robertson and Zaragoza 2009): how well the words of each document retrieve the other.

BM25 scores a document for a query on an open scale. Here each document is the query for the other, and its score is
divided by the score of its query for itself, so that 1 means: retrieved as well as itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from colde.explain.level_maps import level_map
from colde.models.lexical.word_products import LexicalEncoding, WordProducts
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.word_weights.term_weights import Counts, counts, dense_product

K1 = 1.5  # saturation of repeated words; the usual value
B = 0.75  # normalisation by length; the usual value

SECTION_MEANING = (
    "Words of sections by BM25: the score of each section's words in the other section, divided by their score in "
    "their own section; the mean of both directions."
)

CONTRIBUTION_MEANING = (
    "what each word that both texts use adds to the mean of both directions, divided evenly over the places where it "
    "stands. All cells add up to the score. An empty document has the score 0."
)


class Bm25(WordProducts):
    """Mean of BM25(a → b) / BM25(a → a) and BM25(b → a) / BM25(b → b)."""

    meaning = CONTRIBUTION_MEANING

    def weigh(self, texts: Sequence[str]) -> Counts:
        """idf · count · (k1 + 1) / (count + k1 · (1 − b + b · length / mean length)): [texts, BUCKETS]."""
        raw = counts(texts).astype(np.float64)
        lengths = np.asarray(raw.sum(1)).ravel() / self.statistics.mean_length
        saturation = np.repeat(K1 * (1 - B + B * lengths), np.diff(raw.indptr))
        raw.data = raw.data * (K1 + 1) / (raw.data + saturation)
        weighted = sparse.csr_matrix(raw.multiply(self.statistics.idf))
        weighted.eliminate_zeros()
        return weighted

    def score(self, a: Counts, b: Counts) -> float:
        return float(_shares(a, b)[0, 0])

    def factors(self, a: Counts, b: Counts, score: float) -> tuple[Counts, Counts]:
        """Parts by word, scaled to the score, which is limited to 1."""
        parts = _word_parts(a, b)
        if parts.data.sum() > 0:
            parts.data = parts.data * (score / parts.data.sum(dtype=np.float64))
        return parts, parts.sign()

    def maps(self, a: LexicalEncoding, b: LexicalEncoding) -> dict[str, SimilarityMap]:
        section = level_map(
            "section",
            a,
            b,
            SECTION_MEANING,
            values=_shares(a.section_words, b.section_words),
            kind="term weight",
            role="words",
            limits=(0.0, 1.0),
        )
        return {"section": section}


def _shares(a: Counts, b: Counts) -> Array:
    """Mean of both ways, each as a share of the score for itself: [rows of a, rows of b]."""
    present_a, present_b = a.sign(), b.sign()
    self_a, self_b = (np.maximum(np.asarray(x.sum(1)).ravel(), 1e-12) for x in (a, b))
    a_to_b = dense_product(present_a, b) / self_a[:, None]  # words of a retrieve b
    b_to_a = dense_product(a, present_b) / self_b[None, :]
    return np.asarray(np.clip((a_to_b + b_to_a) / 2, 0.0, 1.0), dtype=np.float32)


def _word_parts(a: Counts, b: Counts) -> Counts:
    """Parts of the mean of both ways by the words that both documents use: [1, BUCKETS]."""
    shared = np.intersect1d(a.indices, b.indices)
    in_a, in_b = a[:, shared].toarray()[0], b[:, shared].toarray()[0]
    parts = (in_b / max(float(a.sum()), 1e-12) + in_a / max(float(b.sum()), 1e-12)) / 2
    return Counts((parts, shared, [0, len(shared)]), shape=(1, a.shape[1]))
