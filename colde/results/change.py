"""A difference between two versions of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from colde.results.similarity_map import Letter
from colde.serialise import JsonFields, JsonObject, Offset, Share
from colde.text.document import Span

ChangeKind = Literal[
    "negation", "opposite", "roles", "obligation", "number", "condition", "quantifier", "name", "only in a",
    "only in b", "table", "moved and changed", "moved", "wording", "form",
]  # fmt: skip
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""Most important first; a pair of sentences has the first kind that applies.

`form` is another punctuation, capital, layout of a number, or number of a clause with the references that follow it.
"""
LABELS: Mapping[ChangeKind, str] = {
    "negation": "negation",
    "opposite": "opposite statement",
    "roles": "roles exchanged",
    "obligation": "obligation",
    "number": "number or date",
    "condition": "condition",
    "quantifier": "quantifier",
    "name": "name",
    "only in a": "only in A",
    "only in b": "only in B",
    "table": "table",
    "moved and changed": "moved and changed",
    "moved": "moved",
    "wording": "wording",
    "form": "form",
}
"""Names of the kinds for readers."""
Marks = Mapping[Letter, tuple[tuple[Offset, Offset], ...]]
"""Start and end of passages of each text, in reading order."""


@dataclass(frozen=True, slots=True)
class Change(JsonObject):
    """A difference: two corresponding sentences, or one without a counterpart.

    Attributes:
        a, b: the sentence in each text; None where the text has none.
        importance: by kind, and within a kind greater for longer sentences.
        description: of tables, the place and what changed there: `Table 2, row 3 (Mill): 4.1 → 4.7`; else empty.
        marks: the words and signs that differ.
        also: of a sentence in one text alone, other places where its words stand.
    """

    kind: ChangeKind
    a: Span | None
    b: Span | None
    importance: Share
    description: str = ""
    marks: Marks = field(default_factory=dict)
    also: Marks = field(default_factory=dict)

    JSON: ClassVar = JsonFields(
        "kind a b importance marks", optional="description also", digits={"importance": 3}
    )
