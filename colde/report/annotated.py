"""Both documents of a comparison with their matches on the original pages: highlights with numbered notes."""

from __future__ import annotations

from collections.abc import Sequence

from colde.ingest.annotate import Note
from colde.report.review import Match, kept
from colde.report.text import clean, shorten
from colde.results.comparison import Comparison
from colde.results.evidence import VERBATIM
from colde.results.maps import Letter
from colde.text.document import Box, Document, Span

SAME, REWORDED, SUBJECT = (235, 120, 60), (150, 110, 220), (130, 140, 150)
"""Colours of the three steps of likeness."""

LONGEST = 400
"""Characters of the other document's passage in a note."""


def notes(comparison: Comparison, found: Sequence[Match], side: Letter) -> tuple[Note, ...]:
    """A note for each match that is kept and has a place on the pages of this side."""
    own, other = (comparison.a, comparison.b) if side == "a" else (comparison.b, comparison.a)
    made = []
    for match in kept(found):
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
