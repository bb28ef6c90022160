"""Highlights with numbered notes on the pages of a PDF, as annotations that every reader of PDFs shows."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Sequence
from dataclasses import dataclass

from colde.errors import ReadError
from colde.text.document import Box

MAX_HIGHLIGHTS = 2_000
_OPACITY = 110  # of 255
_AUTHOR = "CoLDE Explorer"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A passage on the pages: its boxes, a colour (red, green, blue), and what is said of it."""

    boxes: tuple[Box, ...]
    colour: tuple[int, int, int]
    text: str


def annotate(data: bytes, name: str, notes: Sequence[Highlight], password: str | None = None) -> bytes:
    """The PDF with a highlight for each note; a passage on two pages gets one on each.

    To be called through `sandbox.annotate_in_sandbox`: it opens a file of somebody else's.

    Raises:
        ReadError: `corrupt`, `encrypted`.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data, password=password)
        try:
            for note in notes[:MAX_HIGHLIGHTS]:
                for number in sorted({box.page for box in note.boxes}):
                    if 1 <= number <= len(document):
                        _highlight(document[number - 1], [b for b in note.boxes if b.page == number], note)
            written = io.BytesIO()
            document.save(written)
        finally:
            document.close()
    except ReadError:
        raise
    except Exception as error:  # whatever PDFium makes of a damaged file
        what = f"its pages cannot be annotated ({type(error).__name__})"
        raise ReadError(name, "corrupt", what, "save it again in the program it comes from") from error
    return written.getvalue()


def _highlight(page: object, boxes: Sequence[Box], note: Highlight) -> None:
    """One highlight annotation over these boxes, given in points from the top left of the page as it is shown."""
    import pypdfium2.raw as pdf

    raw = page.raw  # type: ignore[attr-defined]
    annotation = pdf.FPDFPage_CreateAnnot(raw, pdf.FPDF_ANNOT_HIGHLIGHT)
    if not annotation:
        raise ValueError("no annotation could be made")
    try:
        pdf.FPDFAnnot_SetColor(annotation, pdf.FPDFANNOT_COLORTYPE_Color, *note.colour, _OPACITY)
        pdf.FPDFAnnot_SetFlags(annotation, pdf.FPDF_ANNOT_FLAG_PRINT)
        corners = [_to_page_coordinates(raw, page, box) for box in boxes]
        for x0, y0, x1, y1 in corners:
            quad = pdf.FS_QUADPOINTSF(x0, y1, x1, y1, x0, y0, x1, y0)
            pdf.FPDFAnnot_AppendAttachmentPoints(annotation, quad)
        left, bottom = min(c[0] for c in corners), min(c[1] for c in corners)
        right, top = max(c[2] for c in corners), max(c[3] for c in corners)
        pdf.FPDFAnnot_SetRect(annotation, pdf.FS_RECTF(left, top, right, bottom))
        for key, value in ((b"Contents", note.text), (b"T", _AUTHOR)):
            words = ctypes.create_string_buffer((value + "\0").encode("utf-16-le"))
            pdf.FPDFAnnot_SetStringValue(annotation, key, ctypes.cast(words, pdf.FPDF_WIDESTRING))
    finally:
        pdf.FPDFPage_CloseAnnot(annotation)


_UNITS_PER_POINT = 1000  # device units a point: FPDF_DeviceToPage takes whole numbers


def _to_page_coordinates(raw: object, page: object, box: Box) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a box in the page's own coordinates, whatever its rotation and crop."""
    import pypdfium2.raw as pdf

    width, height = page.get_width(), page.get_height()  # type: ignore[attr-defined]
    size = int(width * _UNITS_PER_POINT), int(height * _UNITS_PER_POINT)
    corners_in_page = []
    for x, y in ((box.x0, box.y0), (box.x1, box.y1)):
        to_x, to_y = ctypes.c_double(), ctypes.c_double()
        pdf.FPDF_DeviceToPage(
            raw, 0, 0, *size, 0, int(x * _UNITS_PER_POINT), int(y * _UNITS_PER_POINT), to_x, to_y
        )
        corners_in_page.append((to_x.value, to_y.value))
    (x0, y0), (x1, y1) = corners_in_page
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
