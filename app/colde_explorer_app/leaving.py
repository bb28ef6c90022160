"""A question of the browser's own before a page with the reader's documents is left: they go with the page."""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function({ data }) {
  const ask = (event) => { event.preventDefault() }
  if (data.held) window.addEventListener("beforeunload", ask)
  return () => window.removeEventListener("beforeunload", ask)
}
"""

_component = st.components.v2.component("colde.leaving", html="<span hidden></span>", js=_SCRIPT)


def ask_before_leaving(held: bool) -> None:
    """Have the browser ask before the page is closed or loaded again, as long as `held`."""
    _component(key="leaving", data={"held": held})
