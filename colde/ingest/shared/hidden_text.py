"""Letters that nobody sees: when a colour or a size hides them, and the warning that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colde.ingest.shared.page_warnings import page_warning, pages_phrase
from colde.text.document import ReadWarning

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
MIN_POINTS = 1.5
"""Size of letters that can be seen."""
MIN_CONTRAST = 1.2
"""Contrast of letters that can be seen (WCAG 2); 1 is none, light grey on white has 1.6."""
LINEAR = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in range(256)]
"""Intensity of each value of red, green or blue (sRGB)."""
WEIGHTS = (0.2126, 0.7152, 0.0722)  # of red, green and blue in the luminance (WCAG 2)
_MIN_WARNED_CHARACTERS = 5  # fewer are no text
_QUOTE_CHARACTERS = 60


def is_same_to_the_eye(letters: Colour, background: Colour) -> bool:
    """Whether letters of a colour cannot be told from their background."""
    return contrast(letters, background) < MIN_CONTRAST


def is_white(colour: str) -> bool:
    """Whether a colour, six hexadecimal digits, cannot be told from white paper; False for other texts."""
    if re.fullmatch("[0-9a-fA-F]{6}", colour) is None:
        return False
    red, green, blue = bytes.fromhex(colour)
    return is_same_to_the_eye((red, green, blue), WHITE)


def contrast(letters: Colour, background: Colour) -> float:
    """Contrast of two colours (WCAG 2): from 1 for none to 21 for black on white."""
    dark, light = sorted((_luminance(letters), _luminance(background)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    """Relative luminance (WCAG 2): 0 for black, 1 for white."""
    return sum(weight * LINEAR[c] for weight, c in zip(WEIGHTS, colour, strict=True))


def hidden_text_warnings(
    characters: int, text_near: str, pages: Sequence[int] = ()
) -> tuple[ReadWarning, ...]:
    """A warning about hidden characters that were left out on these pages, near this text; none for a few."""
    if characters < _MIN_WARNED_CHARACTERS:
        return ()
    place = " ".join(text_near.split())[-_QUOTE_CHARACTERS:]
    where = f", first near “{place}”" if place else ""
    if pages:
        where = f" on {pages_phrase(pages)}{where}"
    what = f"{characters:,} hidden characters, invisible by their colour, size or place, were left out{where}"
    return (page_warning(pages, what),)
