"""The choice of the sentence encoder in the settings of the pages Compare and Collection."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from colde.encoders.encoder_names import AUTO, INSTALL, MULTILINGUAL, PACKAGED, has_multilingual
from colde_explorer_app.state import Widget

TITLES: Mapping[str, str] = {
    AUTO: "Automatic, by language",
    PACKAGED: "English (MiniLM)",
    MULTILINGUAL: "Multilingual (e5)",
}


def choices() -> tuple[str, ...]:
    """The encoders to choose from; the one of `colde app --encoder` is the first."""
    named = os.environ.get("COLDE_ENCODER", AUTO)
    return tuple(dict.fromkeys((named, *TITLES)))


def chosen(widget: Widget[str | None]) -> str:
    """The encoder that the reader has chosen, or that the explorer was started with."""
    return widget.get() or choices()[0]


def chooser(widget: Widget[str | None]) -> None:
    """Draw the choice. Without the multilingual encoder it is disabled, and its command is shown."""
    offered = choices()
    missing = not has_multilingual() and set(offered) == set(TITLES)
    widget.set_default(offered[0])
    st.selectbox(
        "Encoder",
        offered,
        key=widget.key,
        format_func=lambda name: TITLES.get(name, name),
        persist_state="session",
        disabled=missing,
        help="Automatic: two English texts are read by the English encoder, other texts by the multilingual one. In a "
        "collection, all documents are read by one encoder: automatic is the English one.",
    )
    if missing:
        st.caption(f"Comparing other languages needs the multilingual encoder: `{INSTALL}`")
