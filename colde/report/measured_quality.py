"""One line on how much a model's account of its score was measured to say, from the bundled figures.

Measured on related validation pairs by studies/explanations/explanation_figures.py, on more of them by
studies/explanations/deletion_curves.py; figures only, no text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from colde.assets import asset
from colde.results.model_score import Faithfulness

FIGURES_FILE = "explanations.json"
VIEWS = {"chunks": "contribution_chunk", "sentences": "contribution_sentence"}
"""The view that the figures are looked up for, by the passages that were left out."""
CORPORA = {"acl": "papers", "peps": "proposals", "wiki": "articles"}
"""What the documents of a corpus are called."""
MIN_CHANCE_SHARE = 0.1
"""Least loss by chance, as a share of the view's own, that a multiple is quoted for; of less it says nothing."""


@dataclass(frozen=True, slots=True)
class MeasuredQuality:
    """Measured worth of a view.

    Attributes:
        better: whether it is better than chance, by deletion or by insertion, its 95 % interval above zero.
        sentence: the same in words.
    """

    better: bool
    sentence: str


def measured_quality(model: str, pair: Faithfulness | None = None) -> MeasuredQuality | None:
    """The worth of a model's account of its score; None where it was not measured.

    Args:
        pair: what it is worth on this pair of documents, where the model was asked.
    """
    found = _measured().get(model)
    if found is None:
        return None
    figures = found.get("curves") or found["views"].get(VIEWS[found["passages"]])
    if figures is None:
        return None
    deletion, insertion = figures["deletion less chance"], figures["insertion less chance"]
    better = deletion[1] > 0 or insertion[1] > 0
    said = _sentence(found | figures, figures, better)
    return MeasuredQuality(better, f"{said} {quality_on_pair(pair)}" if better and pair is not None else said)


def quality_on_pair(pair: Faithfulness) -> str:
    """State what one pair's score loses when the passages a map calls strongest go, against passages at random."""
    if 0 < MIN_CHANCE_SHARE * pair.own < pair.chance:
        return f"On this pair, {pair.own / pair.chance:.1f} times as much."
    own, chance = (f"{-lost:+.2f}".replace("-", "\N{MINUS SIGN}") for lost in (pair.own, pair.chance))
    return f"On this pair it changes the score by {own}, leaving out at random by {chance}."


def _sentence(found: dict[str, Any], figures: dict[str, Any], better: bool) -> str:
    documents = re.sub(r"\w+", lambda name: CORPORA.get(name[0], name[0]), found["corpus"])
    pairs = f"{found['pairs']:,} related pairs of {documents}"
    if not better:
        return (
            f"Measured on {pairs}, leaving out what this map calls strongest changes the score no more than leaving "
            "out at random; so it is not shown as an explanation."
        )
    own = figures["deletion"][0]
    chance = own - figures["deletion less chance"][0]
    if figures["deletion less chance"][1] > 0 and chance > MIN_CHANCE_SHARE * own:
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
    random_score = kept - figures["insertion less chance"][0]
    return (
        f"What this map calls strongest keeps a score of {kept:.2f} by itself, as much text at random "
        f"{random_score:.2f} "
        f"({pairs})."
    )


@cache
def _measured() -> dict[str, dict[str, Any]]:
    """Figures by model, each with its corpus and number of pairs."""
    try:
        whole = json.loads(asset(FIGURES_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    found: dict[str, dict[str, Any]] = whole["models"]
    return found
