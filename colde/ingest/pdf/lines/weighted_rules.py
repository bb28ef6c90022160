"""Rules with a name, a weight and a reason, as tables of them decide what a line is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Facts = TypeVar("Facts")

TUNED = "tuned with studies/reading/readers_compared.py on the documents that docs/log/reading.md names"
CONVENTION = "typographic convention; weight " + TUNED


@dataclass(frozen=True, slots=True)
class Rule(Generic[Facts]):
    """One rule.

    Attributes:
        name: identifies the rule in tests.
        weight: what the rule adds to the score where it applies.
        applies: whether it applies, given the facts and the score of the rules before it.
        reason: why it says something.
        source: where the weight comes from.
    """

    name: str
    weight: float
    applies: Callable[[Facts, float], bool]
    reason: str
    source: str = TUNED


def add_up(rules: Iterable[Rule[Facts]], facts: Facts, score: float = 0.0) -> float:
    """The score plus the weights of all rules that apply."""
    for rule in rules:
        if rule.applies(facts, score):
            score += rule.weight
    return score
