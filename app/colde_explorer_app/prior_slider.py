"""How many of the pairs a reader looks at are related, as the reader expects: a slider, and probabilities for it."""

from __future__ import annotations

import streamlit as st

from colde.report.verdict import as_ratio
from colde.results.prior import BALANCED

CHOICES = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, BALANCED, 0.6, 0.7, 0.8, 0.9)
"""Shares that can be chosen: fine where few pairs are related, as in most piles."""

QUESTION = "How many of the pairs you look at do you expect to be related?"


def prior() -> float:
    """The share the reader has chosen in this session."""
    share: float = st.session_state.get("prior", BALANCED)
    return share


def slider() -> None:
    """Ask for the share; what is on the page changes at once, and nothing is compared again."""
    st.session_state.setdefault("prior", BALANCED)
    st.select_slider(
        QUESTION,
        CHOICES,
        key="prior",
        format_func=as_ratio,
        persist_state="session",
        help="The probability was measured on pairs half of which were related. In your pile fewer may be, and the "
        "same score then means less. Score, threshold and what a model says do not depend on it.",
    )
