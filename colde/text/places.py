"""Names of places in a document: by heading, else by page, else by first words or position. Every output uses them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from colde.text.document import Document, Span

BEFORE_HEADINGS = "before the first heading"
"""The place of a passage without words there."""
MAX_OPENING = 36  # characters of the first words of a passage


def heading_above(document: Document, offset: int) -> str | None:
    """The nearest heading above a place, on one line; None where there is none.

    Captions and tables have no heading of their own. They are under that of the text around them.
    """
    above = bisect_right(document.sections, offset, key=lambda section: section.start)
    for section in reversed(document.sections[:above]):
        if section.heading and (title := " ".join(section.heading.split())):
            return title
    return None


def position(document: Document, span: Span) -> str:
    """Where a passage is in a text without headings: `paragraph 12 of 14`, `sentences 3–5 of 20` of one paragraph.

    Above the first heading of a text it is the first words of the passage. Only text that is compared is counted.
    """
    sections = [section for _, section in document.compared()]
    if any(section.heading for section in sections):
        return opening_words(document, span) or BEFORE_HEADINGS
    paragraphs = [p for section in sections for p in section.paragraphs]
    if len(paragraphs) > 1:
        return _count("paragraph", paragraphs, span)
    return _count("sentence", [s for section in sections for s in section.sentences], span)


def opening_words(document: Document, span: Span) -> str:
    """The first words of a passage in quotation marks: `“On the evening of 25 July …”`; empty for white space."""
    words = " ".join(document.text[span.start : min(span.end, span.start + 4 * MAX_OPENING)].split())
    if len(words) > MAX_OPENING:
        cut = words[: MAX_OPENING - 1]
        words = f"{cut.rsplit(' ', 1)[0] if ' ' in cut else cut}…"
    return f"“{words}”" if words else ""


def line_at(document: Document, offset: int) -> int | None:
    """The line of its page, from 1, on which the sentence at an offset begins; None where there are no pages.

    Only lines of running text are counted, in reading order: no headings, and no running heads.
    """
    page = document.page_at(offset)
    if page is None:
        return None
    line, before = 0, None
    for section in document.sections:
        for sentence in section.sentences:
            for box in (b for b in sentence.boxes if b.page == page):
                if before is None or min(box.y1, before.y1) - max(box.y0, before.y0) < (box.y1 - box.y0) / 2:
                    line += 1
                before = box
                if sentence.end > offset:
                    return line
    return None


def name_section(document: Document, span: Span) -> str:
    """The heading over a section or another span, else its pages, else its first words or its position."""
    title = heading_above(document, span.start)
    if title:
        return title
    first, last = document.page_at(span.start), document.page_at(max(span.start, span.end - 1))
    if first is None:
        return position(document, span)
    return f"p. {first}" if last in (None, first) else f"pp. {first}–{last}"


def _count(noun: str, parts: Sequence[Span], span: Span) -> str:
    first = bisect_right(parts, span.start, key=lambda part: part.end) + 1
    last = bisect_left(parts, span.end, key=lambda part: part.start)
    if first < last:
        return f"{noun}s {first}–{last} of {len(parts)}"
    return f"{noun} {first} of {len(parts)}" if first == last else f"after {noun} {last} of {len(parts)}"
