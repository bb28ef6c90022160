"""Differences of form alone: punctuation, capitals, spaces, the layout of numbers."""

from __future__ import annotations

import re
import unicodedata

_THOUSANDS = re.compile(r"(?<=\d)[ ,'’\u00a0\u202f](?=\d{3}(?!\d))")
_DECIMALS = re.compile(r"(?<![\d.])(\d+)\.(\d*?)0*(?![\d.]*\d)")
_DASHES = str.maketrans("−–—‐‑", "-----")
_KEPT = re.compile(
    r"\w|[%‰]"
    r"|(?<=\d)[-./:,](?=\d)"  # 10-15, 1/2, 3.5, 17:00
    r"|(?<![\w)])-(?=\.?\d)"  # -20
    r"|(?<!\S)[*/\\&|](?!\S)"  # an operator between spaces
)


def is_form(a: str, b: str) -> bool:
    """Whether two texts differ in punctuation, capitals, spaces or the layout of numbers alone.

    >>> is_form("The Company, Ltd pays 1,000.50 euros.", "the company Ltd pays 1000.5 euros"), is_form("10-15", "1015")
    (True, False)
    """
    return _without_form(a) == _without_form(b)


def _without_form(text: str) -> str:
    """The words, numbers and symbols of a text in one notation."""
    text = _DECIMALS.sub(_decimal, _THOUSANDS.sub("", text.translate(_DASHES)))
    kept = (
        sign
        if _KEPT.match(text, place) or unicodedata.category(sign) in ("Sm", "Sc", "So", "Mn", "Mc")
        else ""
        for place, sign in enumerate(text)
    )
    return "".join(kept).casefold()


def _decimal(match: re.Match[str]) -> str:
    return f"{match[1]}.{match[2]}" if match[2] else match[1]
