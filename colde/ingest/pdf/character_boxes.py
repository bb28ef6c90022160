"""Where pdfium says that a character stands, and how much of a line it takes."""

from __future__ import annotations

import ctypes
import math
from typing import Any

from pypdfium2 import raw


def axis(text: Any, index: int) -> int:
    """0 where the text runs along the page's width, 1 where along its height."""
    return int(abs(math.sin(raw.FPDFText_GetCharAngle(text, index))) > 0.7)


def box(text: Any, index: int) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of the shape of a character, in points."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
    return left.value, bottom.value, right.value, top.value


def origin(text: Any, index: int) -> tuple[float, float]:
    """Where a character begins on its baseline, in points."""
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(text, index, x, y)
    return x.value, y.value


def space_between(text: Any, before: int, after: int, size: float) -> float:
    """White space between two characters, in points, by the width that the font gives the first.

    An italic f reaches over the space behind it and the space before it. 0 where no shape does, and where the width
    is none that a letter of this shape could have.

    Args:
        size: of the font, in points.
    """
    along = axis(text, before)
    start, end = origin(text, before)[along], origin(text, after)[along]
    shape, following = box(text, before), box(text, after)
    item = raw.FPDFText_GetTextObject(text, before)
    font = raw.FPDFTextObj_GetFont(item) if item else None
    width = ctypes.c_float()
    if not font or not raw.FPDFFont_GetGlyphWidth(font, raw.FPDFText_GetUnicode(text, before), size, width):
        return 0.0
    forth = end >= start
    reach = shape[along + 2] - start if forth else start - shape[along]
    leans = following[along] < end if forth else following[along + 2] > end
    plausible = 0.4 * reach < width.value < 2.0 * reach
    return abs(end - start) - width.value if plausible and (width.value < reach or leans) else 0.0
