"""Both documents of a comparison with their matches on the original pages: highlights with numbered notes."""

from __future__ import annotations

from colde.ingest.pdf_highlights import Note
from colde.report.formatting import clean, shorten
from colde.report.review_export import kept, left_out, matches
from colde.results.comparison import Comparison
from colde.results.match import VERBATIM
from colde.results.similarity_map import Letter
from colde.text.document import Box, Document, Span

SAME, REWORDED, SUBJECT = (235, 120, 60), (150, 110, 220), (130, 140, 150)
"""Colours of the three steps of likeness."""

GONE = (90, 90, 90)
"""Colour of what was left out with What if."""

LONGEST = 400
"""Characters of the other document's passage in a note."""


def notes(comparison: Comparison, side: Letter) -> tuple[Note, ...]:
    """Notes on the pages of this side: one for each match that is kept, and for each passage that was left out."""
    own, other = (comparison.a, comparison.b) if side == "a" else (comparison.b, comparison.a)
    made = []
    for match in kept(matches(comparison)):
        e = match.evidence
        here, there = (e.a, e.b) if side == "a" else (e.b, e.a)
        boxes = boxes_of(own, here)
        if not boxes:
            continue
        place = ", ".join(
            filter(None, [clean(there.section or ""), "" if there.page is None else f"p. {there.page}"])
        )
        words = shorten(" ".join(other.text[there.start : there.end].split()), LONGEST)
        said = [f"{match.number} · {e.kind}{f' · {match.decision}' if match.decision else ''}"]
        said += [f"{'B' if side == 'a' else 'A'}: {place}", f"“{clean(words)}”", clean(match.note)]
        made.append(Note(boxes, _colour(e.kind), "\n".join(line for line in said if line.strip())))
    for of, document, passage in left_out(comparison):
        if of == side and (boxes := boxes_of(document, passage)):
            made.append(Note(boxes, GONE, f"Left out with What if: {clean(passage.section or 'a passage')}"))
    return tuple(made)


def boxes_of(document: Document, span: Span) -> tuple[Box, ...]:
    """Boxes of a passage's sentences on the pages."""
    return tuple(
        box
        for section in document.sections
        if section.start < span.end and span.start < section.end
        for sentence in section.sentences
        if sentence.overlaps(span)
        for box in sentence.boxes
    )


def _colour(kind: str) -> tuple[int, int, int]:
    if kind in VERBATIM:
        return SAME
    return REWORDED if kind == "reworded" else SUBJECT
