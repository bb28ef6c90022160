"""How it works: the page of plain words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

TEXT = Path(__file__).resolve().parent.parent / "docs" / "how_it_works.md"


def page() -> None:
    """Show docs/how_it_works.md."""
    _, middle, _ = st.columns([1, 6, 1])
    with middle:
        st.markdown(TEXT.read_text(encoding="utf-8"))
