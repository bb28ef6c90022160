"""The decisions and notes of a review as comments of a redline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from colde.results.change import LABELS
from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions
from colde.text.document import Span

UNLISTED = "note"
"""First word of a comment on what is not in the lists of changes and passages any more."""


@dataclass(frozen=True, slots=True)
class ReviewComment:
    """A comment on a passage.

    Attributes:
        a, b: the passage in each text that has it.
        text: begins with the kind of the change or of the shared passage.
    """

    a: Span | None
    b: Span | None
    text: str


def review_comments(comparison: Comparison) -> Iterator[ReviewComment]:
    """Yield a comment for each decision and note of the review on passages and changes."""
    changes = {(_plain(c.a), _plain(c.b)): LABELS[c.kind] for c in comparison.changes}
    passages = () if comparison.shared is None else comparison.shared.passages
    kinds = {(_plain(p.a), _plain(p.b)): p.kind for p in passages}
    for mark in (comparison.review or Decisions()).marks:
        if mark.about == "row":
            continue
        kind = (changes if mark.change else kinds).get((mark.a, mark.b), UNLISTED)
        text = ". ".join(filter(None, (mark.decision, mark.note)))
        yield ReviewComment(mark.a, mark.b, f"{kind}: {text}")


def _plain(span: Span | None) -> Span | None:
    return None if span is None else Span(span.start, span.end)
