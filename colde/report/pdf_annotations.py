"""Both documents of a comparison with their matches on the original pages: highlights with numbered notes."""

from __future__ import annotations

from colde.ingest.pdf_highlights import Highlight
from colde.report.formatting import clean, passage_place, quote, shorten
from colde.report.reviewed_matches import ReviewedMatch, excluded_passages, matches, matches_to_highlight
from colde.results.comparison import Comparison
from colde.results.match import VERBATIM
from colde.results.similarity_map import Letter
from colde.text.document import Box, Document, Span

VERBATIM_COLOUR, REWORDED_COLOUR, TOPIC_COLOUR = (235, 120, 60), (150, 110, 220), (130, 140, 150)
"""Colours of the three degrees of similarity."""
LEFT_OUT_COLOUR = (90, 90, 90)
"""Colour of a passage left out with What if."""
MAX_QUOTE = 400
"""Characters of the other document's passage in a note."""


def match_annotations(comparison: Comparison, side: Letter) -> tuple[Highlight, ...]:
    """Notes on the pages of this side: one for each match that is kept, and for each passage that was left out."""
    kept = (_match_note(comparison, side, match) for match in matches_to_highlight(matches(comparison)))
    left_out = (
        Highlight(
            sentence_boxes(document, passage),
            LEFT_OUT_COLOUR,
            f"Left out with What if: {clean(passage.section or 'a passage')}",
        )
        for letter, document, passage in excluded_passages(comparison)
        if letter == side
    )
    return tuple(note for note in (*kept, *left_out) if note.boxes)


def _match_note(comparison: Comparison, side: Letter, match: ReviewedMatch) -> Highlight:
    """The passage on this side, with kind, decision, counterpart and the reviewer's note."""
    a, b = (comparison.a, match.evidence.a), (comparison.b, match.evidence.b)
    (document, passage), (other_document, other) = (a, b) if side == "a" else (b, a)
    decision = f" · {match.decision}" if match.decision else ""
    lines = (
        f"{match.number} · {match.evidence.kind}{decision}",
        f"{'B' if side == 'a' else 'A'}: {passage_place(other)}",
        f"“{clean(shorten(quote(other_document, other), MAX_QUOTE))}”",
        clean(match.note),
    )
    text = "\n".join(filter(None, lines))
    return Highlight(sentence_boxes(document, passage), _colour(match.evidence.kind), text)


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
