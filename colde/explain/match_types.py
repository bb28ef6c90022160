"""Types of a match: verbatim, edited, reworded, related or weak."""

from __future__ import annotations

import re
from collections.abc import Callable

from colde.results.match import STANDS_OUT
from colde.text.document import Document, Span

REWORDED = 0.5
"""Strength of a match from which it is reworded; below, two passages have at most their topic in common."""

MatchType = Callable[[Span, Span, float], str]
"""The type of a match from its spans and the value of its cell."""


def match_type(a: str, b: str, weight: float, least: float = REWORDED) -> str:
    """The type of a match of two passages: verbatim, edited, reworded or weak.

    The words in common, in order (difflib's ratio), decide the first two. Other matches are `reworded` from a weight of
    `least`, and `weak` below: unrelated texts have such matches, too.
    """
    return match_by_order(a, b) or ("reworded" if weight >= least else "weak")


def match_by_order(a: str, b: str) -> str | None:
    """`verbatim` or `edited` by the words that two passages have in common, in order; None for fewer of them."""
    from difflib import SequenceMatcher

    same = SequenceMatcher(None, lower_words(a), lower_words(b), autojunk=False).ratio()
    if same >= 0.9:
        return "verbatim"
    return "edited" if same >= 0.5 else None


def match_by_words(a: Document, b: Document, otherwise: str | None = None) -> MatchType:
    """The match type by words alone, for models whose values do not detect rewording.

    Only vectors of the shipped encoder, which are the same for every model, call a passage reworded.

    Args:
        otherwise: the type of spans with few words in common; by default `related` where the value stands out, else
            `weak`.
    """

    def kind(left: Span, right: Span, value: float) -> str:
        by_order = match_by_order(a.text[left.start : left.end], b.text[right.start : right.end])
        return by_order or otherwise or ("related" if value >= STANDS_OUT else "weak")

    return kind


def lower_words(text: str) -> list[str]:
    """The words of a text in lower case, figures included."""
    return re.findall(r"\w+", text.lower())
