"""A difference between two versions of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from colde.text.document import Span

ChangeKind = Literal[
    "negation", "opposite", "roles", "number", "name", "obligation", "only in a", "only in b", "table",
    "moved and changed", "moved", "wording",
]  # fmt: skip
CHANGE_KINDS: tuple[ChangeKind, ...] = (
    "negation", "opposite", "roles", "number", "name", "obligation", "only in a", "only in b", "table",
    "moved and changed", "moved", "wording",
)  # fmt: skip
"""Most important first; a pair of sentences has the first kind that applies."""


@dataclass(frozen=True, slots=True)
class Change:
    """A difference: two sentences that correspond, or one without a counterpart.

    Attributes:
        a, b: the sentence in each text; None on the other side of a sentence that stands in one text only.
        importance: in [0, 1]; kinds come in the order of `CHANGE_KINDS`, and long sentences before short ones.
    """

    kind: ChangeKind
    a: Span | None
    b: Span | None
    importance: float

    def to_dict(self) -> dict[str, Any]:
        """An entry of `changes` of the JSON file."""
        sides = {"a": self.a, "b": self.b}
        spans = {k: None if s is None else {"start": s.start, "end": s.end} for k, s in sides.items()}
        return {"kind": self.kind, **spans, "importance": round(self.importance, 3)}
