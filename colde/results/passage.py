"""A passage of a document, with what a reader needs to find it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from colde.serialise import Count, JsonFields
from colde.text.document import Document, Span
from colde.text.places import heading_above, position


@dataclass(frozen=True, slots=True)
class Passage(Span):
    """A span with what a reader needs to find it.

    Attributes:
        section: the nearest heading above it.
        page: the page on which it begins, from 1.
        position: `paragraph 12 of 14`, where no heading is above it.
    """

    section: str | None = None
    page: Count | None = None
    position: str = ""

    JSON: ClassVar = JsonFields("start end section page", optional="position")

    @classmethod
    def at(cls, document: Document, span: Span) -> Self:
        """A span of a document with its heading, page and position."""
        heading = heading_above(document, span.start)
        where = "" if heading else position(document, span)
        return cls(span.start, span.end, heading, document.page_at(span.start), where)
