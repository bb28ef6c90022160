"""Plain words seen from a centre: the cosine of two documents once what is usual in their kind is taken from both.

Two papers share the words of all papers, and two proposals those of all proposals. Less the mean of the TF-IDF of a
reference, as the network's vectors are less their centre, only what is unusual there counts. Measured on kinds that
were left out of training: docs/results.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from colde.explain.contribution import Factors, Float64Array, distribute_weights
from colde.text.term_weights import BUCKETS, Counts


@dataclass(frozen=True, slots=True, eq=False)
class TfidfCentre:
    """The mean m of the TF-IDF of some documents; with the zero vector a cosine is the plain one.

    Attributes:
        mean: [BUCKETS].
    """

    mean: Float64Array

    @classmethod
    def of(cls, rows: Counts) -> TfidfCentre:
        """The centre of documents: [documents, BUCKETS], TF-IDF, rows of length one."""
        return cls(np.asarray(rows.mean(0), dtype=np.float64).ravel())

    @property
    def square(self) -> float:
        """m · m."""
        return float(self.mean @ self.mean)

    def cosines(self, a: Counts, b: Counts) -> Float64Array:
        """Cosines of x - m and y - m: [documents, BUCKETS] twice, rows of length one, → [documents]."""
        shared = np.asarray(a.multiply(b).sum(1), dtype=np.float64).ravel()
        usual_a, usual_b = a @ self.mean, b @ self.mean
        lengths = self._lengths(usual_a) * self._lengths(usual_b)
        return np.asarray((shared - usual_a - usual_b + self.square) / lengths, dtype=np.float64)

    def factors(
        self, a: Counts, b: Counts, shares_a: Counts, shares_b: Counts, weight: float
    ) -> list[Factors]:
        """What pairs of passages add to weight times the cosine; the mean goes to passages by their TF-IDF.

        Args:
            a, b: [1, BUCKETS], TF-IDF of the documents.
            shares_a, shares_b: [passages, BUCKETS], `word_shares`.
        """
        scale = weight / self._length(a, b)
        left, right = distribute_weights(shares_a, a), distribute_weights(shares_b, b)
        found: list[Factors] = [(left * scale, right)]
        if not self.mean.any():
            return found
        (usual_a, mass_a), (usual_b, mass_b) = (
            (part @ self.mean, np.asarray(part.sum(1)).ravel() / whole.sum())
            for part, whole in ((left, a), (right, b))
        )
        # (x - sm) · (y - tm) = x · y - t(x · m) - s(m · y) + st(m · m), where s and t are shares of the documents.
        one = np.stack([mass_a * self.square - usual_a, -mass_a], axis=1) * scale
        found.append((one, np.stack([mass_b, usual_b], axis=1)))
        return found

    def shared(self, a: Counts, b: Counts, weight: float) -> Counts:
        """What each word that both use adds by standing in both: [1, BUCKETS]."""
        found = Counts(a.multiply(b))
        usual = self.mean[found.indices]
        own, other = (np.asarray(rows[0, found.indices].todense()).ravel() for rows in (a, b))
        values = (own - usual) * (other - usual) * weight / self._length(a, b)
        return Counts((values, found.indices, found.indptr), shape=found.shape)

    def _length(self, a: Counts, b: Counts) -> float:
        """|x - m| |y - m| of two documents."""
        return float((self._lengths(a @ self.mean) * self._lengths(b @ self.mean))[0])

    def _lengths(self, usual: Float64Array) -> Float64Array:
        """|x - m| of unit vectors x, from x · m: [documents]."""
        return np.asarray(np.sqrt(np.maximum(1.0 - 2.0 * usual + self.square, 1e-12)), dtype=np.float64)


NO_CENTRE = TfidfCentre(np.zeros(BUCKETS))
"""No centre: what is shared counts whole."""
