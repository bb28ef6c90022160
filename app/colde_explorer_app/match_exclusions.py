"""What the reader does not want counted: quotations, references, boilerplate, small matches. No model runs again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from colde.explain.text_overlap import SMALL, shared_text
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.shared_text import EXCLUSIONS, Exclusion, SentenceMatches
from colde.text.document import Document, Span
from colde.text.exclusions import excluded_spans

TITLES: dict[Exclusion, str] = {
    "quotes": "Quotations",
    "references": "References and citations",
    "boilerplate": "Boilerplate",
    "small": f"Matches under {SMALL} words",
}


def chooser() -> None:
    """Draw the list to choose from; the choice stays for the session."""
    st.multiselect(
        "Leave out of the count",
        list(EXCLUSIONS),
        key="leave_out",
        format_func=TITLES.__getitem__,
        persist_state="session",
        placeholder="Nothing",
        help="Matches that lie in these are dropped, and the shares of both texts are counted again. The models’ "
        "scores and the verdict stay: to see those without a passage, use “What if” on the tab Why.",
    )


def excluded_kinds() -> tuple[Exclusion, ...]:
    """What this session leaves out, in one order."""
    wanted = st.session_state.get("leave_out") or ()
    return tuple(kind for kind in EXCLUSIONS if kind in wanted)


def with_exclusions(comparison: Comparison, key: str) -> Comparison:
    """The comparison with its matches and shares counted without what is left out.

    Args:
        key: of the comparison, which is finished.
    """
    kinds = excluded_kinds()
    return _with_exclusions((key, comparison.prior, kinds), comparison, kinds) if kinds else comparison


@st.cache_resource(scope="session", max_entries=4, ttl="1h", show_spinner=False)
def _with_exclusions(key: object, _comparison: Comparison, _kinds: tuple[Exclusion, ...]) -> Comparison:
    excluded_spans = [excluded_spans(document, _kinds) for document in (_comparison.a, _comparison.b)]
    small = "small" in _kinds
    kept = tuple(e for e in _comparison.evidence if not _dropped(_comparison, e, excluded_spans, small=small))
    sentences = _comparison.sentences or SentenceMatches((), ())
    return replace(
        _comparison, evidence=kept, shared=shared_text(_comparison.a, _comparison.b, sentences, _kinds)
    )


def _dropped(
    comparison: Comparison, evidence: Match, excluded_spans: Sequence[Sequence[Span]], *, small: bool
) -> bool:
    sides: tuple[tuple[Document, Passage, Sequence[Span]], ...] = (
        (comparison.a, evidence.a, excluded_spans[0]),
        (comparison.b, evidence.b, excluded_spans[1]),
    )
    if any(s.start <= passage.start and passage.end <= s.end for _, passage, spans in sides for s in spans):
        return True
    return small and any(len(d.text[p.start : p.end].split()) < SMALL for d, p, _ in sides)
