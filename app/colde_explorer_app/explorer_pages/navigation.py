"""Entries of the navigation, and the way from another page to Compare."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import streamlit as st

from colde_explorer_app.explorer_pages import compare_page
from colde_explorer_app.session.document_source import Source

DEFAULT_PATH = "compare"


def page(run: Callable[[], None], title: str, path: str) -> st.Page:
    """A page of the navigation; equal arguments give the same page."""
    return st.Page(run, title=title, url_path=path, default=path == DEFAULT_PATH)


def page_of_module(name: str, title: str, path: str) -> st.Page:
    """A page whose module is imported when it is opened: together they take half a second of the first page."""

    def run() -> None:
        import_module(f"colde_explorer_app.explorer_pages.{name}").page()

    return page(run, title, path)


def compare_entry() -> st.Page:
    """The page Compare."""
    return page(compare_page.page, "Compare", DEFAULT_PATH)


def open_pair(a: Source, b: Source, names: tuple[str, ...], profile: str) -> None:
    """Compare two documents by these models and go to their linked view."""
    compare_page.open_pair(a, b, names, profile)
    st.switch_page(compare_entry())
