"""A document's vector as a sum over its passages, and the contributions to a cosine that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from colde.explain.contribution import Units, contribution_maps
from colde.models.shared.integrated_gradients import VectorParts, product
from colde.models.shared.network_input import VectorEncoding
from colde.results.similarity_map import SimilarityMap
from colde.text.word_weights.term_weights import Counts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UnitEncoding(VectorEncoding):
    """A document with the parts of its vector.

    Attributes:
        units: the passages of the document, read or not.
        parts: the vector as a sum over the pieces that the network reads.
        shares: [units, pieces], how each piece is spread over the units; None where the pieces are the units.
    """

    units: Units
    parts: VectorParts
    shares: Counts | None = None


def unit_contributions(
    a: UnitEncoding, b: UnitEncoding, score: float, meaning: str
) -> dict[str, SimilarityMap]:
    """Contribution maps of the cosine of two vectors."""
    left, right, reference = product(a.parts, b.parts)
    left = left if a.shares is None else a.shares @ left
    right = right if b.shares is None else b.shares @ right
    return contribution_maps(a.units, b.units, [(left, right)], score, meaning, reference=reference)
