"""How much one session may hold and ask for, and the sentences that say so before a limit is met."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from colde.comparison.pipeline import MOST_CHUNKS, MOST_SECTIONS, chunks_of
from colde.errors import ReadError
from colde.text.document import Document, Role
from colde.text.parts_without_headings import split_into_parts
from colde_explorer_app.document_source import Source, included_roles

MAX_RECENT = 6
"""Comparisons that can be gone back to."""

MAX_HELD_BYTES = 200_000_000
"""Bytes of the files behind those, and of the files of a collection."""

MAX_RUNNING_JOBS = 4
"""Pieces of work of one session that are in hand at once; a new one stops the oldest."""

MAX_MODELS = 16
"""Models that take part in one comparison."""

_WARNING_SHARE = 0.7  # of a limit; from here on it is said how much of it is used


def retention_notice() -> str:
    """What a session may hold, in one sentence."""
    return (
        f"The last {MAX_RECENT} comparisons are kept, as long as their files have no more than "
        f"{MAX_HELD_BYTES / 1e6:.0f} MB together; {MAX_RUNNING_JOBS} work at once, and the oldest stops for a new one."
    )


def kept_count(sources: Iterable[tuple[Source, Source]]) -> int:
    """How many of these pairs, the latest first, may be kept; the first one always."""
    seen: set[str] = set()
    size = count = 0
    for pair in sources:
        size += sum(len(s.data) for s in {s.file: s for s in pair}.values() if s.file not in seen)
        seen |= {s.file for s in pair}
        if count and (size > MAX_HELD_BYTES or count >= MAX_RECENT):
            break
        count += 1
    return count


def length_note(source: Source, document: Document) -> tuple[bool, str]:
    """Whether a text can be compared at its length, and a sentence where it is near the limit or beyond it."""
    sections, chunks = _lengths(source.digest, included_roles(), document)
    for count, most, what in ((sections, MOST_SECTIONS, "sections"), (chunks, MOST_CHUNKS, "chunks")):
        if count is None or count > most:
            many = (
                f"more than {most:,} {what}"
                if count is None
                else f"{count:,} {what}, and {most:,} is the limit"
            )
            return (
                False,
                f"too long to compare: {many}. Leave sections out (Edit sections), or put in a part of it",
            )
        if count > _WARNING_SHARE * most:
            return True, f"long: {count:,} of at most {most:,} {what} that can be compared"
    return True, ""


@st.cache_data(scope="session", max_entries=12, ttl="4h", show_spinner=False)
def _lengths(digest: str, include: tuple[Role, ...], _document: Document) -> tuple[int, int | None]:
    """Sections and chunks of what is compared; None for more chunks than are allowed."""
    sections = sum(1 for _ in _document.compared())
    if sections > MOST_SECTIONS:
        return sections, 0
    try:
        return sections, len(chunks_of(split_into_parts(_document)))
    except ReadError:
        return sections, None
