"""One line of text with a `data-testid`, which a Markdown element cannot carry. The text stays text."""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function({ data, parentElement }) {
  const line = parentElement.querySelector(".colde-line")
  line.dataset.testid = data.testid
  if (line.textContent !== data.text) line.textContent = data.text
}
"""

_STYLE = """
.colde-line {
  margin: 0;
  color: var(--st-text-color);
  font-family: var(--st-font);
  font-size: 1.05rem;
  font-weight: 600;
  line-height: 1.35;
}
"""

_component = st.components.v2.component(
    "colde.line",
    html='<p class="colde-line" aria-live="polite"></p>',
    css=_STYLE,
    js=_SCRIPT,
    isolate_styles=False,
)


def line(text: str, *, testid: str, key: str) -> None:
    """Show `text` large, as it is; it is read out when it changes."""
    _component(key=key, data={"text": text, "testid": testid})
