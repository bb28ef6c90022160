"""The words for a score: from its probability by one table, or from the threshold where there is no probability."""

from __future__ import annotations

from typing import Literal

from colde.results.verdicts.prior import BALANCED

UNDECIDED = (0.35, 0.65)
"""Probabilities from and up to which a pair is neither called related nor unrelated."""
LABELS = (
    (0.95, "Very likely related"),
    (0.75, "Probably related"),
    (UNDECIDED[1], "Perhaps related"),
    (UNDECIDED[0], "Undecided"),
    (0.25, "Perhaps unrelated"),
    (0.05, "Probably unrelated"),
    (0.00, "Very likely unrelated"),
)
"""The least probability for each label."""

SAME_KIND = "Same kind of text, no sign of a closer relation"
"""The label of a pair that is not related, but scores higher than pairs of different kinds."""

Stance = Literal["related", "unrelated", "undecided", ""]
"""Answer of a score on a pair; empty without a threshold."""


def label_of(probability: float | None, similar: bool | None, *, same_kind: bool = False) -> str:
    """A few words for a pair: by its probability, or without one by the side of the threshold.

    Probabilities are taken in whole per cent, as they are shown.

    Args:
        same_kind: an unrelated pair scores as pairs of one kind do.
    """
    if probability is None:
        words = {True: "Related", False: "Unrelated", None: "No verdict"}[similar]
    else:
        words = next(words for least, words in LABELS if percent(probability) >= round(100 * least, 6))
    return SAME_KIND if same_kind and words.lower().endswith("unrelated") else words


def stance_of(balanced: float | None, similar: bool | None) -> Stance:
    """The answer in one word, by the probability among balanced pairs where there is one."""
    if similar is None:
        return ""
    if balanced is None:
        return "related" if similar else "unrelated"
    words = label_of(balanced, similar).lower().split()[-1]
    return "undecided" if words == "undecided" else "related" if words == "related" else "unrelated"


def percent(probability: float) -> int:
    """A probability in per cent, never 0 or 100, since none is certain."""
    return min(99, max(1, round(100 * probability)))


def as_ratio(prior: float) -> str:
    """A share of pairs as a count, e.g. `5 in 100`, `1 in 1,000`."""
    of = next((n for n in (100, 1_000, 10_000) if prior * n >= 1), 1_000_000)
    return f"{prior * of:.3g} in {of:,}"


def probability_title(prior: float) -> str:
    """Title of a column of probabilities."""
    return "probability" if prior == BALANCED else f"probability, {as_ratio(prior)} related"


def percent_or_dash(probability: float | None) -> str:
    """A probability in per cent; a dash where there is none."""
    return "–" if probability is None else f"{percent(probability)} %"
