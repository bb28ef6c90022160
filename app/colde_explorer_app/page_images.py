"""Images of the pages of a PDF, each drawn in another process when it is first shown."""

from __future__ import annotations

import base64
from typing import TypedDict

import streamlit as st

from colde.errors import ReadError
from colde.ingest import sandbox
from colde.ingest.page_image import Image
from colde_explorer_app.document_source import Source

WIDTH = 1100
"""Width of an image in pixels: sharp in half of a wide screen."""


class PageImage(TypedDict, total=False):
    """A page for the linked view: an image, or in `error` why there is none."""

    url: str
    width: int
    height: int
    error: str


def page_image(source: Source, page: int) -> PageImage:
    """A page, counted from 1, as a WebP data URL, or why it cannot be shown."""
    image = _draw(source.file, page, source)
    if isinstance(image, ReadError):
        return {"error": f"{image.what[:1].upper()}{image.what[1:]}: {image.advice}."}
    url = f"data:image/webp;base64,{base64.b64encode(image.data).decode()}"
    return {"url": url, "width": image.width, "height": image.height}


@st.cache_data(scope="session", max_entries=24, ttl="1h", show_spinner=False)
def _draw(digest: str, page: int, _source: Source) -> Image | ReadError:
    """An error is kept, too: a page that takes too long is not tried again at every rerun."""
    try:
        return sandbox.draw_in_sandbox(_source.data, _source.name, page, _source.password, WIDTH)
    except ReadError as error:
        return error
