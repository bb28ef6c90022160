"""A button that copies the address of the page as it stands."""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function({ parentElement }) {
  const button = parentElement.querySelector("button")
  const said = parentElement.querySelector("[role=status]")
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      said.textContent = "Link copied"
    } catch {
      said.textContent = "Copy it from the address bar"
    }
    setTimeout(() => { said.textContent = "" }, 4000)
  }
}
"""

_STYLE = """
div { display: flex; align-items: center; gap: 0.75rem; font-family: var(--st-font); }
button {
  font: inherit;
  font-size: 0.9375rem;
  color: var(--st-text-color);
  background: transparent;
  border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius);
  min-height: 2.5rem;
  padding: 0.25rem 0.75rem;
  cursor: pointer;
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
span { color: var(--st-text-color); font-size: 0.875rem; }
"""

_component = st.components.v2.component(
    "colde.copy_link",
    html='<div><button type="button">Copy link</button><span role="status"></span></div>',
    css=_STYLE,
    js=_SCRIPT,
)


def copy_link(key: str) -> None:
    """Draw the button; it says beside itself whether the copying worked."""
    _component(key=key, width="content")
