"""A sentence with a `data-testid`, which a Markdown element cannot carry, and what is second to it. Text stays text."""

from __future__ import annotations

import streamlit as st

_SCRIPT = """
export default function({ data, parentElement }) {
  const line = parentElement.querySelector(".colde-line")
  line.dataset.testid = data.testid
  const [head, detail] = line.children
  if (head.textContent !== data.text) head.textContent = data.text
  if (detail.textContent !== data.detail) detail.textContent = data.detail
}
"""

_STYLE = """
.colde-line {
  margin: 0;
  color: var(--st-text-color);
  font-family: var(--st-font);
  font-size: 0.9rem;
  line-height: 1.4;
}
.colde-line b {
  font-weight: 650;
}
.colde-line span {
  color: color-mix(in srgb, var(--st-text-color) 72%, var(--st-background-color));
}
"""

_component = st.components.v2.component(
    "colde.status_line",
    html='<p class="colde-line" aria-live="polite"><b></b> <span></span></p>',
    css=_STYLE,
    js=_SCRIPT,
    isolate_styles=False,
)


def status_line(text: str, detail: str = "", *, testid: str, key: str) -> None:
    """Show `text` in bold and `detail` behind it, as they are; both are read out when they change."""
    _component(key=key, data={"text": text, "detail": detail, "testid": testid})
