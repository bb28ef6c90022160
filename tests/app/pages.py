"""Pages of the explorer, opened without a browser."""

from __future__ import annotations

import io
import zipfile

import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE

CHEAP = ["tfidf", "bm25"]
"""Models that need no encoder."""


def open_page(module: str) -> AppTest:
    """A page alone in a new session, before its first run.

    Args:
        module: of the page.
    """
    st.cache_resource.clear()  # every AppTest calls its session the same
    st.cache_data.clear()
    return AppTest.from_string(
        f"from colde_explorer_app.explorer_pages import {module}\n\n{module}.page()\n",
        default_timeout=PATIENCE,
    )


def open_page_that_can_be_left(module: str) -> AppTest:
    """A page in a new session, before its first run; without a tick in its checkbox `here`, another page is shown."""
    page = open_page(module)
    return AppTest.from_string(
        f"import streamlit as st\nfrom colde_explorer_app.explorer_pages import {module}\n\n"
        f'if st.checkbox("here", value=True, key="here"):\n    {module}.page()\n',
        default_timeout=page.default_timeout,
    )


def visit_another_page(page: AppTest) -> None:
    """Leave the page, and come back."""
    page.checkbox(key="here").uncheck().run()
    page.checkbox(key="here").check().run()
    assert not page.exception


def said(page: AppTest) -> str:
    """Everything that a page says, a line for each element."""
    return "\n".join(element.value for element in [*page.markdown, *page.caption, *page.error])


def packed(files: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
