"""Worth of a model's account of its score on one pair of documents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Mean loss of a score when parts of both texts are left out.

    Attributes:
        own: without what the model's contribution map calls strongest; chance: without as much at random.
    """

    own: float
    chance: float

    def to_dict(self) -> dict[str, float]:
        return {"own": self.own, "chance": self.chance}
