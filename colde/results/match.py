"""Pairs of passages that carry a similarity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from colde.text.document import Document, Span

STANDS_OUT = 0.52
"""Weight of a passage that deserves to be named: nine of ten unrelated pairs stay below it (docs/results.md)."""

VERBATIM = ("verbatim", "edited")
"""Kinds of match that stand in both texts word for word, or nearly so."""

SIMILARITY_KINDS = (*VERBATIM, "reworded", "related", "weak")
"""Kinds of match whose weight says how alike two passages are, the scale of `STANDS_OUT`."""


@dataclass(frozen=True, slots=True)
class Passage(Span):
    """A span with what a reader needs to find it: its section's heading and its page."""

    section: str | None = None
    page: int | None = None

    @classmethod
    def at(cls, document: Document, span: Span) -> Self:
        """A span of a document with its section's heading and its page."""
        index = document.section_at(span.start)
        heading = document.sections[index].heading if index is not None else None
        return cls(span.start, span.end, heading, document.page_at(span.start))

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "section": self.section, "page": self.page}


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """A word of each passage that answers the other; `weight` is their cosine."""

    a: Span
    b: Span
    weight: float


@dataclass(frozen=True, slots=True)
class Match:
    """Two passages that carry a model's similarity.

    Attributes:
        weight: how much they carry, on the model's own scale.
        kind: how they are alike: verbatim, edited, reworded, related or weak, or a name of the model's own. A weak
            match has neither words nor meaning in common, beyond what unrelated texts have.
        worth: how unusual such a pair is among unrelated documents, in [0, 1]; None where it is not known.
        words: which words answer which, the nearest first; known of the strongest passages alone.
    """

    model: str
    a: Passage
    b: Passage
    weight: float
    kind: str
    rarity: float | None = None
    words: tuple[AlignedWords, ...] = ()

    @property
    def stands_out(self) -> bool:
        """Whether few unrelated texts have such a match; true for kinds of match that have no measured limit."""
        return self.kind not in SIMILARITY_KINDS or self.weight >= STANDS_OUT

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "weight": self.weight,
            "kind": self.kind,
            "worth": self.rarity,
        }
