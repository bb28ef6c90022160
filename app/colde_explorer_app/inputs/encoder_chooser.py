"""The choice of the sentence encoder in the settings of the pages Compare and Collection."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from colde.encoders.encoder_names import AUTO, MULTILINGUAL, PACKAGED, has_multilingual
from colde_explorer_app.session.state import ENCODER

TITLES: Mapping[str, str] = {
    AUTO: "Automatic, by language",
    PACKAGED: "English (MiniLM)",
    MULTILINGUAL: "Multilingual (e5)",
}


def choices() -> tuple[str, ...]:
    """The encoders to choose from, without one that is not installed; the one of `colde app --encoder` is the first."""
    named = os.environ.get("COLDE_ENCODER", AUTO)
    offered = dict.fromkeys((named, *TITLES))
    return tuple(name for name in offered if name != MULTILINGUAL or has_multilingual())


def chosen() -> str:
    """The encoder that the reader has chosen, or that the explorer was started with."""
    return ENCODER.get() or choices()[0]


def chooser() -> None:
    """Draw the choice. Where the multilingual encoder is not installed, that is said."""
    offered = choices()
    ENCODER.set_default(offered[0])
    st.selectbox(
        "Encoder",
        offered,
        key=ENCODER.key,
        format_func=lambda name: TITLES.get(name, name),
        persist_state="session",
        help="Automatic: the English encoder reads two English texts, and the multilingual one reads all "
        "others. A collection is read by one encoder: automatically by the English one.",
    )
    if not has_multilingual():
        st.caption(
            "Texts in other languages than English need the multilingual encoder, which is not installed here. Whoever "
            "runs this program can add it."
        )
