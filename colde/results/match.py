"""Shared passages: pairs of passages that are alike. What made a score is in its contribution maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from colde.serialise import Count, JsonFields, JsonObject, Share, Text
from colde.text.document import Document, Span
from colde.text.places import heading_above, position

STANDS_OUT = 0.52
"""Weight of a passage that deserves to be named: nine of ten unrelated pairs stay below it (docs/log/passages.md)."""

VERBATIM = ("verbatim", "edited")
"""Types of match with the same words, or nearly the same."""

SIMILARITY_KINDS = (*VERBATIM, "reworded", "opposite", "related", "weak")
"""Types of match whose weight is a similarity, on the scale of `STANDS_OUT`."""


@dataclass(frozen=True, slots=True)
class Passage(Span):
    """A span with what a reader needs to find it.

    Attributes:
        section: the nearest heading above it.
        page: the page on which it begins, from 1.
        position: `paragraph 12 of 14`, where no heading is above it.
    """

    section: str | None = None
    page: Count | None = None
    position: str = ""

    JSON: ClassVar = JsonFields("start end section page", optional="position")

    @classmethod
    def at(cls, document: Document, span: Span) -> Self:
        """A span of a document with its heading, page and position."""
        heading = heading_above(document, span.start)
        where = "" if heading else position(document, span)
        return cls(span.start, span.end, heading, document.page_at(span.start), where)


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """A word of each passage that matches the other; `weight` is their cosine."""

    a: Span
    b: Span
    weight: float


@dataclass(frozen=True, slots=True)
class Match(JsonObject):
    """Two passages that are alike; they need not have made a model's score.

    Attributes:
        weight: how much alike they are, on the model's scale.
        kind: verbatim, edited, reworded, opposite (in other words, and the statements disagree), related, weak (no more
            than in unrelated texts), or a type of the model.
        rarity: how unusual such a passage is among unrelated documents: 1 where few have a similar one, 0 where many
            do; the weight is lower by as much. None where it is not known.
        words: matching words, the nearest first; known of the strongest passages only.
    """

    model: Text
    a: Passage
    b: Passage
    weight: float
    kind: Text
    rarity: Share | None = None
    words: tuple[AlignedWords, ...] = ()

    JSON: ClassVar = JsonFields("model a b weight kind rarity", renamed={"rarity": "worth"})

    @property
    def stands_out(self) -> bool:
        """Whether few unrelated texts have such a match; true for kinds of match that have no measured limit."""
        return self.kind not in SIMILARITY_KINDS or self.weight >= STANDS_OUT
