"""Pages of a PDF as images, made one at a time when somebody looks at them."""

from __future__ import annotations

import base64
import io
import threading
from typing import TypedDict

import streamlit as st

from app.sources import Source

WIDTH = 1100
"""Pixels across a page: sharp in a pane of half a wide screen."""

_lock = threading.Lock()
"""PDFium is not made for threads: one page at a time, whoever asks."""


class PageImage(TypedDict):
    """What the linked view needs to show a page."""

    url: str
    width: int
    height: int


def page_image(source: Source, page: int) -> PageImage:
    """One page, from 1, as a WebP data URL.

    Raises:
        IndexError: the document has no such page.
    """
    data, width, height = _render(source.file, page, source)
    return {
        "url": f"data:image/webp;base64,{base64.b64encode(data).decode()}",
        "width": width,
        "height": height,
    }


@st.cache_data(scope="session", max_entries=24, ttl="1h", show_spinner=False)
def _render(digest: str, page: int, _source: Source) -> tuple[bytes, int, int]:
    return render(_source.data, page, _source.password)


def render(data: bytes, page: int, password: str | None = None, width: int = WIDTH) -> tuple[bytes, int, int]:
    """WebP bytes, width and height in pixels of one page, from 1, of a PDF.

    Raises:
        IndexError: the document has no such page.
    """
    import pypdfium2

    with _lock:
        document = pypdfium2.PdfDocument(data, password=password)
        try:
            if not 1 <= page <= len(document):
                raise IndexError(f"page {page} of a document of {len(document)} pages")
            sheet = document[page - 1]
            image = sheet.render(scale=width / max(sheet.get_width(), 1.0)).to_pil()
        finally:
            document.close()
    packed = io.BytesIO()
    image.save(packed, "WEBP", quality=72, method=2)
    return packed.getvalue(), image.width, image.height
