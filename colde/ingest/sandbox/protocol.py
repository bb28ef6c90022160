"""A Document as plain lists and back: what the reading process sends home, as JSON, never as pickle."""

from __future__ import annotations

import struct
from typing import Any, get_args

from colde.text.document import Box, Document, ReadWarning, Role, Section, Sentence, Span

ROLES = frozenset(get_args(Role))

ANSWER_END = struct.Struct("<iQ")
"""What follows the last piece of an answer: exit status of the fork (negative: a signal) and its peak of memory."""

OUT_OF_MEMORY_STATUS = 77
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
    text = str(values["text"])
    return Document(
        text=text,
        sections=tuple(_section(len(text), *s) for s in values["sections"]),
        title=str(values["title"]),
        source=str(values["source"]),
        format=str(values["format"]),
        pages=None if values["pages"] is None else int(values["pages"]),
        page_sizes=tuple((float(w), float(h)) for w, h in values["page_sizes"]),
        language=None if values["language"] is None else str(values["language"]),
        warnings=tuple(_warning(*w) for w in values["warnings"]),
    )


def _warning(text: str, pages: list[list[int]]) -> ReadWarning:
    return ReadWarning(str(text), tuple((int(first), int(last)) for first, last in pages))


def _section(
    length: int, start: int, end: int, body: int, heading: str | None, level: int, role: Any,
    sentences: list[tuple[int, int, list[list[float]]]], paragraphs: list[tuple[int, int]],
) -> Section:  # fmt: skip
    """A section of a text of this length.

    Raises:
        TypeError, ValueError: it or a part of it lies outside, or has another form.
    """
    first, after, begin = int(start), int(end), int(body)
    if not 0 <= first <= begin <= after <= length:
        raise ValueError("a section outside the text")
    if role is not None and role not in ROLES:
        raise ValueError("a section of an unknown role")
    section = Section(
        first,
        after,
        begin,
        None if heading is None else str(heading),
        int(level),
        role,
        tuple(Sentence(int(a), int(b), tuple(_box(*box) for box in boxes)) for a, b, boxes in sentences),
        tuple(Span(int(a), int(b)) for a, b in paragraphs),
    )
    if any(not begin <= s.start <= s.end <= after for s in (*section.sentences, *section.paragraphs)):
        raise ValueError("a sentence outside its section")
    return section


def _box(page: float, x0: float, y0: float, x1: float, y1: float) -> Box:
    return Box(int(page), float(x0), float(y0), float(x1), float(y1))
