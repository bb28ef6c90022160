"""Weights of a mixture's channels by profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from colde.judge.profiles import GENERAL


@dataclass(frozen=True, slots=True)
class MixtureWeights:
    """Weights of the channels of a score; the rest to 1 is the weight of CoLDE's score.

    Attributes:
        words: the cosine of trained word vectors.
        exact: the cosine of TF-IDF weights.
    """

    words: float = 0.0
    exact: float = 0.0

    @property
    def dense(self) -> float:
        """Weight of CoLDE's score."""
        return 1.0 - self.words - self.exact


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the channels by profile, fitted on validation pairs (docs/results.md).

    Attributes:
        in_domain: for kinds of documents that were trained on, unless `profiles` has others.
        out_of_domain: under `general` with a reference. Trained words do not transfer to kinds that were not trained
            on; TF-IDF and the frozen encoder do.
        profiles: by profile.
    """

    in_domain: MixtureWeights = MixtureWeights()
    out_of_domain: MixtureWeights = MixtureWeights()
    profiles: Mapping[str, MixtureWeights] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Mixture:
        """Weights from a config: `in_domain`, `out_of_domain`, and one entry a profile."""
        weights = {name: MixtureWeights(**entry) for name, entry in raw.items()}
        none = MixtureWeights()
        return cls(weights.pop("in_domain", none), weights.pop("out_of_domain", none), weights)

    def weights(self, profile: str, *, reference: bool = False) -> MixtureWeights:
        """Weights of a profile, judged against its background corpus or a reference."""
        if reference and profile == GENERAL:
            return self.out_of_domain
        return self.profiles.get(profile, self.in_domain)
