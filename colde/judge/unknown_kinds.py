"""Threshold and probability for a pair of no kind that has a profile, from what is known of it without labels.

Two recipes, or two chapters of tales, score high because of their kind. How similar the parts of each document are to
each other, and how long it is, tells how high unrelated documents of its kind score. `UnknownKinds` is a logistic
regression on these and the score. `studies/verdicts/fit_unknown_kinds.py` fits it on pairs of many kinds, and measures
it on kinds that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

MOST_CALIBRATION_ERROR = 0.08
"""Error on kinds that were left out, above which no probability is given."""

Number = Annotated[float, Meta(ge=-1e6, le=1e6)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class DocumentTraits:
    """What is known of a document without labels.

    Attributes:
        words: that are compared.
        self_similarity: of its parts to each other (`Encoding.self_similarity`); None where it is not known.
    """

    words: int
    self_similarity: float | None = None


@dataclass(frozen=True, slots=True)
class UnknownKinds:
    """Logistic regression of related pairs, for pairs of kinds that it was not fitted on.

    The log-odds are slope · score + intercept + the sum over both documents of words · ln(words) + self_similarity ·
    (self-similarity).

    Attributes:
        typical_self_similarity: takes the place of one that is not known.
        same_kind: log-odds from which an unrelated pair is called one of the same kind.
        weights: of the channels of a mixture that the score is computed with; vector_share: λ of CoLDE's score.
        pairs, kinds: of documents that it was fitted on.
        calibration_error: on kinds that were left out.
    """

    slope: Annotated[float, Meta(gt=0, le=1e6)]
    intercept: Number
    words: Number
    self_similarity: Number
    typical_self_similarity: Share
    same_kind: Number
    pairs: Annotated[int, Meta(ge=1, le=10**9)]
    kinds: Annotated[int, Meta(ge=1, le=10**6)]
    calibration_error: Share
    vector_share: Share = 0.0
    weights: Mapping[str, Share] = field(default_factory=dict)

    @property
    def gives_probability(self) -> bool:
        """Whether the calibration error on kinds that were left out is small enough."""
        return self.calibration_error <= MOST_CALIBRATION_ERROR

    def offset(self, a: DocumentTraits, b: DocumentTraits) -> float:
        """The log-odds of a pair with the score 0."""
        return self.intercept + self._part(a) + self._part(b)

    def threshold(self, a: DocumentTraits, b: DocumentTraits) -> float:
        """The score with the probability 0.5."""
        return -self.offset(a, b) / self.slope

    def _part(self, document: DocumentTraits) -> float:
        alike = document.self_similarity
        alike = self.typical_self_similarity if alike is None else alike
        return self.words * math.log(max(document.words, 1)) + self.self_similarity * alike
