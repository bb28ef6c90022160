"""The reviews of a session: kept by the two texts, taken from the linked view, opened from a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from colde.comparison.part_notation import Part, format_parts, parse_parts
from colde.errors import ColdeError
from colde.ingest.sandbox.protocol import pack
from colde.report import review_export
from colde.report.review_export import Review, ReviewError
from colde.results.review_decisions import Decisions
from colde.text.document import Document, Span
from colde_explorer_app.document_source import Source
from colde_explorer_app.markdown_escape import escape_markdown

REVIEWS_KEY = "reviews"
"""In the session: the decisions by the hashes of the two texts. A reload keeps them (`keeping`)."""

_OPENED_COUNT_KEY, _MESSAGE_KEY = "reviews_opened", "review_problem"
_HELP = "A file that “Review file” saved here or on another machine."


def decisions(a: Document, b: Document) -> Decisions:
    """What was decided about these two texts; after a swap, too."""
    texts = review_export.digest(a), review_export.digest(b)
    kept = all_decisions()
    if texts not in kept and texts[::-1] in kept:
        return kept[texts[::-1]].swapped()
    return kept.get(texts, Decisions())


def left_out(a: Document, b: Document) -> str:
    """What was left out of these two texts with What if, as the linked view takes it: `a:3,b@120-245`."""
    said = decisions(a, b)
    return format_parts({"a": a, "b": b}, {"a": said.without_a, "b": said.without_b})


def for_view(a: Document, b: Document) -> dict[str, Any]:
    """The review as the linked view takes it on: once, and again when a file was opened."""
    return {
        "id": f"kept-{st.session_state.get(_OPENED_COUNT_KEY, 0)}",
        "marks": [review_export.mark_to_dict(mark) for mark in decisions(a, b).marks],
        "out": left_out(a, b),
    }


def keep_marks(a: Document, b: Document, said: object) -> None:
    """Keep the marks that the reader has just made; nonsense from a page changes nothing."""
    try:
        marks = review_export.parse_marks(said)
    except ReviewError:
        return
    _store(a, b, replace(decisions(a, b), marks=marks))


def set_left_out(a: Document, b: Document, out: str) -> None:
    """Keep what the reader has left out; nonsense from a page changes nothing.

    Args:
        out: as the linked view says it; empty for nothing.
    """
    try:
        parts = parse_parts(out) if out else {"a": [], "b": []}
    except ValueError:
        return
    _store(
        a,
        b,
        replace(decisions(a, b), without_a=_spans(a, parts["a"]), without_b=_spans(b, parts["b"])),
    )


def _spans(document: Document, parts: Iterable[Part]) -> tuple[Span, ...]:
    """Passages that these parts stand for, in reading order; a part that the text does not have is passed over."""
    found = set()
    for part in parts:
        if isinstance(part, Span) and part.end <= len(document.text):
            found.add(part)
        elif isinstance(part, int) and part < len(document.sections):
            section = document.sections[part]
            if section.role is None and section.start < section.end:
                found.add(Span(section.start, section.end))
    return tuple(sorted(found, key=lambda span: (span.start, span.end)))


def _store(a: Document, b: Document, said: Decisions) -> None:
    _store_decisions((review_export.digest(a), review_export.digest(b)), said)


def _store_decisions(texts: tuple[str, str], said: Decisions) -> None:
    """Keep the decisions in one order of the two texts: what was said in the other order is part of them."""
    kept = all_decisions()
    kept.pop(texts[::-1], None)
    kept[texts] = said


def opener(use: Callable[[Source, Source], None]) -> None:
    """A file input for a saved review; `use` puts in the documents it holds."""
    count = st.session_state.get(_OPENED_COUNT_KEY, 0)
    key = f"open_review_{count}"
    st.file_uploader("Open a review", key=key, type="json", help=_HELP, on_change=_open, args=(key, use))
    if problem := st.session_state.get(_MESSAGE_KEY):
        st.caption(f":material/info: {escape_markdown(problem)}")


def _open(key: str, use: Callable[[Source, Source], None]) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    try:
        found = review_export.read_review(file.getvalue())
    except ColdeError as error:
        st.session_state[_MESSAGE_KEY] = f"{file.name}: {error}."
        return
    _store_decisions(found.texts, found.decisions)
    st.session_state[_OPENED_COUNT_KEY] = st.session_state.get(_OPENED_COUNT_KEY, 0) + 1
    st.session_state[_MESSAGE_KEY] = _said(found)
    if found.documents is not None:
        use(*(_source(document) for document in found.documents))


def _said(found: Review) -> str:
    marks = len(found.decisions.marks)
    count = f"{marks:,} mark{'' if marks == 1 else 's'}"
    if found.documents is not None:
        return f"{count} opened, with both documents."
    return f"{count} opened. They appear where the two documents they were made on are compared."


def _source(document: Document) -> Source:
    name = document.title or document.source or "Document"
    return Source(name, json.dumps(pack(document)).encode(), packed=True)


def all_decisions() -> dict[tuple[str, str], Decisions]:
    """The decisions of this session by the hashes of the two texts."""
    kept: dict[tuple[str, str], Decisions] = st.session_state.setdefault(REVIEWS_KEY, {})
    return kept
