"""The cosine of TF-IDF weights, centred on a reference: what documents of one kind share does not count.

All papers share some words, and so do all proposals. Subtracting the mean TF-IDF of a reference leaves what is unusual
in a document, as subtracting the centre does for the network's vectors. Results: docs/log/colde.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from colde.explain.contribution import Factors, Float64Array, distribute_weights
from colde.models.colde_words.trained_words import DocumentWords
from colde.text.word_weights.term_weights import BUCKETS, Counts


@dataclass(frozen=True, slots=True, eq=False)
class TfidfCentre:
    """The mean m of the TF-IDF of some documents, and cosines around it; the zero vector gives plain cosines.

    Attributes:
        mean: [BUCKETS].
        square: m · m.
        name: in `PairResult.parts`.
    """

    mean: Float64Array
    square: float = field(init=False)
    name: ClassVar[str] = "words"

    def __post_init__(self) -> None:
        object.__setattr__(self, "square", float(self.mean @ self.mean))

    @classmethod
    def of(cls, rows: Counts) -> TfidfCentre:
        """The centre of documents: [documents, BUCKETS], TF-IDF, rows of length one."""
        return cls(np.asarray(rows.mean(0), dtype=np.float64).ravel())

    def cosines(self, a: Counts, b: Counts) -> Float64Array:
        """Cosines of x − m and y − m: [documents, BUCKETS] twice, rows of length one, → [documents]."""
        products = np.asarray(a.multiply(b).sum(1), dtype=np.float64).ravel()
        mean_a, mean_b = a @ self.mean, b @ self.mean
        norms = self._norms(mean_a) * self._norms(mean_b)
        return np.asarray((products - mean_a - mean_b + self.square) / norms, dtype=np.float64)

    def score(self, a: DocumentWords, b: DocumentWords) -> float | None:
        """The cosine of two documents; None if one has no words."""
        if not (a.tfidf.nnz and b.tfidf.nnz):
            return None
        return float(np.clip(self.cosines(a.tfidf, b.tfidf)[0], -1, 1))

    def factors(
        self, a: DocumentWords, b: DocumentWords, shares_a: Counts, shares_b: Counts, weight: float
    ) -> list[Factors]:
        """Parts of weight · score by pair of passages; the mean is divided over passages by their TF-IDF.

        Args:
            shares_a, shares_b: [passages, BUCKETS], as `word_shares` returns.
        """
        scale = weight / self._norm(a, b)
        left, right = distribute_weights(shares_a, a.tfidf), distribute_weights(shares_b, b.tfidf)
        factors: list[Factors] = [(left * scale, right)]
        if not self.mean.any():
            return factors
        (mean_a, mass_a), (mean_b, mass_b) = (
            (part @ self.mean, np.asarray(part.sum(1)).ravel() / document.sum())
            for part, document in ((left, a.tfidf), (right, b.tfidf))
        )
        # (x − sm) · (y − tm) = x · y − t(x · m) − s(m · y) + st(m · m), where s and t are shares of the documents.
        centred = np.stack([mass_a * self.square - mean_a, -mass_a], axis=1) * scale
        factors.append((centred, np.stack([mass_b, mean_b], axis=1)))
        return factors

    def shared_words(self, a: DocumentWords, b: DocumentWords, weight: float) -> Counts:
        """Part of weight · score of each word that both use: [1, BUCKETS]."""
        both = Counts(a.tfidf.multiply(b.tfidf))
        mean = self.mean[both.indices]
        one, other = (np.asarray(e.tfidf[0, both.indices].todense()).ravel() for e in (a, b))
        values = (one - mean) * (other - mean) * weight / self._norm(a, b)
        return Counts((values, both.indices, both.indptr), shape=both.shape)

    def _norm(self, a: DocumentWords, b: DocumentWords) -> float:
        """|x − m| |y − m| of two documents."""
        return float((self._norms(a.tfidf @ self.mean) * self._norms(b.tfidf @ self.mean))[0])

    def _norms(self, mean: Float64Array) -> Float64Array:
        """|x − m| of unit vectors x, from x · m: [documents]."""
        return np.asarray(np.sqrt(np.maximum(1.0 - 2.0 * mean + self.square, 1e-12)), dtype=np.float64)


NO_CENTRE = TfidfCentre(np.zeros(BUCKETS))
