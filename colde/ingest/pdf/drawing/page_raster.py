"""A page of a PDF as pixels, and where the boxes of its coordinates are among them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from colde.ingest.pdf.characters.character_boxes import Box, PageRotation

_MAX_PIXELS = 1500  # of the longer side of a page


class PageRaster:
    """Draws what is shown of a page, its bounds.

    Args:
        max_scale: pixels per point, fewer for large pages.
    """

    def __init__(self, page: pdfium.PdfPage, bounds: Box, *, max_scale: float) -> None:
        self._page = page
        self._place = PageRotation(bounds, page.get_rotation() // 90 % 4)
        self._scale = min(max_scale, _MAX_PIXELS / max(page.get_size()))

    def colours(self) -> npt.NDArray[np.uint8]:
        """Red, green and blue of the pixels of the page as it is shown, with its comments."""
        drawn = self._page.render(scale=self._scale, may_draw_forms=False, rev_byteorder=True)
        pixels: npt.NDArray[np.uint8] = drawn.to_numpy()
        return pixels[:, :, :3]

    def opacity(self) -> npt.NDArray[np.uint8]:
        """How opaque the pixels of the page are without paper and comments, from 0 to 255."""
        drawn = self._page.render(
            scale=self._scale, may_draw_forms=False, draw_annots=False, fill_color=(0, 0, 0, 0)
        )
        pixels: npt.NDArray[np.uint8] = drawn.to_numpy()
        return pixels[:, :, 3]

    def place_of(self, box: Box) -> tuple[slice, slice]:
        """Rows and columns of the pixels of a box."""
        left, bottom, right, top = box
        ax, ay = self._place.point(left, bottom)
        bx, by = self._place.point(right, top)
        x0, x1 = sorted((int(ax * self._scale), int(bx * self._scale)))
        y0, y1 = sorted((int(ay * self._scale), int(by * self._scale)))
        return slice(max(0, y0), max(0, y1) + 1), slice(max(0, x0), max(0, x1) + 1)
