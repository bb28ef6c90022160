"""Standard text in the search for passages: it is searched like all other text, and its passages are marked."""

from __future__ import annotations

from colde.text.boilerplate import BOILERPLATE
from colde.text.document import Document, Span
from colde.text.section_edits import include

MOSTLY = 0.5
"""Share of a passage that lies in standard text, from which the passage is standard."""


def searched_text(document: Document) -> Document:
    """The document as it is searched for passages: with standard text, which no model reads."""
    return include(document, (BOILERPLATE,))


def standard_spans(document: Document) -> tuple[Span, ...]:
    """The sections of standard text that a comparison sets aside."""
    return tuple(Span(s.start, s.end) for s in document.sections if s.role == BOILERPLATE)


def is_standard(span: Span, standard: tuple[Span, ...]) -> bool:
    """Whether a passage lies mostly in standard text."""
    inside = sum(max(0, min(span.end, s.end) - max(span.start, s.start)) for s in standard)
    return inside >= MOSTLY * max(1, span.end - span.start)
