"""Limits of one session, and the sentences that name them before they are reached."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from colde.comparison.checks import MAX_CHUNKS, MAX_SECTIONS, check_comparable, chunks_of
from colde.errors import ReadError
from colde.report.formatting import sentence_case
from colde.text.document import Document, Role
from colde.text.sections.parts_without_headings import split_into_parts
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.session_documents import included_roles
from colde_explorer_app.session.state import Request

MAX_RECENT = 6
"""Recent comparisons that are kept."""

MAX_HELD_BYTES = 200_000_000
"""Bytes of the files of those, and of the files of a collection."""

MAX_RUNNING_JOBS = 4
"""Active jobs of one session; a new one stops the oldest."""

MAX_MODELS = 16
"""Models of one comparison."""

_WARNING_SHARE = 0.7  # share of a limit from which on a note says how much of it is used


def retention_notice() -> str:
    """The limits of a session, in one sentence."""
    return (
        f"The last {MAX_RECENT} comparisons are kept, as long as their files have at most "
        f"{MAX_HELD_BYTES / 1e6:.0f} MB in total. At most {MAX_RUNNING_JOBS} run at once: a new one stops "
        "the oldest."
    )


def kept_count(sources: Iterable[tuple[Source, Source]]) -> int:
    """How many of these pairs, the latest first, are kept; always the first."""
    seen: set[str] = set()
    size = count = 0
    for pair in sources:
        size += sum(len(s.data) for s in {s.file: s for s in pair}.values() if s.file not in seen)
        seen |= {s.file for s in pair}
        if count and (size > MAX_HELD_BYTES or count >= MAX_RECENT):
            break
        count += 1
    return count


def latest(requests: Iterable[Request]) -> list[Request]:
    """The requests that are kept of these, the latest first, each of them once."""
    unlike = list({request.key: request for request in requests}.values())
    return unlike[: kept_count((request.a, request.b) for request in unlike)]


def length_note(source: Source, document: Document) -> tuple[bool, str]:
    """Whether a text can be compared by its length, and a note if it is too short, near a limit or above it."""
    try:
        check_comparable(document)
    except ReadError as error:
        if error.reason == "too_short":
            return False, f"too short to compare: {error.what}. {sentence_case(error.advice)}"
    sections, chunks = _lengths(source.digest, included_roles(), document)
    for count, most, what in ((sections, MAX_SECTIONS, "sections"), (chunks, MAX_CHUNKS, "chunks")):
        if count is None or count > most:
            many = f"{count:,} {what}, the limit is {most:,}" if count else f"more than {most:,} {what}"
            advice = "Leave sections out (Edit sections), or use a part of the file"
            return False, f"too long to compare: {many}. {advice}"
        if count > _WARNING_SHARE * most:
            return True, f"long: {count:,} of at most {most:,} {what} that can be compared"
    return True, ""


@st.cache_data(scope="session", max_entries=12, ttl="4h", show_spinner=False)
def _lengths(digest: str, include: tuple[Role, ...], _document: Document) -> tuple[int, int | None]:
    sections = sum(1 for _ in _document.compared())
    if sections > MAX_SECTIONS:
        return sections, 0
    try:
        return sections, len(chunks_of(split_into_parts(_document)))
    except ReadError:
        return sections, None
