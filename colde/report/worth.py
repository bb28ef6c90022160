"""How much a model's account of its score was measured to say: one line beside it, from the bundled figures.

Measured by benchmarks/explanations.py on related validation pairs; figures only, no text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from colde.assets import asset

FILE = "explanations.json"
VIEWS = {"chunks": "contribution_chunk", "sentences": "contribution_sentence"}
"""The view that the figures are looked up for, by the passages that were left out."""
STABLE = 0.1
"""What chance loses, as a share of what the view does: below, a multiple of it says nothing."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What was measured of a view.

    Attributes:
        better: whether it is better than chance, by deletion or by insertion, its 95 % interval above zero.
        sentence: the same in words.
    """

    better: bool
    sentence: str


def worth_of(model: str) -> Worth | None:
    """The worth of a model's account of its score; None where it was not measured."""
    found = _measured().get(model)
    figures = None if found is None else found["views"].get(VIEWS[found["passages"]])
    if found is None or figures is None:
        return None
    deletion, insertion = figures["deletion less chance"], figures["insertion less chance"]
    better = deletion[1] > 0 or insertion[1] > 0
    return Worth(better, _sentence(found, figures, better))


def _sentence(found: dict[str, Any], figures: dict[str, Any], better: bool) -> str:
    pairs = f"{found['pairs']} related pairs of {found['corpus']}"
    if not better:
        return (
            f"Measured on {pairs}, leaving out what this map calls strongest changes the score no more than leaving "
            "out at random; so it is not shown as an explanation."
        )
    own = figures["deletion"][0]
    chance = own - figures["deletion less chance"][0]
    if figures["deletion less chance"][1] > 0 and chance > STABLE * own:
        return (
            f"Leaving out what this map calls strongest lowers the score {own / chance:.1f} times as much as leaving "
            f"out at random ({pairs})."
        )
    if figures["deletion less chance"][1] > 0:
        return (
            f"Leaving out what this map calls strongest lowers the score by {own:.2f}, leaving out at random by "
            f"{chance:.2f} ({pairs})."
        )
    kept = figures["insertion"][0]
    by_chance = kept - figures["insertion less chance"][0]
    return (
        f"What this map calls strongest keeps a score of {kept:.2f} by itself, as much text at random {by_chance:.2f} "
        f"({pairs})."
    )


@cache
def _measured() -> dict[str, dict[str, Any]]:
    """Figures by model, each with its corpus and number of pairs."""
    try:
        whole = json.loads(asset(FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    found: dict[str, dict[str, Any]] = whole["models"]
    return found
