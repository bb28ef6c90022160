"""Weights of a mixture's channels by profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta

from colde import strict_json
from colde.judge.profiles import GENERAL

Weight = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class MixtureWeights:
    """Weights of the channels of a score; the rest to 1 is the weight of CoLDE's score.

    Attributes:
        words: the cosine of trained word vectors.
        exact: the cosine of TF-IDF weights.
    """

    words: Weight = 0.0
    exact: Weight = 0.0

    def __post_init__(self) -> None:
        if self.words + self.exact > 1 + 1e-6:
            raise ValueError("weights of channels that add up to more than 1")

    @property
    def dense(self) -> float:
        """Weight of CoLDE's score."""
        return 1.0 - self.words - self.exact


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the channels by profile, fitted on validation pairs (docs/log/colde.md).

    Trained words do not transfer to kinds of documents that were not trained on; TF-IDF and the frozen encoder do.

    Attributes:
        kinds: by profile, of the kinds of documents that were trained on.
        general: of other kinds; reference: of other kinds, around the centre of a reference.
    """

    kinds: Mapping[str, MixtureWeights] = field(default_factory=dict)
    general: MixtureWeights = MixtureWeights()
    reference: MixtureWeights = MixtureWeights()

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Mixture:
        """Weights from a config: `general`, `reference`, and one entry a profile."""
        weights: dict[str, MixtureWeights] = strict_json.convert(raw, dict[str, MixtureWeights])
        general, reference = (weights.pop(name, MixtureWeights()) for name in (GENERAL, "reference"))
        return cls(weights, general, reference)

    def weights(self, profile: str, *, reference: bool = False) -> MixtureWeights:
        """Weights of a profile; `general` has others where it is judged against a reference."""
        if reference and profile == GENERAL:
            return self.reference
        return self.kinds.get(profile, self.general)
