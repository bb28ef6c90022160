"""What a reviewer decided about passages, changes and chart rows of two documents, and what they left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from colde.results.similarity_map import Letter
from colde.serialise import JsonFields, JsonObject
from colde.text.document import Span

Decision = Literal["", "accepted", "rejected"]
RowMark = Literal["", "listed", "added"]
"""Of a mark on a row of the claim chart: the chart has the row anyway, or the reviewer has added it."""
About = Literal["passage", "change", "row"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Reviewer's decision and note on a shared passage, a change, or a row of the claim chart.

    Attributes:
        a, b: the passages; None on the side where a change has no sentence. A row has its passage of A alone.
        decision: empty where there is only a note, or a row was added.
        change: whether it is on a change; a shared passage with the same spans has a mark of its own.
        row: whether it is on a row of the claim chart.
    """

    a: Span | None
    b: Span | None
    decision: Decision = ""
    note: str = ""
    change: bool = False
    row: RowMark = ""

    JSON: ClassVar = JsonFields("a b decision note", optional="change row")

    @property
    def about(self) -> About:
        """What the mark is on."""
        return "change" if self.change else "row" if self.row else "passage"


@dataclass(frozen=True, slots=True)
class Decisions(JsonObject):
    """Everything that a reviewer decided about a pair of documents.

    Attributes:
        marks: one for each passage, change and row of the claim chart that has a decision or a note, or was added.
        without_a, without_b: passages of each text that were left out with What if, in reading order.
    """

    marks: tuple[Mark, ...] = ()
    without_a: tuple[Span, ...] = ()
    without_b: tuple[Span, ...] = ()

    JSON: ClassVar = JsonFields("marks left_out")

    def __bool__(self) -> bool:
        return bool(self.marks or self.without_a or self.without_b)

    def swapped(self) -> Self:
        """The same decisions about the pair in the other order."""
        marks = tuple(replace(m, a=m.b, b=m.a) for m in self.marks)
        return type(self)(marks, self.without_b, self.without_a)

    def joined_by(self, other: Decisions) -> Self:
        """These and those of a file, which take the place of these where both are about the same passages."""
        marks = {(m.a, m.b, m.about): m for m in (*self.marks, *other.marks)}
        return type(self)(
            tuple(marks.values()), other.without_a or self.without_a, other.without_b or self.without_b
        )

    @property
    def left_out(self) -> dict[Letter, tuple[Span, ...]]:
        """Passages of each text that were left out with What if; scores and maps are those of the full texts."""
        return {"a": self.without_a, "b": self.without_b}
