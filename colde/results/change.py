"""A difference between two versions of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from colde.serialise import JsonFields, JsonObject, Share
from colde.text.document import Span

ChangeKind = Literal[
    "negation", "opposite", "roles", "number", "name", "obligation", "only in a", "only in b", "table",
    "moved and changed", "moved", "wording",
]  # fmt: skip
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""Most important first; a pair of sentences has the first kind that applies."""


@dataclass(frozen=True, slots=True)
class Change(JsonObject):
    """A difference: two corresponding sentences, or one without a counterpart.

    Attributes:
        a, b: the sentence in each text; None where the text has none.
        importance: by kind, and within a kind greater for longer sentences.
        description: of tables, the place and what changed there: `Table 2, row 3 (Mill): 4.1 → 4.7`; else empty.
    """

    kind: ChangeKind
    a: Span | None
    b: Span | None
    importance: Share
    description: str = ""

    JSON: ClassVar = JsonFields("kind a b importance", optional="description", digits={"importance": 3})
