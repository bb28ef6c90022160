"""A page of a PDF as an image, with a limit to its size whatever the page says of itself."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from colde.errors import ReadError

MAX_PIXELS = 4_000_000
"""Width × height of an image: a page of A4 at 1,100 pixels across has 1.7 million."""

MAX_SIDE_PIXELS = 8_000
"""Pixels of the longer side; WebP ends at 16,383."""

_MAX_POINTS = 1e5  # points; the format allows 14,400
READ_AS_TEXT = "press “Show text” to read it; the text is compared as usual"
"""What to do where a page cannot be shown."""


@dataclass(frozen=True, slots=True)
class Image:
    """A page as WebP, with its size in pixels."""

    data: bytes
    width: int
    height: int


def draw_page(data: bytes, name: str, page: int, password: str | None = None, width: int = 1100) -> Image:
    """Draw one page, from 1, `width` pixels across or less where it would be too large.

    To be called through `sandbox.draw_in_sandbox`: a hostile page takes all the time and memory there is.

    Raises:
        ReadError: `not_found` (no such page), `corrupt`, `encrypted`, `too_large`.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data, password=password)
        try:
            if not 1 <= page <= len(document):
                what = f"there is no page {page}, the document has {len(document)}"
                raise ReadError(name, "not_found", what)
            pdf_page = document[page - 1]
            image = pdf_page.render(scale=scale(pdf_page.get_width(), pdf_page.get_height(), width)).to_pil()
        finally:
            document.close()
        webp = io.BytesIO()
        image.save(webp, "WEBP", quality=72, method=2)
    except MemoryError:
        raise ReadError(
            name, "too_large", f"page {page} takes too much memory to draw", READ_AS_TEXT
        ) from None
    except ReadError:
        raise
    except Exception as error:  # whatever PDFium or the image library makes of a damaged page
        what = f"page {page} cannot be drawn ({type(error).__name__})"
        raise ReadError(name, "corrupt", what, READ_AS_TEXT) from error
    return Image(webp.getvalue(), image.width, image.height)


def scale(page_width: float, page_height: float, width: int) -> float:
    """Pixels a point for a page of this size in points.

    Raises:
        ValueError: no page has this size.
    """
    if not (0.0 < page_width < _MAX_POINTS and 0.0 < page_height < _MAX_POINTS):
        raise ValueError("no page has this size")
    return min(
        width / page_width,
        math.sqrt(MAX_PIXELS / (page_width * page_height)),
        MAX_SIDE_PIXELS / max(page_width, page_height),
    )
