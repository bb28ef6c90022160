"""Weights of a mixture's channels by profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from colde.judge.profiles import GENERAL


@dataclass(frozen=True, slots=True)
class MixtureWeights:
    """Weights of the channels of a score, in parts of one; the rest is CoLDE's own score.

    Attributes:
        words: the cosine of the words channel's trained vectors.
        exact: the cosine of plain TF-IDF weights.
    """

    words: float = 0.0
    exact: float = 0.0

    @property
    def dense(self) -> float:
        """The rest: CoLDE's own score."""
        return 1.0 - self.words - self.exact


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the channels by profile, as a checkpoint holds them; from validation (docs/results.md).

    Trained words tell documents of the kinds that were trained on from each other best, and say nothing of others: on
    a kind that was left out plain words and the frozen encoder travel. Subjects of textbooks differ as kinds do.

    Attributes:
        in_domain: for documents of a kind that was trained on, where `profiles` has nothing else.
        out_of_domain: under `general` with a reference.
        profiles: by profile.
    """

    in_domain: MixtureWeights = MixtureWeights()
    out_of_domain: MixtureWeights = MixtureWeights()
    profiles: Mapping[str, MixtureWeights] = field(default_factory=dict)

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Mixture:
        """Weights as they stand in a config: `in_domain`, `out_of_domain`, and one entry a profile."""
        weights = {name: MixtureWeights(**entry) for name, entry in raw.items()}
        none = MixtureWeights()
        return cls(weights.pop("in_domain", none), weights.pop("out_of_domain", none), weights)

    def weights(self, profile: str, *, reference: bool = False) -> MixtureWeights:
        """Weights for documents of a profile, judged against its own background or against a reference."""
        if reference and profile == GENERAL:
            return self.out_of_domain
        return self.profiles.get(profile, self.in_domain)
