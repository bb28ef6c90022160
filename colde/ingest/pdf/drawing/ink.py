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

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.pdf.drawing.page_raster import PageRaster
from colde.ingest.shared.hidden_text import LINEAR, MIN_CONTRAST, WEIGHTS, WHITE, Colour, contrast

_NO_PAINT = (3, 7)  # text render modes that paint nothing
_STROKE_ONLY = (1, 5)
PALE_CONTRAST = 1.9
"""Contrast below which letters hardly stand out; grey of #bbb on white has 1.9."""
_OPAQUE = 255
_MIN_OPACITY = 0.05
_MARGIN = 0.15  # font sizes around letters that are looked at, too
_MIN_BACKGROUND_SHARE = 0.35  # of the pixels there that are no ink: the boldest letters leave as many
_MIN_FREE_SHARE = 0.1  # of those pixels that no other word covers
_LINEAR, _WEIGHTS = np.array(LINEAR), np.array(WEIGHTS)


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
    """Reads the ink of words of a text page of pdfium; pieces of text that the file draws in one go share theirs."""

    def __init__(self, text: Any) -> None:
        self._text = text
        self._by_object: dict[bytes, Ink] = {}
        self._inks: dict[tuple[Colour, float, float, bool], Ink] = {}
        self._matrix = raw.FS_MATRIX()
        self._rgba = tuple(ctypes.c_uint() for _ in range(4))

    def ink(self, index: int) -> Ink:
        """The ink of a character."""
        item = raw.FPDFText_GetTextObject(self._text, index)
        address = bytes(item)
        ink = self._by_object.get(address)
        if ink is None:
            ink = self._by_object[address] = self._read(index, item)
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
        key = (colour, opacity, slant, unseen)
        ink = self._inks.get(key)
        if ink is None:
            pale = contrast(_blend(colour, opacity, WHITE), WHITE) < PALE_CONTRAST
            ink = self._inks[key] = Ink(colour, opacity, slant, unseen, pale)
        return ink

    def _colour(self, index: int, *, stroke: bool) -> tuple[Colour, float]:
        """Colour and opacity; black where the file names no colour but a pattern."""
        get = raw.FPDFText_GetStrokeColor if stroke else raw.FPDFText_GetFillColor
        r, g, b, a = self._rgba
        if not get(self._text, index, r, g, b, a):
            return (0, 0, 0), 1.0
        return (r.value, g.value, b.value), a.value / _OPAQUE


class Backgrounds:
    """Colours behind words: what is shown of the page, its bounds, is drawn once, on the first question."""

    def __init__(self, page: pdfium.PdfPage, bounds: Box) -> None:
        self._raster = PageRaster(page, bounds, max_scale=1.0)
        self._pixels: npt.NDArray[np.uint8] | None = None
        self._free: npt.NDArray[np.bool_] = np.ones((0, 0), dtype=np.bool_)
        self._left_out: Sequence[Box] = ()

    def leave_out(self, boxes: Sequence[Box]) -> None:
        """Say where other words stand, which are no background."""
        self._left_out = boxes

    def contrast(self, box: Box, size: float, ink: Ink) -> float:
        """Contrast of letters with what is around them (WCAG 2); 1 where nobody can tell them from it.

        The size is that of their font, in points.
        """
        pixels = self._around(box, _MARGIN * size)
        if not pixels.size:  # other words cover it, and are seen: what they stand on is light
            return contrast(ink.on(WHITE), WHITE)
        seen = ink.on(_median(pixels))
        luminances = _LINEAR[pixels] @ _WEIGHTS + 0.05
        of_ink = float(_LINEAR[np.array(seen)] @ _WEIGHTS) + 0.05
        ratios = np.maximum(luminances, of_ink) / np.minimum(luminances, of_ink)
        differing = ratios >= MIN_CONTRAST
        if differing.mean() < _MIN_BACKGROUND_SHARE:
            return 1.0
        return float(np.median(ratios[differing]))

    def _around(self, box: Box, margin: float) -> npt.NDArray[np.uint8]:
        """The pixels of a box and a margin, one in a row, without those of other words; none where few are left."""
        pixels, free = self._drawn()
        left, bottom, right, top = box
        place = self._raster.place_of((left - margin, bottom - margin, right + margin, top + margin))
        around = pixels[place].reshape(-1, 3)
        mask = free[place].reshape(-1)
        return around[mask] if mask.sum() >= _MIN_FREE_SHARE * mask.size else around[:0]

    def _drawn(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """The page as pixels, and which of them are not in the boxes of other words."""
        if self._pixels is None:
            self._pixels = self._raster.colours()
            self._free = np.ones(self._pixels.shape[:2], dtype=np.bool_)
            for box in self._left_out:
                self._free[self._raster.place_of(box)] = False
        return self._pixels, self._free


def _median(pixels: npt.NDArray[np.uint8]) -> Colour:
    r, g, b = (int(v) for v in np.median(pixels, axis=0))
    return r, g, b


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
