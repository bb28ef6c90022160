"""A Document as plain lists and back: what the reading process sends home, as JSON, never as pickle."""

from __future__ import annotations

import struct
from typing import Any

from colde.text.document import Box, Document, ReadWarning, Section, Sentence, Span

END = struct.Struct("<iQ")
"""What follows the last piece of an answer: exit status of the fork (negative: a signal) and its peak of memory."""

NO_MEMORY = 77
"""Exit status of a fork that ran out of memory where nothing could be said any more."""


def pack(document: Document) -> dict[str, Any]:
    """The Document as JSON values."""
    return {
        "text": document.text,
        "sections": [
            [
                s.start, s.end, s.body, s.heading, s.level, s.role,
                [[x.start, x.end, [list(box) for box in x.boxes]] for x in s.sentences],
                [[p.start, p.end] for p in s.paragraphs],
            ]
            for s in document.sections
        ],
        "title": document.title,
        "source": document.source,
        "format": document.format,
        "pages": document.pages,
        "page_sizes": document.page_sizes,
        "language": document.language,
        "warnings": [[w.text, [list(run) for run in w.pages]] for w in document.warnings],
    }  # fmt: skip


def unpack(values: dict[str, Any]) -> Document:
    """The Document that `pack` was given.

    Raises:
        KeyError, TypeError, ValueError: where the values are not of that form.
    """
    document = Document(
        text=str(values["text"]),
        sections=tuple(_section(*s) for s in values["sections"]),
        title=str(values["title"]),
        source=str(values["source"]),
        format=str(values["format"]),
        pages=values["pages"],
        page_sizes=tuple((float(w), float(h)) for w, h in values["page_sizes"]),
        language=values["language"],
        warnings=tuple(_warning(*w) for w in values["warnings"]),
    )
    if any(not 0 <= s.start <= s.end <= len(document.text) for s in document.sections):
        raise ValueError("a section outside the text")
    return document


def _warning(text: str, pages: list[list[int]]) -> ReadWarning:
    return ReadWarning(str(text), tuple((int(first), int(last)) for first, last in pages))


def _section(
    start: int, end: int, body: int, heading: str | None, level: int, role: Any,
    sentences: list[tuple[int, int, list[list[float]]]], paragraphs: list[tuple[int, int]],
) -> Section:  # fmt: skip
    return Section(
        start,
        end,
        body,
        heading,
        level,
        role,
        tuple(Sentence(a, b, tuple(Box(int(x[0]), *x[1:]) for x in boxes)) for a, b, boxes in sentences),
        tuple(Span(a, b) for a, b in paragraphs),
    )
