"""Both documents of a comparison with their shared passages on the original pages: highlights with numbered notes."""

from __future__ import annotations

from collections.abc import Mapping

from colde.ingest.pdf.pdf_highlights import Highlight
from colde.report.content.reviewed_passages import (
    ReviewedPassage,
    excluded_passages,
    passages_to_highlight,
    reviewed_passages,
)
from colde.report.formatting import clean, passage_place, quote, shorten
from colde.results.comparison import Comparison
from colde.results.shared_text import Label
from colde.results.similarity_map import Letter
from colde.text.document import Box, Document, Span

SAME_WORDS, OTHER_WORDS, OPPOSITE, TOPIC = (235, 120, 60), (150, 110, 220), (214, 69, 96), (130, 140, 150)
COLOURS: Mapping[Label, tuple[int, int, int]] = {
    "identical": SAME_WORDS,
    "edited": SAME_WORDS,
    "paraphrased": OTHER_WORDS,
    "translated": OTHER_WORDS,
    "opposite": OPPOSITE,
    "same topic": TOPIC,
    "standard": TOPIC,
}
"""Colours of the kinds of passages, and of standard text."""
LEFT_OUT_COLOUR = (90, 90, 90)
"""Colour of a passage left out with What if."""
MAX_QUOTE = 400
"""Characters of the other document's passage in a note."""


def passage_annotations(comparison: Comparison, side: Letter) -> tuple[Highlight, ...]:
    """Notes on the pages of this side: one for each shared passage that is kept, and for each that was left out."""
    shown = passages_to_highlight(reviewed_passages(comparison))
    kept = (_passage_note(comparison, side, item) for item in shown)
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


def _passage_note(comparison: Comparison, side: Letter, item: ReviewedPassage) -> Highlight:
    """The passage on this side, with kind, decision, counterpart and the reviewer's note."""
    a, b = (comparison.a, item.a), (comparison.b, item.b)
    (document, passage), (other_document, other) = (a, b) if side == "a" else (b, a)
    decision = f" · {item.decision}" if item.decision else ""
    standard = " · standard text" if item.passage.standard else ""
    lines = (
        f"{item.number} · {item.passage.kind}{standard}{decision}",
        f"{'B' if side == 'a' else 'A'}: {passage_place(other)}",
        f"“{clean(shorten(quote(other_document, other), MAX_QUOTE))}”",
        clean(item.note),
    )
    text = "\n".join(filter(None, lines))
    return Highlight(sentence_boxes(document, passage), COLOURS[item.passage.label], text)


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
