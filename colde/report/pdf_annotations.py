"""Both documents of a comparison with their matches on the original pages: highlights with numbered notes."""

from __future__ import annotations

from colde.ingest.pdf_highlights import Highlight
from colde.report.formatting import clean, shorten
from colde.report.review_export import excluded_passages, matches, matches_to_highlight
from colde.results.comparison import Comparison
from colde.results.match import VERBATIM
from colde.results.similarity_map import Letter
from colde.text.document import Box, Document, Span

VERBATIM_COLOUR, REWORDED_COLOUR, TOPIC_COLOUR = (235, 120, 60), (150, 110, 220), (130, 140, 150)
"""Colours of the three steps of likeness."""

LEFT_OUT_COLOUR = (90, 90, 90)
"""Colour of what was left out with What if."""

MAX_QUOTE = 400
"""Characters of the other document's passage in a note."""


def match_annotations(comparison: Comparison, side: Letter) -> tuple[Highlight, ...]:
    """Notes on the pages of this side: one for each match that is kept, and for each passage that was left out."""
    own_document, other_document = (
        (comparison.a, comparison.b) if side == "a" else (comparison.b, comparison.a)
    )
    made = []
    for match in matches_to_highlight(matches(comparison)):
        e = match.evidence
        here, there = (e.a, e.b) if side == "a" else (e.b, e.a)
        boxes = sentence_boxes(own_document, here)
        if not boxes:
            continue
        place = ", ".join(
            filter(None, [clean(there.section or ""), "" if there.page is None else f"p. {there.page}"])
        )
        words = shorten(" ".join(other_document.text[there.start : there.end].split()), MAX_QUOTE)
        lines = [f"{match.number} · {e.kind}{f' · {match.decision}' if match.decision else ''}"]
        lines += [f"{'B' if side == 'a' else 'A'}: {place}", f"“{clean(words)}”", clean(match.note)]
        made.append(Highlight(boxes, _colour(e.kind), "\n".join(line for line in lines if line.strip())))
    for of, document, passage in excluded_passages(comparison):
        if of == side and (boxes := sentence_boxes(document, passage)):
            made.append(
                Highlight(
                    boxes, LEFT_OUT_COLOUR, f"Left out with What if: {clean(passage.section or 'a passage')}"
                )
            )
    return tuple(made)


def sentence_boxes(document: Document, span: Span) -> tuple[Box, ...]:
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
        return VERBATIM_COLOUR
    return REWORDED_COLOUR if kind == "reworded" else TOPIC_COLOUR
