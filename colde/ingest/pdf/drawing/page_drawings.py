"""Lines and filled boxes that are drawn on a page."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.shared.hidden_text import Colour

_MAX_PAGE_OBJECTS = 4000  # drawings beyond this many objects a page are not looked at
_MAX_RULE_HEIGHT = 2.5  # points
_MIN_RULE_WIDTH = 20.0  # points
_MIN_BOX_HEIGHT = 4.0  # points: room for a line of text
_MIN_BAR_WIDTH, _MAX_BAR_WIDTH = 3.0, 60.0  # points, of a fraction
_MAX_BARS = 400
_MAX_BOXES = 100


@dataclass(slots=True)
class PageDrawings:
    """Thin straight lines by their direction, short level ones, and boxes with the colour that fills them."""

    horizontal: list[Box] = field(default_factory=list)
    bars: list[Box] = field(default_factory=list)
    vertical: list[Box] = field(default_factory=list)
    boxes: list[tuple[Box, Colour]] = field(default_factory=list)

    def add_level_line(self, bounds: Box) -> None:
        width = bounds[2] - bounds[0]
        if width >= _MIN_RULE_WIDTH:
            self.horizontal.append(bounds)
        if _MIN_BAR_WIDTH <= width <= _MAX_BAR_WIDTH and len(self.bars) < _MAX_BARS:
            self.bars.append(bounds)


def page_drawings(page: pdfium.PdfPage) -> PageDrawings:
    """What is drawn on a page that pdfium has open; nothing of a page with too many drawings."""
    drawings = PageDrawings()
    count = raw.FPDFPage_CountObjects(page)
    if count > _MAX_PAGE_OBJECTS:
        return drawings
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    for i in range(count):
        item = raw.FPDFPage_GetObject(page, i)
        if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_PATH:
            continue
        if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            continue
        bounds = (left.value, bottom.value, right.value, top.value)
        width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
        if height <= _MAX_RULE_HEIGHT:
            drawings.add_level_line(bounds)
        elif width <= _MAX_RULE_HEIGHT and height >= _MIN_RULE_WIDTH:
            drawings.vertical.append(bounds)
        elif min(width, height) >= _MIN_BOX_HEIGHT and len(drawings.boxes) < _MAX_BOXES:
            colour = _fill_colour(item)
            if colour is not None:
                drawings.boxes.append((bounds, colour))
    return drawings


def _fill_colour(item: object) -> Colour | None:
    """The colour that fills a path; None where nothing does."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not raw.FPDFPath_GetDrawMode(item, fill, stroke) or fill.value == raw.FPDF_FILLMODE_NONE:
        return None
    if not raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha) or not alpha.value:
        return None
    return red.value, green.value, blue.value
