"""The reviews of a session, by the two texts; they come from the linked view or from a file."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from colde.comparison.part_notation import Part, format_parts, parse_parts
from colde.errors import ColdeError
from colde.ingest.reading_limits import MEBIBYTE
from colde.ingest.sandbox.protocol import pack
from colde.report.content import review_export
from colde.report.content.review_export import Review, ReviewError
from colde.report.formatting import counted
from colde.results.saved.record import text_hash
from colde.results.saved.review_decisions import Decisions
from colde.text.document import Document, Span
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text
from colde_explorer_app.page_parts.small_components import review_copies
from colde_explorer_app.session import deferred_downloads
from colde_explorer_app.session.deferred_downloads import File
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.state import INCLUDE_TEXTS, Reviews, component_value, state

_COPIES = "review_copies"  # key of the component
_HELP = "A file that “Review file” saved here or on another machine."


def decisions(a: Document, b: Document) -> Decisions:
    """The decisions about these two texts, in either order."""
    return _of(_hashes(a, b))


def _of(texts: tuple[str, str]) -> Decisions:
    kept = state(Reviews).decisions
    if texts not in kept and texts[::-1] in kept:
        return kept[texts[::-1]].swapped()
    return kept.get(texts, Decisions())


def left_out(a: Document, b: Document) -> str:
    """The passages left out with What if, as the linked view writes them: `a:3,b@120-245`."""
    kept = decisions(a, b)
    return format_parts({"a": a, "b": b}, {"a": kept.without_a, "b": kept.without_b})


def for_view(a: Document, b: Document) -> dict[str, Any]:
    """The review for the linked view, which takes each id once: at first, and after a file was opened."""
    texts = _hashes(a, b)
    return {
        "id": _file_id(texts),
        "pair": list(texts),
        "marks": [review_export.mark_to_dict(mark) for mark in decisions(a, b).marks],
        "out": left_out(a, b),
    }


def _file_id(texts: tuple[str, str]) -> str:
    """The id of the review file that was opened last for these texts; empty without one."""
    files = state(Reviews).files
    return files.get(texts) or files.get(texts[::-1], "")


def keep_marks(a: Document, b: Document, value: object) -> None:
    """Keep the marks that the reader has made; a value from the page that is no list of marks changes nothing."""
    try:
        marks = review_export.parse_marks(value)
    except ReviewError:
        return
    _store(a, b, replace(decisions(a, b), marks=marks))


def set_left_out(a: Document, b: Document, out: str) -> None:
    """Keep the passages that the reader has left out, as the linked view writes them; other texts change nothing."""
    try:
        parts = parse_parts(out) if out else {"a": [], "b": []}
    except ValueError:
        return
    without_a, without_b = _spans(a, parts["a"]), _spans(b, parts["b"])
    _store(a, b, replace(decisions(a, b), without_a=without_a, without_b=without_b))


def _spans(document: Document, parts: Iterable[Part]) -> tuple[Span, ...]:
    """Passages of these parts, in reading order, without parts that the text does not have."""
    spans = set()
    for part in parts:
        if isinstance(part, Span) and part.end <= len(document.text):
            spans.add(part)
        elif isinstance(part, int) and part < len(document.sections):
            section = document.sections[part]
            if section.role is None and section.start < section.end:
                spans.add(Span(section.start, section.end))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end)))


def _store(a: Document, b: Document, new: Decisions) -> None:
    _store_decisions(_hashes(a, b), new)


def _store_decisions(texts: tuple[str, str], new: Decisions) -> None:
    """Keep the decisions in one order of the two texts; they include those of the other order."""
    kept = state(Reviews).decisions
    kept.pop(texts[::-1], None)
    kept[texts] = new


def panel(documents: tuple[Document, Document] | None, use: Callable[[Source, Source], None]) -> None:
    """Draw everything about reviews: open a file, save one for these documents, clear what the browser keeps.

    Args:
        use: puts in the documents of a file that holds them.
    """
    key = f"open_review_{state(Reviews).opened_count}"
    st.file_uploader(
        "Open a review",
        key=key,
        type="json",
        help=_HELP,
        max_upload_size=review_export.MAX_FILE_BYTES // MEBIBYTE,
        on_change=_open,
        args=(key, use),
    )
    if message := state(Reviews).message:
        st.caption(f":material/info: {escape_markdown(message)}")
    st.checkbox(
        "Include both texts in the review file",
        key=INCLUDE_TEXTS.key,
        persist_state="session",
        help="The review file can then be opened without the documents. Texts of more than 8 MB are left out.",
    )
    if documents is not None:
        deferred_downloads.downloads(
            [_FILE],
            _savable(*documents),
            group="review",
            subject=_subject(*documents),
            stem=deferred_downloads.file_stem(*documents),
        )
    st.caption(page_text("review"))
    review_copies(_COPIES, None if documents is None else _hashes(*documents), _forget)


def refresh(a: Document, b: Document) -> None:
    """Have the button in `panel` save what was decided since it was drawn."""
    deferred_downloads.update(_savable(a, b), group="review", subject=_subject(a, b))


@dataclass(frozen=True, slots=True)
class _Savable:
    a: Document
    b: Document
    decisions: Decisions
    texts: bool

    def file(self) -> bytes:
        return review_export.review_to_json(self.a, self.b, self.decisions, texts=self.texts).encode()


_FILE = File("Review file", "review.json", "application/json", _Savable.file)


def _savable(a: Document, b: Document) -> _Savable:
    return _Savable(a, b, decisions(a, b), INCLUDE_TEXTS.get())


def _subject(a: Document, b: Document) -> str:
    return " ".join(_hashes(a, b))


def _hashes(a: Document, b: Document) -> tuple[str, str]:
    return text_hash(a), text_hash(b)


def _forget() -> None:
    """Clear the reviews of the session of which the browser has cleared its copies."""
    cleared = component_value(_COPIES, "cleared")
    pairs = cleared.get("pairs") if isinstance(cleared, Mapping) else None
    for texts in pairs if isinstance(pairs, list) else ():
        if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
            for order in (tuple(texts), tuple(texts[::-1])):
                state(Reviews).decisions.pop(order, None)
                state(Reviews).files.pop(order, None)


def _open(key: str, use: Callable[[Source, Source], None]) -> None:
    file, reviews = st.session_state.get(key), state(Reviews)
    if file is None:
        return
    try:
        review = review_export.read_review(file.getvalue())
    except ColdeError as error:
        reviews.message = f"{file.name}: {error}."
        return
    _store_decisions(review.texts, _of(review.texts).joined_by(review.decisions))
    reviews.files.pop(review.texts[::-1], None)
    reviews.files[review.texts] = secrets.token_hex(8)
    reviews.opened_count += 1
    reviews.message = _opened_message(review)
    if review.documents is not None:
        use(*(packed_source(document) for document in review.documents))


def _opened_message(review: Review) -> str:
    count = counted(len(review.decisions.marks), "mark")
    if review.documents is not None:
        return f"{count} opened, with both documents."
    return f"{count} opened. They appear when the two documents that they belong to are compared."


def packed_source(document: Document) -> Source:
    """A document of a review file as an input."""
    name = document.title or document.source or "Document"
    return Source(name, json.dumps(pack(document)).encode(), packed=True)
