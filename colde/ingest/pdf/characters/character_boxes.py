"""Where pdfium says that the characters of a page stand, how much of a line they take, and how a page is turned."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pypdfium2 import raw

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in the page's own coordinates, in points."""
SECOND_HALF = -1
"""Stands among the codes for the second half of a character beyond U+FFFF, which pdfium gives as two."""


class CharacterReader:
    """Reads the characters of a text page of pdfium by their positions, in the page's own coordinates.

    Attributes:
        codes: of the characters; a character beyond U+FFFF is followed by `SECOND_HALF`.
    """

    def __init__(self, text: Any) -> None:
        self.text = text
        read_code = raw.FPDFText_GetUnicode
        codes = [read_code(text, i) for i in range(raw.FPDFText_CountChars(text))]
        self.codes: Sequence[int] = _with_joined_pairs(codes)
        self._numbers = tuple(ctypes.c_double() for _ in range(4))
        self._origins: dict[int, tuple[float, float]] = {}
        self._matrix = raw.FS_MATRIX()

    def box(self, index: int) -> Box:
        """The shape of a character."""
        left, right, bottom, top = self._numbers
        raw.FPDFText_GetCharBox(self.text, index, left, right, bottom, top)
        return left.value, bottom.value, right.value, top.value

    def origin(self, index: int) -> tuple[float, float]:
        """Where a character begins on its baseline."""
        origin = self._origins.get(index)
        if origin is None:
            x, y, _, _ = self._numbers
            raw.FPDFText_GetCharOrigin(self.text, index, x, y)
            origin = self._origins[index] = (x.value, y.value)
        return origin

    def axis(self, index: int) -> int:
        """0 where the text runs along the page's width, 1 where along its height."""
        return int(abs(math.sin(raw.FPDFText_GetCharAngle(self.text, index))) > 0.7)

    def is_generated(self, index: int) -> bool:
        """Whether pdfium put the character in: a space that the file does not hold."""
        return bool(raw.FPDFText_IsGenerated(self.text, index) == 1)

    def size_and_direction(self, index: int) -> tuple[float, int]:
        """Font size in points, and the direction of the text in quarter turns counterclockwise.

        A negative font size turns the letters by half a turn.
        """
        matrix = self._matrix
        raw.FPDFText_GetMatrix(self.text, index, matrix)
        size = raw.FPDFText_GetFontSize(self.text, index) * math.hypot(matrix.c, matrix.d)
        angle = math.atan2(matrix.b, matrix.a)
        turns = round(angle / (math.pi / 2)) if math.isfinite(angle) else 0
        return abs(size), (turns + (2 if size < 0.0 else 0)) % 4

    def space_between(self, before: int, after: int, size: float) -> float:
        """White space between two characters, by the width that the font gives the first.

        An italic f reaches over the space behind it and the space before it. 0 where no shape does, and where the
        width is none that a letter of this shape could have. The size is that of the font, in points.
        """
        along = self.axis(before)
        start, end = self.origin(before)[along], self.origin(after)[along]
        shape, following = self.box(before), self.box(after)
        width = self.advance(before, size)
        if width is None:
            return 0.0
        forth = end >= start
        reach = shape[along + 2] - start if forth else start - shape[along]
        leans = following[along] < end if forth else following[along + 2] > end
        plausible = 0.4 * reach < width < 2.0 * reach
        return abs(end - start) - width if plausible and (width < reach or leans) else 0.0

    def advance(self, index: int, size: float) -> float | None:
        """The width that the font, at this size in points, gives a character, in points; None where it gives none."""
        item = raw.FPDFText_GetTextObject(self.text, index)
        font = raw.FPDFTextObj_GetFont(item) if item else None
        width = ctypes.c_float()
        if not font or not raw.FPDFFont_GetGlyphWidth(font, self.codes[index], size, width):
            return None
        return width.value


def _with_joined_pairs(codes: list[int]) -> list[int]:
    """The codes with each pair of surrogates as one character; a right-to-left line has them the other way round."""
    surrogates = [i for i, code in enumerate(codes) if 0xD800 <= code < 0xE000]
    for before, i in pairwise(surrogates):
        first, second = codes[before], codes[i]
        if before + 1 < i:
            continue
        if second < 0xDC00 and 0xDC00 <= first < 0xE000:
            first, second = second, first
        if 0xD800 <= first < 0xDC00 <= second < 0xE000:
            codes[i - 1] = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            codes[i] = SECOND_HALF
    return codes


class PageRotation:
    """From the page's own coordinates to a frame turned clockwise by `turns` quarters, origin top left.

    Args:
        bounds: of what is shown of the page.
        mirrored: whether the origin is top right instead, as where lines run to the left.
    """

    def __init__(self, bounds: Box, turns: int, mirrored: bool = False) -> None:
        self.mirrored = mirrored
        self.left, self.bottom, self.right, self.top = bounds
        self.turns = turns

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page's own coordinates in the frame."""
        x, y = self._turned(x, y)
        if self.mirrored:
            width = self.right - self.left if self.turns % 2 == 0 else self.top - self.bottom
            x = width - x
        return x, y

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x
