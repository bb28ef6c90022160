"""One sentence on the faithfulness of a model's explanation, from the bundled figures.

Measured on related validation pairs by explanation_figures.py, on more of them by deletion_curves.py, and against a
network without training by deletion_controls.py, all in studies/explanations; figures only, no text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from colde.assets import figures
from colde.results.model_score import Faithfulness

FIGURES_FILE = "explanations.json"
VIEWS = {"chunks": "contribution_chunk", "sentences": "contribution_sentence"}
"""The map that the figures are of, by the passages that were left out."""
CORPORA = {"acl": "papers", "peps": "proposals", "wiki": "articles"}
"""Names for the documents of a corpus."""
MIN_CHANCE_SHARE = 0.1
"""Least loss by chance, as a share of the map's loss, for which the multiple of the two is stated."""


@dataclass(frozen=True, slots=True)
class MeasuredQuality:
    """Faithfulness of an explanation.

    Attributes:
        better: whether it is better than chance by deletion or by insertion, with the 95 % interval above zero.
        sentence: the same in words.
    """

    better: bool
    sentence: str


def measured_quality(model: str, pair: Faithfulness | None = None) -> MeasuredQuality | None:
    """How faithful a model's explanation of its score is; None where it was not measured.

    Args:
        pair: the deletion test on this pair of documents, where it was run.
    """
    measured = figures(FIGURES_FILE).get("models", {}).get(model)
    if measured is None:
        return None
    curves = measured.get("curves") or measured["views"].get(VIEWS[measured["passages"]])
    if curves is None:
        return None
    better = curves["deletion less chance"][1] > 0 or curves["insertion less chance"][1] > 0
    measured_on = measured | curves
    documents = re.sub(r"\w+", lambda name: CORPORA.get(name[0], name[0]), measured_on["corpus"])
    pairs = f"{measured_on['pairs']:,} related pairs of {documents}"
    if not better:
        return MeasuredQuality(
            False,
            f"Measured on {pairs}: leaving out the strongest passages of this map changes the score no more than "
            "leaving out passages at random. It is therefore not shown as an explanation.",
        )
    sentence = f"{_comparison_with_chance(curves, pairs)} {_control(measured)}".strip()
    return MeasuredQuality(True, sentence if pair is None else f"{sentence} {quality_on_pair(pair)}")


def quality_on_pair(pair: Faithfulness) -> str:
    """The loss of this pair's score without the strongest passages of a map, against passages at random."""
    if 0 < MIN_CHANCE_SHARE * pair.own < pair.chance:
        return f"On this pair, {pair.own / pair.chance:.1f} times as much."
    own_text, chance = (f"{-lost:+.2f}".replace("-", "\N{MINUS SIGN}") for lost in (pair.own, pair.chance))
    return f"On this pair it changes the score by {own_text}, leaving out passages at random by {chance}."


def _control(measured: dict[str, Any]) -> str:
    """How much of the loss beyond chance the same network has without training; empty where it was not measured."""
    control = measured.get("control")
    if control is None or control["loss"] <= control["chance"]:
        return ""
    remains = (control["control"] - control["chance"]) / (control["loss"] - control["chance"])
    return (
        f"With random weights in place of the trained ones, {100 * max(0.0, remains):.0f} % of this difference "
        f"remains ({control['pairs']} pairs): that part comes from the texts and their sentence vectors, not from "
        "the training."
    )


def _comparison_with_chance(curves: dict[str, Any], pairs: str) -> str:
    """The sentence on a map that is better than chance, by deletion if that shows it, else by insertion."""
    loss, kept = curves["deletion"][0], curves["insertion"][0]
    random_loss = loss - curves["deletion less chance"][0]
    random_kept = kept - curves["insertion less chance"][0]
    if curves["deletion less chance"][1] <= 0:
        return (
            f"The strongest passages of this map alone have a score of {kept:.2f}; as much text at random has "
            f"{random_kept:.2f} ({pairs})."
        )
    lowers = "Leaving out the strongest passages of this map lowers the score"
    if random_loss > MIN_CHANCE_SHARE * loss:
        return f"{lowers} {loss / random_loss:.1f} times as much as leaving out passages at random ({pairs})."
    return f"{lowers} by {loss:.2f}, leaving out passages at random by {random_loss:.2f} ({pairs})."
