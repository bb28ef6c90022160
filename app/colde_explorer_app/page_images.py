"""Pages of a PDF as images, made one at a time when somebody looks at them, outside of this process."""

from __future__ import annotations

import base64
from typing import TypedDict

import streamlit as st

from colde.errors import ReadError
from colde.ingest import sandbox
from colde.ingest.page_image import Image
from colde_explorer_app.document_source import Source

WIDTH = 1100
"""Pixels across a page: sharp in a pane of half a wide screen."""


class PageImage(TypedDict, total=False):
    """What the linked view needs to show a page: an image, or in `error` why there is none."""

    url: str
    width: int
    height: int
    error: str


def page_image(source: Source, page: int) -> PageImage:
    """One page, from 1, as a WebP data URL, or why it cannot be shown."""
    image = _draw(source.file, page, source)
    if isinstance(image, ReadError):
        return {"error": f"{image.what[:1].upper()}{image.what[1:]}: {image.advice}."}
    url = f"data:image/webp;base64,{base64.b64encode(image.data).decode()}"
    return {"url": url, "width": image.width, "height": image.height}


@st.cache_data(scope="session", max_entries=24, ttl="1h", show_spinner=False)
def _draw(digest: str, page: int, _source: Source) -> Image | ReadError:
    """An error is kept, too: a page that takes too long is not drawn again at every look at it."""
    try:
        return sandbox.draw_in_sandbox(_source.data, _source.name, page, _source.password, WIDTH)
    except ReadError as error:
        return error
