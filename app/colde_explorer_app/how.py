"""How it works: the page of plain words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

import colde

_PACKAGE = Path(colde.__file__).resolve().parent
_PLACES = (_PACKAGE.parent / "docs", _PACKAGE / "_docs")
"""In a checkout, and in an installed package."""


def page() -> None:
    """Show docs/how_it_works.md."""
    text = next(path for place in _PLACES if (path := place / "how_it_works.md").is_file())
    _, middle, _ = st.columns([1, 6, 1])
    with middle:
        st.markdown(text.read_text(encoding="utf-8"))
