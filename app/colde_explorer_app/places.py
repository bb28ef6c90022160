"""The pages of the explorer by name, for those who send the reader to another."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from colde_explorer_app import compare
from colde_explorer_app.sources import Source

DEFAULT_PATH = "compare"


def page(run: Callable[[], None], title: str, path: str) -> st.Page:
    """A page of the navigation; two made alike are the same place."""
    return st.Page(run, title=title, url_path=path, default=path == DEFAULT_PATH)


def compare_page() -> st.Page:
    """Where two documents are compared."""
    return page(compare.page, "Compare", DEFAULT_PATH)


def open_pair(a: Source, b: Source, names: tuple[str, ...], profile: str) -> None:
    """Compare two documents and go to their linked view.

    Args:
        names: of the models that take part.
    """
    compare.open_pair(a, b, names, profile)
    st.switch_page(compare_page())
