"""How the words of a page are drawn: with which colour, on what, and at which angle."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.hidden_text import WHITE, Colour, contrast
from colde.ingest.pdf.character_boxes import Box
from colde.ingest.pdf.page_rotation import PageRotation

_NO_PAINT = (3, 7)  # text render modes that paint nothing
_STROKE_ONLY = (1, 5)
_MAX_PIXELS = 1500  # of the longer side of a page that is drawn to see its colours
PALE_CONTRAST = 2.2
"""Contrast below which letters hardly stand out; grey of #aaa on white has 2.3."""
_OPAQUE = 255
_MIN_OPACITY = 0.05
_MARGIN = 0.3  # of the height of letters: what is looked at around them


@dataclass(frozen=True, slots=True)
class Ink:
    """How a piece of text is drawn.

    Attributes:
        colour: of the letters, as if they were opaque.
        opacity: from 0 to 1.
        slant: degrees between the text and the nearest of right, up, left and down.
        unseen: whether nobody sees the letters, whatever they stand on.
        pale_on_white: whether they would hardly stand out on white paper.
    """

    colour: Colour
    opacity: float
    slant: float
    unseen: bool
    pale_on_white: bool

    def on(self, background: Colour) -> Colour:
        """What the eye sees of the letters on a background."""
        return _blend(self.colour, self.opacity, background)


def _blend(colour: Colour, opacity: float, background: Colour) -> Colour:
    r, g, b = (
        round(opacity * over + (1.0 - opacity) * under)
        for over, under in zip(colour, background, strict=True)
    )
    return r, g, b


class InkReader:
    """Reads the ink of words; pieces of text that the file draws in one go share theirs.

    Args:
        text: the page in pdfium.
    """

    def __init__(self, text: Any) -> None:
        self._text = text
        self._known: dict[bytes, Ink] = {}
        self._pale: dict[tuple[Colour, float], bool] = {}
        self._matrix = raw.FS_MATRIX()
        self._rgba = tuple(ctypes.c_uint() for _ in range(4))

    def ink(self, index: int) -> Ink:
        """The ink of a character."""
        item = raw.FPDFText_GetTextObject(self._text, index)
        address = bytes(item)
        ink = self._known.get(address)
        if ink is None:
            ink = self._known[address] = self._read(index, item)
        return ink

    def _read(self, index: int, item: Any) -> Ink:
        mode = raw.FPDFTextObj_GetTextRenderMode(item) if item else 0
        colour, opacity = self._colour(index, stroke=mode in _STROKE_ONLY)
        if mode in (2, 6) and contrast(colour, WHITE) < PALE_CONTRAST:  # letters with an outline
            colour, opacity = self._colour(index, stroke=True)
        matrix = self._matrix
        raw.FPDFText_GetMatrix(self._text, index, matrix)
        quarters = math.atan2(matrix.b, matrix.a) / (math.pi / 2)
        slant = 90.0 * abs(quarters - round(quarters)) if math.isfinite(quarters) else 0.0
        unseen = mode in _NO_PAINT or opacity < _MIN_OPACITY
        key = (colour, opacity)
        pale = self._pale.get(key)
        if pale is None:
            pale = self._pale[key] = contrast(_blend(colour, opacity, WHITE), WHITE) < PALE_CONTRAST
        return Ink(colour, opacity, slant, unseen, pale)

    def _colour(self, index: int, *, stroke: bool) -> tuple[Colour, float]:
        """Colour and opacity; black where the file names no colour but a pattern."""
        get = raw.FPDFText_GetStrokeColor if stroke else raw.FPDFText_GetFillColor
        r, g, b, a = self._rgba
        if not get(self._text, index, r, g, b, a):
            return (0, 0, 0), 1.0
        return (r.value, g.value, b.value), a.value / _OPAQUE


class Backgrounds:
    """Colours behind words: the page is drawn once, on the first question.

    Args:
        page: open in pdfium.
        bounds: left, bottom, right and top of what is shown of it.
    """

    def __init__(self, page: pdfium.PdfPage, bounds: tuple[float, float, float, float]) -> None:
        self._page = page
        self._place = PageRotation(bounds, page.get_rotation() // 90 % 4)
        self._pixels: npt.NDArray[np.uint8] | None = None
        self._scale = 1.0

    def contrast(self, box: Box, ink: Ink) -> float:
        """Contrast of letters with what most of the box around them shows (WCAG 2); 1 is none."""
        background = self._background(box)
        return contrast(ink.on(background), background)

    def _background(self, box: Box) -> Colour:
        pixels = self._drawn()
        left, bottom, right, top = box
        margin = _MARGIN * min(right - left, top - bottom)
        ax, ay = self._place.point(left - margin, bottom - margin)
        bx, by = self._place.point(right + margin, top + margin)
        x0, x1 = sorted((int(ax * self._scale), int(bx * self._scale)))
        y0, y1 = sorted((int(ay * self._scale), int(by * self._scale)))
        part = pixels[max(0, y0) : max(0, y1) + 1, max(0, x0) : max(0, x1) + 1, :3]
        if not part.size:
            return WHITE
        r, g, b = (int(v) for v in np.median(part.reshape(-1, 3), axis=0))
        return r, g, b

    def _drawn(self) -> npt.NDArray[np.uint8]:
        if self._pixels is None:
            self._scale = min(1.0, _MAX_PIXELS / max(self._page.get_size()))
            self._pixels = self._page.render(
                scale=self._scale, may_draw_forms=False, rev_byteorder=True
            ).to_numpy()
        return self._pixels


def picture_bounds(page: pdfium.PdfPage) -> Sequence[tuple[float, float, float, float]]:
    """Left, bottom, right and top of the pictures of a page; of a group of objects with one, those of the group."""
    bounds = []
    for item in page.get_objects(max_depth=1):
        if item.type == raw.FPDF_PAGEOBJ_IMAGE or (
            item.type == raw.FPDF_PAGEOBJ_FORM and _holds_picture(page, item)
        ):
            bounds.append(item.get_bounds())
    return bounds


def _holds_picture(page: pdfium.PdfPage, group: Any) -> bool:
    return any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], form=group, level=1))
