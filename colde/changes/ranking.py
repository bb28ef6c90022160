"""How important a change is: as a lawyer reads, by what it does and by what the text is about."""

from __future__ import annotations

import re
from collections.abc import Mapping

from colde.meaning.dates import take_dates
from colde.meaning.quantities import quantities
from colde.results.change import ChangeKind

BY_KIND: Mapping[ChangeKind, float] = {
    "negation": 1.0,
    "obligation": 0.95,
    "roles": 0.95,
    "opposite": 0.9,
    "number": 0.9,
    "condition": 0.85,
    "quantifier": 0.8,
    "only in a": 0.75,
    "only in b": 0.75,
    "table": 0.65,
    "name": 0.6,
    "moved and changed": 0.4,
    "wording": 0.3,
    "moved": 0.1,
    "form": 0.0,
}
"""Who must do what, how much and when, on which condition; a clause of one text alone before a word; form last."""
KIND, ABOUT, LENGTH = 0.65, 0.3, 0.05
"""Weights of the kind, of what the text is about, and of its length."""
_DUTY = re.compile(
    r"\b(?:shall|must|may|should|will|required|obliged|entitled|permitted|allowed|prohibited|forbidden"
    r"|reserves? the right)\b"
)
_LIABILITY = re.compile(
    r"\b(?:liab|indemn|warrant|damages|termination|terminate|breach|penalt|licen[cs]|sublicen|insur|confidential|forfeit"
    r"|waive|negligen|misconduct|harmless|default|arbitration|jurisdiction|governing law|fee\b|fees\b|pay|price)"
)
OF_DUTY = ("negation", "obligation", "roles")
"""Kinds that change who must do what, where the text says so."""
_SIZES = ("time", "working time", "clock", "share", "money")
"""Measures of how much and how long."""
LABEL_WORDS, LABEL = 6, 0.35
"""Words of a heading or an item of a list that one text has alone, and its weight: that of a changed word."""
LONG = 40
"""Words from which a sentence is as important as any of its kind."""


def importance(kind: ChangeKind, text: str) -> float:
    """How important a change is, in [0, 1].

    Args:
        text: the longer of both sides; of tables the description of the change.

    >>> importance("only in b", "The Buyer shall pay a fee of 500 euros.") > importance("number", "Rule 5 is short.")
    True
    """
    lower = text.lower()
    duty, liable = bool(_DUTY.search(lower)), bool(_LIABILITY.search(lower))
    dates, rest = take_dates(lower)
    sized = bool(dates) or any(q.measure.startswith(_SIZES) for q in quantities(rest))
    about = 1.0 if duty and kind in OF_DUTY else 0.4 * duty + 0.3 * liable + 0.3 * sized
    length = min(len(text.split()), LONG) / LONG
    is_label = (
        len(text.split()) <= LABEL_WORDS and not (duty or liable or sized) and text.rstrip()[-1:].isalnum()
    )
    weight = LABEL if is_label and kind in ("only in a", "only in b") else BY_KIND[kind]
    return weight * KIND + (about * ABOUT if weight > BY_KIND["moved"] else 0) + length * LENGTH
