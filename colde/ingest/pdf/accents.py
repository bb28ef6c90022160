"""Accents that a PDF draws as characters of their own (TeX's older fonts): put on the letter that they stand over."""

from __future__ import annotations

import unicodedata
from typing import Any

from colde.ingest.pdf.shapes import axis, box, origin

_COMBINING = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
_CODES = {ord(accent): combining for accent, combining in _COMBINING.items()}
_NEAR = 40  # characters between an accent and its letter; pdfium gives what is drawn apart by its place in the line
_RAISED = 0.8  # of a letter's height, by which an accent may stand higher or lower than where it was made for


def accented(letter: str, combining: str) -> str | None:
    """The letter with a combining accent as one character; None where there is none."""
    if not letter.isalpha():
        return None
    composed = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + combining)
    return composed if len(composed) == 1 else None


def placed(text: Any, codes: list[int]) -> dict[int, str]:
    """What characters of a pdfium text page are, where an accent has found its letter: the letter; "" for the accent.

    Args:
        codes: of all characters of the page.
    """
    found: dict[int, str] = {}
    for i, code in enumerate(codes):
        if code not in _CODES:
            continue
        near = sorted(
            range(max(0, i - _NEAR), min(len(codes), i + _NEAR + 1)), key=lambda j: (abs(j - i), -j)
        )
        for j in near:
            whole = (
                accented(chr(codes[j]), _CODES[code]) if 0x20 < codes[j] < 0x2000 and j not in found else None
            )
            if whole is not None and _is_over(text, i, j):
                found[i], found[j] = "", whole
                break
    return found


def _is_over(text: Any, accent: int, letter: int) -> bool:
    """Whether the middle of an accent lies over a letter of its line, in the direction in which the text runs."""
    along = axis(text, letter)
    across = 1 - along
    over, under = box(text, accent), box(text, letter)
    apart = abs(origin(text, accent)[across] - origin(text, letter)[across])
    in_line = apart <= _RAISED * (under[across + 2] - under[across])
    return in_line and under[along] < (over[along] + over[along + 2]) / 2 < under[along + 2]
