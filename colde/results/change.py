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
    """A difference: two sentences that correspond, or one without a counterpart.

    Attributes:
        a, b: the sentence in each text; None on the other side of a sentence that stands in one text only.
        importance: in [0, 1]; kinds come in the order of `CHANGE_KINDS`, and long sentences before short ones.
    """

    kind: ChangeKind
    a: Span | None
    b: Span | None
    importance: Share

    JSON: ClassVar = JsonFields("kind a b importance", digits={"importance": 3})
