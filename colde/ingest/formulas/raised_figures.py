"""Raised and lowered figures on one line, for every format: 10⁶ becomes `10^6`, and 101 in base 2 becomes `101_2`.

Right behind another figure they would make a different number, 106. Behind letters they stay as they are (m2, H2O), and
so do raised letters (10th). Whether a raised figure calls a note is for the reader of the format to decide first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Literal

Height = Literal["level", "raised", "lowered"]
"""Where letters stand in their line."""
_SIGNS = str.maketrans({"−": "-", "–": "-", "‐": "-", "‑": "-", "\u00a0": " "})
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*[-+]?|[-+]")
"""A number with its sign; in an ion the sign stands behind it, or alone."""
_LETTER = re.compile("[nkxN]")
"""Letters that are exponents behind a figure; others are endings of ordinal numbers, units or marks."""
_FORMULA = re.compile(
    r"[-+]?(?:\d+(?:[.,]\d+)*|\d*[a-zA-Z])(?:[-+/*·×](?:\d+(?:[.,]\d+)*|\d*[a-zA-Z]))+|\d+[nkxN]"
)
"""A small formula: 1/2, n+1, 2n."""
_CLOSED = re.compile(r"[^\s(\[{][)\]}]$")


def raised_text(raised: str, before: str, after: str = "") -> str:
    """What stands on the line for a raised text.

    Args:
        raised: the raised text.
        before: the text before it, or the end of that.
        after: the text behind it, or the beginning of that.

    Examples:
        >>> raised_text("6", "10"), raised_text("−3", "10"), raised_text("1/2", "2")
        ('^6', '^-3', '^(1/2)')
        >>> raised_text("th", "10"), raised_text("2", "20 m"), raised_text("1", "2", "/2")
        ('th', '2', ' 1')
    """
    plain = raised.strip().translate(_SIGNS)
    if before[-1:].isdigit() and after[:1] in ("/", "⁄") and plain.isdigit():
        return f" {plain}"  # two and a half
    if before[-1:].isdigit() and (_NUMBER.fullmatch(plain) or _LETTER.fullmatch(plain)):
        return _apart(f"^{plain}", after)
    if before[-1:].isdigit() and _FORMULA.fullmatch(plain):
        return f"^({plain})"
    if _CLOSED.search(before[-2:]) and _NUMBER.fullmatch(plain):
        return _apart(f"^{plain}", after)
    return _apart(raised, after)


def lowered_text(lowered: str, before: str, after: str = "") -> str:
    """What stands on the line for a lowered text; the arguments are those of `raised_text`.

    Examples:
        >>> lowered_text("2", "101"), lowered_text("2", "H", "O"), lowered_text("2", "log", "8")
        ('_2', '2', '2 ')
    """
    plain = lowered.strip()
    if before[-1:].isdigit() and plain[:1].isdigit():
        return _apart(f"_{plain}", after)
    return _apart(lowered, after)


def text_on_one_line(pieces: Iterable[tuple[str, Height]]) -> str:
    """The text of the pieces of a paragraph, each with its height.

    Examples:
        >>> text_on_one_line([("The 10", "level"), ("t", "raised"), ("h of 10", "level"), ("6", "raised")])
        'The 10th of 10^6'
    """
    present = [piece for piece in pieces if piece[0]]
    if all(height == "level" for _, height in present):
        return "".join([text for text, _ in present])
    runs = [
        (height, "".join(text for text, _ in run)) for height, run in groupby(present, lambda piece: piece[1])
    ]
    line = ""
    parts = []
    for (height, text), (_, after) in zip(runs, [*runs, ("level", "")][1:], strict=True):
        if height == "raised":
            text = raised_text(text, line, after)
        elif height == "lowered":
            text = lowered_text(text, line, after)
        parts.append(text)
        line = line[-2:] + text[-2:]
    return "".join(parts)


def formula_behind(formula: str, before: str) -> str:
    """A formula as it stands behind a text: that of an exponent alone, `^6`, may belong to a number there."""
    if formula.startswith("^"):
        return raised_text(formula[1:], before)
    return f" {formula}" if before[-1:].isdigit() and formula[:1].isdigit() else formula


def _apart(text: str, after: str) -> str:
    """The text, with a space where the next figure would continue its number."""
    return f"{text} " if text[-1:].isdigit() and after[:1].isdigit() else text
