"""What a reviewer decided about the matches of two documents, and what they left out of the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from colde.text.document import Span

Decision = Literal["", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Reviewer's decision and note on a match; an empty decision leaves it open."""

    a: Span
    b: Span
    decision: Decision = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Everything that a reviewer decided about a pair of documents.

    Attributes:
        marks: of the matches that have a decision or a note.
        without_a, without_b: passages of each text that were left out with What if, in reading order.
    """

    marks: tuple[Mark, ...] = ()
    without_a: tuple[Span, ...] = ()
    without_b: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.marks or self.without_a or self.without_b)

    def swapped(self) -> Self:
        """The same decisions about the pair in the other order."""
        marks = tuple(Mark(m.b, m.a, m.decision, m.note) for m in self.marks)
        return type(self)(marks, self.without_b, self.without_a)

    def to_dict(self) -> dict[str, Any]:
        """The field `review` of the comparison's JSON (docs/schema/comparison.schema.json)."""
        return {
            "marks": [
                {"a": _span(m.a), "b": _span(m.b), "decision": m.decision, "note": m.note} for m in self.marks
            ],
            "left_out": {"a": _spans(self.without_a), "b": _spans(self.without_b)},
        }


def _span(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}


def _spans(spans: Sequence[Span]) -> list[dict[str, int]]:
    return [_span(span) for span in spans]
