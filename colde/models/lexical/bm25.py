"""BM25, both ways (Robertson and Zaragoza 2009): how well each document's words would find the other.

BM25 scores a document for a query on an open scale. Here each document is the query for the other, and its score is
divided by what the query gives its own document, so that 1 means: found as well as itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from colde.explain.level_maps import level_map
from colde.explain.match_selection import make_match
from colde.explain.shared_words import first_occurrences, word_parts
from colde.models.lexical.word_products import WordProducts, lexical_encoding
from colde.results.encoding import Encoding
from colde.results.match import Match
from colde.results.pair_result import PairResult
from colde.results.similarity_map import Array
from colde.text.term_weights import Counts, counts, dense_product

K1 = 1.5  # how soon repeating a word stops to count; the usual value
B = 0.75  # how much long documents are held back; the usual value
MOST_WORDS = 25

SECTION_MEANING = (
    "Words of sections by BM25: how well the words of each section would find the other, as a share of how well they "
    "find their own section, mean of both ways."
)

CONTRIBUTION_MEANING = (
    "what each word that both use adds to the mean of both ways, spread evenly over the places where it stands. Exact: "
    "all cells add up to the score; an empty document has 0."
)


class Bm25(WordProducts):
    """Mean of BM25(a → b) / BM25(a → a) and BM25(b → a) / BM25(b → b)."""

    meaning = CONTRIBUTION_MEANING

    def weigh(self, texts: Sequence[str]) -> Counts:
        """idf · count · (k1 + 1) / (count + k1 · (1 − b + b · length / mean length)): [texts, BUCKETS]."""
        raw = counts(texts).astype(np.float64)
        lengths = np.asarray(raw.sum(1)).ravel() / self.statistics.mean_length
        held = np.repeat(K1 * (1 - B + B * lengths), np.diff(raw.indptr))
        raw.data = raw.data * (K1 + 1) / (raw.data + held)
        weighted = sparse.csr_matrix(raw.multiply(self.statistics.idf))
        weighted.eliminate_zeros()
        return weighted

    def score(self, a: Encoding, b: Encoding) -> float:
        return float(_shares(lexical_encoding(a).words, lexical_encoding(b).words)[0, 0])

    def word_parts(self, a: Encoding, b: Encoding, score: float) -> tuple[Counts, Counts]:
        parts = _word_parts(lexical_encoding(a).words, lexical_encoding(b).words, score)
        return parts, parts.sign()

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score from 0 to 1, symmetric; `section` map; the shared words that carry most of the score."""
        own, other = lexical_encoding(a), lexical_encoding(b)
        score = self.score(a, b)
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        shares = _shares(own.section_words, other.section_words)
        section = level_map(
            "section",
            a,
            b,
            SECTION_MEANING,
            values=shares,
            kind="term weight",
            role="words",
            limits=(0.0, 1.0),
        )
        maps = {"section": section} | self.contributions(a, b, score)
        words = word_parts(_word_parts(own.words, other.words, score), a.document, b.document)
        return PairResult(score, a.coverage, b.coverage, maps, tuple(self._evidence(a, b)), words=words)

    def _evidence(self, a: Encoding, b: Encoding) -> list[Match]:
        """The shared words that carry most of the score; the weight is the word's share of it."""
        parts = _word_parts(lexical_encoding(a).words, lexical_encoding(b).words)
        shared, weight = parts.indices, parts.data
        order = np.argsort(-weight, kind="stable")[:MOST_WORDS]
        wanted = {int(shared[k]): float(weight[k]) for k in order}
        first_a, first_b = (
            first_occurrences(a.document, set(wanted)),
            first_occurrences(b.document, set(wanted)),
        )
        found = []
        for column, value in wanted.items():
            if column in first_a and column in first_b:
                (word, at_a), (_, at_b) = first_a[column], first_b[column]
                found.append(make_match(a, b, at_a, at_b, self.card.name, min(value, 1.0), f"word “{word}”"))
        return found


def _shares(a: Counts, b: Counts) -> Array:
    """Both ways, each as a share of the own score, mean: [rows of a, rows of b]."""
    has_a, has_b = a.sign(), b.sign()
    own_a, own_b = (np.maximum(np.asarray(x.sum(1)).ravel(), 1e-12) for x in (a, b))
    forth = dense_product(has_a, b) / own_a[:, None]  # a's words find b
    back = dense_product(a, has_b) / own_b[None, :]
    return np.asarray(np.clip((forth + back) / 2, 0.0, 1.0), dtype=np.float32)


def _word_parts(a: Counts, b: Counts, score: float | None = None) -> Counts:
    """Parts of the mean of both ways by the words that both texts use: [1, BUCKETS].

    Args:
        score: what the parts shall add up to, where the score was held at 1.
    """
    shared = np.intersect1d(a.indices, b.indices)
    one, other = a[:, shared].toarray()[0], b[:, shared].toarray()[0]
    parts = (other / max(float(a.sum()), 1e-12) + one / max(float(b.sum()), 1e-12)) / 2
    if score is not None and parts.sum() > 0:
        parts = parts * (score / parts.sum(dtype=np.float64))
    return Counts((parts, shared, [0, len(shared)]), shape=(1, a.shape[1]))
