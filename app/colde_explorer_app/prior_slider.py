"""A slider for the share of related pairs that the reader expects."""

from __future__ import annotations

import streamlit as st

from colde.results.prior import BALANCED
from colde.results.verdict_words import as_ratio
from colde_explorer_app.state import PRIOR

CHOICES = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, BALANCED, 0.6, 0.7, 0.8, 0.9)
"""Shares to choose from, finer where few pairs are related, as in most collections."""

QUESTION = "Of the pairs you usually compare, how many do you expect to be related?"


def slider() -> None:
    """Ask for the share; the probabilities on the page change at once, and nothing is compared again."""
    PRIOR.set_default(BALANCED)
    st.select_slider(
        QUESTION,
        CHOICES,
        key=PRIOR.key,
        format_func=as_ratio,
        persist_state="session",
        help="The probability was measured on pairs half of which were related. In your pile fewer may be, and the "
        "same score then means less. Score, threshold and what a model says do not depend on it.",
    )
