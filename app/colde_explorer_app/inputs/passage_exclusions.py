"""Passages that the reader excludes: quotations, references, boilerplate, short ones. No model runs again."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from colde.passages.find_passages import SMALL, find_passages
from colde.results.comparison import Comparison
from colde.results.shared_text import EXCLUSIONS as KINDS
from colde.results.shared_text import Exclusion, SentenceMatches
from colde_explorer_app.session.state import EXCLUSIONS

TITLES: dict[Exclusion, str] = {
    "quotes": "Quotations",
    "references": "References and citations",
    "boilerplate": "Boilerplate",
    "small": f"Passages of fewer than {SMALL} words",
}


def chooser() -> None:
    """Draw the list to choose from; the choice stays for the session."""
    st.multiselect(
        "Exclude from shared passages",
        list(KINDS),
        key=EXCLUSIONS.key,
        format_func=TITLES.__getitem__,
        persist_state="session",
        placeholder="Nothing",
        help="Passages inside these are removed from the list, and the shares of both texts are counted "
        "again. Scores and verdict stay the same. To see the scores without a passage, use “What "
        "if” on the tab Why.",
    )


def with_exclusions(comparison: Comparison, key: str) -> Comparison:
    """A finished comparison without the excluded passages, its shares counted again; `key` is that of its request."""
    kinds = tuple(kind for kind in KINDS if kind in (EXCLUSIONS.get() or ()))
    return _with_exclusions((key, comparison.prior, kinds), comparison, kinds) if kinds else comparison


@st.cache_resource(scope="session", max_entries=4, ttl="1h", show_spinner=False)
def _with_exclusions(key: object, _comparison: Comparison, _kinds: tuple[Exclusion, ...]) -> Comparison:
    sentences = _comparison.sentences or SentenceMatches((), ())
    return replace(_comparison, shared=find_passages(_comparison.a, _comparison.b, sentences, _kinds))
