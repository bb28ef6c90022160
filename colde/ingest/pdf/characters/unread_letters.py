"""Letters that pdfium cannot read: a page may name a font that is neither in the file nor on this computer.

pdfium then knows no shape of its letters, and leaves out every piece of text that takes no room. Pieces of several
letters take room; pieces of one letter, as text recognition writes them, do not. Such pieces stand in a row, about one
letter apart; single spaces, which take no room either, do not. A vertical line of such letters has a height alone.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

_MAX_OBJECTS = 30_000  # on a page; more are not looked at
_MAX_DEPTH = 4  # of forms within forms
_MIN_STEP, _MAX_STEP = 0.75, 2.2  # font sizes from one letter to the next in its row
_MAX_STEP_DOWN = 1.12  # the same in a vertical line; blank lines are further apart
_NAME_BYTES = 128


def fonts_of_unread_letters(page: pdfium.PdfPage) -> list[str]:
    """Names of the fonts whose letters pdfium leaves out on a page that it has open; none on most pages."""
    reader = _ObjectReader(page)
    fonts: dict[str, None] = {}
    last: _Place | None = None
    for item in islice(_text_objects(page), _MAX_OBJECTS):
        place = reader.place_without_room(item)
        if place is not None:
            if place.height > _MAX_STEP * place.size:
                fonts[f"{reader.font_name(item)} of vertical lines"] = None
            elif last is not None and _is_next_letter(last, place):
                fonts[reader.font_name(item)] = None
        last = place
    return list(fonts)


def _text_objects(page: pdfium.PdfPage) -> Iterator[object]:
    """The pieces of text of a page, in the order in which they are drawn."""
    for i in range(raw.FPDFPage_CountObjects(page)):
        yield from _text_within(raw.FPDFPage_GetObject(page, i), 0)


def _text_within(item: object, depth: int) -> Iterator[object]:
    kind = raw.FPDFPageObj_GetType(item)
    if kind == raw.FPDF_PAGEOBJ_TEXT:
        yield item
    elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
        for i in range(raw.FPDFFormObj_CountObjects(item)):
            yield from _text_within(raw.FPDFFormObj_GetObject(item, i), depth + 1)


class _Place(NamedTuple):
    """Where a piece of text without width stands, how high it is, and its font size, in points."""

    x: float
    y: float
    height: float
    size: float


def _is_next_letter(last: _Place, place: _Place) -> bool:
    right, up = abs(place.x - last.x), abs(place.y - last.y)
    step, max_step = (right, _MAX_STEP) if right > up else (up, _MAX_STEP_DOWN)
    return _MIN_STEP * place.size <= step <= max_step * place.size and min(right, up) < 0.1 * place.size


class _ObjectReader:
    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page = page
        self._edges = tuple(ctypes.c_float() for _ in range(4))
        self._size = ctypes.c_float()
        self._matrix = raw.FS_MATRIX()

    def place_without_room(self, item: object) -> _Place | None:
        """Where a piece of text without width stands; None where it has one, or its font is in the file."""
        left, bottom, right, top = self._edges
        if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top) or right.value > left.value:
            return None
        font = raw.FPDFTextObj_GetFont(item)
        if not font or raw.FPDFFont_GetIsEmbedded(font):
            return None
        raw.FPDFTextObj_GetFontSize(item, self._size)
        raw.FPDFPageObj_GetMatrix(item, self._matrix)
        size = abs(self._size.value) * math.hypot(self._matrix.c, self._matrix.d)
        return _Place(left.value, bottom.value, top.value - bottom.value, size)

    def font_name(self, item: object) -> str:
        """The name that the file gives the font of a piece of text, without its subset tag."""
        buffer = ctypes.create_string_buffer(_NAME_BYTES)
        raw.FPDFFont_GetBaseFontName(raw.FPDFTextObj_GetFont(item), buffer, _NAME_BYTES)
        return buffer.value.decode("utf-8", "replace").split("+")[-1]
