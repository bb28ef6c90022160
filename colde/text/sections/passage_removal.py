"""A document with passages left out: the same text, with sections cut where a passage begins or ends.

What is left out is set aside like a section that the user has left out, so that every offset stays right and what is
kept is read as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from colde.text.document import EXCLUDED_ROLE, Document, Role, Section, Span, cut_section, joined, overlapping


def leave_out(document: Document, passages: Iterable[Span], role: Role = EXCLUDED_ROLE) -> Document:
    """Set passages of the compared sections aside; a section of which a part is left comes in pieces.

    A sentence that reaches over the border of a passage is cut there. The document itself where no passage holds any
    text that is compared.

    Args:
        role: the role of what is set aside; under another one than `EXCLUDED_ROLE` every piece keeps the heading.
    """
    spans = joined(p for p in passages if len(p))
    compared = {i for i, _ in document.compared()}
    sections: list[Section] = []
    for index, section in enumerate(document.sections):
        inside = overlapping(spans, section) if index in compared else []
        sections += _pieces(document.text, section, inside, role) if inside else [section]
    return document if tuple(sections) == document.sections else replace(document, sections=tuple(sections))


def keep_only(document: Document, passages: Iterable[Span]) -> Document:
    """Set everything aside but these passages."""
    gaps, end = [], 0
    for passage in sorted(passages, key=lambda s: s.start):
        if passage.start > end:
            gaps.append(Span(end, passage.start))
        end = max(end, passage.end)
    if end < len(document.text):
        gaps.append(Span(end, len(document.text)))
    return leave_out(document, gaps)


def _pieces(text: str, section: Section, passages: Sequence[Span], role: Role) -> list[Section]:
    """The section cut at the passages' borders; what lies in one of them, and what is empty, is left out.

    Args:
        passages: they overlap the section, but not each other.
    """
    starts = {max(s.start, section.start) for s in passages}
    borders = {min(max(at, section.start), section.end) for s in passages for at in (s.start, s.end)}
    edges = sorted({section.start, section.end} | borders)
    parts: list[tuple[int, int, bool]] = []  # start, end, and whether it is left out
    for start, end in pairwise(edges):
        excluded = start in starts or not text[start:end].strip()
        if parts and parts[-1][2] == excluded:
            start = parts.pop()[0]
        parts.append((start, end, excluded))
    return [
        _piece(section, start, end, role if excluded else section.role, role != EXCLUDED_ROLE)
        for start, end, excluded in parts
    ]


def _piece(section: Section, start: int, end: int, role: Role | None, keep_heading: bool) -> Section:
    first = start == section.start
    piece = cut_section(section, start, end, body=min(section.body, end) if first else start)
    return replace(piece, heading=section.heading if first or keep_heading else None, role=role)
