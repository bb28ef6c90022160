"""Matches that the reader excludes: quotations, references, boilerplate, short ones. No model runs again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from colde.passages.find_passages import SMALL, find_passages
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.shared_text import EXCLUSIONS as KINDS
from colde.results.shared_text import Exclusion, SentenceMatches
from colde.text.document import Document, Span
from colde.text.set_aside import excluded_spans
from colde.text.words import count_words
from colde_explorer_app.state import EXCLUSIONS

TITLES: dict[Exclusion, str] = {
    "quotes": "Quotations",
    "references": "References and citations",
    "boilerplate": "Boilerplate",
    "small": f"Matches of fewer than {SMALL} words",
}


def chooser() -> None:
    """Draw the list to choose from; the choice stays for the session."""
    st.multiselect(
        "Exclude from matches",
        list(KINDS),
        key=EXCLUSIONS.key,
        format_func=TITLES.__getitem__,
        persist_state="session",
        placeholder="Nothing",
        help="Matches inside these are removed from the list, and the shares of both texts are counted "
        "again. Scores and verdict stay the same. To see the scores without a passage, use “What "
        "if” on the tab Why.",
    )


def with_exclusions(comparison: Comparison, key: str) -> Comparison:
    """A finished comparison without the excluded matches, its shares counted again; `key` is that of its request."""
    kinds = tuple(kind for kind in KINDS if kind in (EXCLUSIONS.get() or ()))
    return _with_exclusions((key, comparison.prior, kinds), comparison, kinds) if kinds else comparison


@st.cache_resource(scope="session", max_entries=4, ttl="1h", show_spinner=False)
def _with_exclusions(key: object, _comparison: Comparison, _kinds: tuple[Exclusion, ...]) -> Comparison:
    spans = [excluded_spans(document, _kinds) for document in (_comparison.a, _comparison.b)]
    small = "small" in _kinds
    kept = tuple(e for e in _comparison.evidence if not _is_excluded(_comparison, e, spans, small=small))
    sentences = _comparison.sentences or SentenceMatches((), ())
    return replace(
        _comparison, evidence=kept, shared=find_passages(_comparison.a, _comparison.b, sentences, _kinds)
    )


def _is_excluded(
    comparison: Comparison, match: Match, spans: Sequence[Sequence[Span]], *, small: bool
) -> bool:
    sides: tuple[tuple[Document, Passage, Sequence[Span]], ...] = (
        (comparison.a, match.a, spans[0]),
        (comparison.b, match.b, spans[1]),
    )
    if any(s.start <= p.start and p.end <= s.end for _, p, excluded in sides for s in excluded):
        return True
    return small and any(count_words(d.text[p.start : p.end]) < SMALL for d, p, _ in sides)
