"""A document without headings in n_p parts (CoLDE, section 3.1), so that there are sections to compare."""

from __future__ import annotations

from dataclasses import replace

from colde.text.document import EXCLUDED_ROLE, Document, Section, cut_section

MIN_PARTS, MAX_PARTS = 2, 5  # the paper's default and the most it studied (4.5.4)
CHARACTERS_PER_PART = 6_000  # about a thousand words


def split_into_parts(document: Document, parts: int | None = None) -> Document:
    """Split the one headless section of a document at paragraph boundaries into parts of like length.

    A document with any other structure is returned as it is, as is one of a single paragraph, and one of which
    the user has left something out: it has been cut before. The text does not change, so every offset stays right.

    Args:
        parts: n_p; by default one part for about a thousand words, at least two and at most five.
    """
    compared = list(document.compared())
    if any(section.role == EXCLUDED_ROLE for section in document.sections):
        return document
    if len(compared) != 1 or compared[0][1].heading is not None:
        return document
    index, section = compared[0]
    length = section.end - section.start
    part_count = parts or min(MAX_PARTS, max(MIN_PARTS, round(length / CHARACTERS_PER_PART)))
    borders = _borders(section, part_count)
    if not borders:
        return document
    edges = [section.start, *borders, section.end]
    ends = [max(p.end for p in section.paragraphs if p.start < edge) for edge in edges[1:]]
    split = [cut_section(section, start, end, body=start) for start, end in zip(edges, ends, strict=False)]
    return replace(document, sections=(*document.sections[:index], *split, *document.sections[index + 1 :]))


def _borders(section: Section, part_count: int) -> list[int]:
    """Beginnings of paragraphs nearest to equal parts; fewer where there are few paragraphs."""
    starts = [p.start for p in section.paragraphs[1:]]
    length = section.end - section.start
    borders: list[int] = []
    for k in range(1, part_count):
        later_starts = [s for s in starts if not borders or s > borders[-1]]
        if later_starts:
            ideal = section.start + k * length / part_count
            borders.append(min(later_starts, key=lambda s: abs(s - ideal)))
    return borders
