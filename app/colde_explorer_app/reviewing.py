"""The review of a pair in this session: kept by the two texts, saved to a file, opened again, put onto pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from colde.errors import ColdeError, ReadError
from colde.ingest import sandbox
from colde.ingest.wire import pack
from colde.report import review
from colde.report.annotated import notes
from colde.report.review import Mark, Review, ReviewError
from colde.results.comparison import Comparison
from colde.results.maps import Letter
from colde.text.document import Document
from colde_explorer_app.plain import escape
from colde_explorer_app.sources import SIDES, Source, chosen

Download = tuple[str, str, str, Callable[[], bytes]]
"""A file to save: the button's label, the ending of its name, its type, what makes it."""

_KEPT, _OPENED, _PROBLEM = "reviews", "reviews_opened", "review_problem"
_HELP = "A file that “Review file” saved here or on another machine."


def marks(a: Document, b: Document) -> tuple[Mark, ...]:
    """What was said of the matches of these two texts; after a swap, too."""
    texts = review.digest(a), review.digest(b)
    kept = _kept()
    if texts not in kept and texts[::-1] in kept:
        kept[texts] = tuple(Mark(m.b, m.a, m.decision, m.note) for m in kept[texts[::-1]])
    return kept.get(texts, ())


def for_view(a: Document, b: Document) -> dict[str, Any]:
    """The review as the linked view takes it on: once, and again when a file was opened."""
    return {
        "id": f"kept-{st.session_state.get(_OPENED, 0)}",
        "marks": [mark.to_dict() for mark in marks(a, b)],
    }


def keep(a: Document, b: Document, said: object) -> None:
    """Keep what the reader has just said; nonsense from a page is nobody's review."""
    try:
        _kept()[review.digest(a), review.digest(b)] = review.marks_of(said)
    except ReviewError:
        return


def files(comparison: Comparison) -> list[Download]:
    """What can be saved of the review: its file, its table, and both documents with highlights on their pages."""
    a, b = comparison.a, comparison.b
    texts = st.checkbox(
        "Texts in the review file", key="review_texts", help="It can then be opened without the documents."
    )
    kinds: list[Download] = [
        ("Review file", "review.json", "application/json",
         lambda: review.to_json(a, b, marks(a, b), texts=texts).encode()),
        ("Matches (CSV)", "matches.csv", "text/csv",
         lambda: review.review_table(comparison, review.matches(comparison, marks(a, b))).encode()),
    ]  # fmt: skip
    for side in SIDES:
        source = chosen(side)
        if source is not None and source.is_pdf and not source.packed:
            label = f"Annotated PDF of {side.upper()}"
            make = _annotated(comparison, side, source)
            kinds.append((label, f"{side}.annotated.pdf", "application/pdf", make))
    return kinds


def _annotated(comparison: Comparison, side: Letter, source: Source) -> Callable[[], bytes]:
    def make() -> bytes:
        found = review.matches(comparison, marks(comparison.a, comparison.b))
        try:
            return sandbox.annotate_apart(
                source.data, source.name, notes(comparison, found, side), source.password
            )
        except ReadError as error:
            return f"{error}\n".encode()

    return make


def opener(use: Callable[[Source, Source], None]) -> None:
    """A file input for a saved review; `use` puts in the documents it holds."""
    count = st.session_state.get(_OPENED, 0)
    key = f"open_review_{count}"
    st.file_uploader("Open a review", key=key, type="json", help=_HELP, on_change=_open, args=(key, use))
    if problem := st.session_state.get(_PROBLEM):
        st.caption(f":material/info: {escape(problem)}")


def _open(key: str, use: Callable[[Source, Source], None]) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    try:
        found = review.from_json(file.getvalue())
    except ColdeError as error:
        st.session_state[_PROBLEM] = f"{file.name}: {error}."
        return
    _kept()[found.texts] = found.marks
    st.session_state[_OPENED] = st.session_state.get(_OPENED, 0) + 1
    st.session_state[_PROBLEM] = _said(found)
    if found.documents is not None:
        use(*(_source(document) for document in found.documents))


def _said(found: Review) -> str:
    count = f"{len(found.marks):,} mark{'' if len(found.marks) == 1 else 's'}"
    if found.documents is not None:
        return f"{count} opened, with both documents."
    return f"{count} opened. They appear where the two documents they were made on are compared."


def _source(document: Document) -> Source:
    name = document.title or document.source or "Document"
    return Source(name, json.dumps(pack(document)).encode(), packed=True)


def _kept() -> dict[tuple[str, str], tuple[Mark, ...]]:
    kept: dict[tuple[str, str], tuple[Mark, ...]] = st.session_state.setdefault(_KEPT, {})
    return kept
