"""Shared text by kind: how much of each document is copied, edited, paraphrased, or about the same subject only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from colde.text.document import Span

Kind = Literal["copied", "edited", "paraphrased", "same subject"]
KINDS: tuple[Kind, ...] = ("copied", "edited", "paraphrased", "same subject")
Exclusion = Literal["quotes", "references", "boilerplate", "small"]
EXCLUSIONS: tuple[Exclusion, ...] = ("quotes", "references", "boilerplate", "small")
"""Kinds of passage that can be left out of the count."""


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A passage of each text, and how they are alike.

    Attributes:
        words: of the passage in a.
    """

    kind: Kind
    a: Span
    b: Span
    words: int

    def to_dict(self) -> dict[str, Any]:
        ends = {"a": self.a, "b": self.b}
        return {
            "kind": self.kind,
            **{k: {"start": s.start, "end": s.end} for k, s in ends.items()},
            "words": self.words,
        }


@dataclass(frozen=True, slots=True)
class SharedText:
    """Shares of each text by kind; every word is counted once, under the strongest kind.

    Attributes:
        a, b: the share of the words of each text that each kind holds.
        words_a, words_b: words that were counted.
        passages: by kind, in the order of `KINDS`, the longest first.
        left_out: what was not counted.
        by: the model whose sentences were compared; None where only runs of words were.
    """

    a: dict[Kind, float]
    b: dict[Kind, float]
    words_a: int
    words_b: int
    passages: tuple[SharedPassage, ...]
    left_out: tuple[Exclusion, ...] = ()
    by: str | None = None

    def of(self, kind: Kind) -> tuple[SharedPassage, ...]:
        """The passages of a kind."""
        return tuple(p for p in self.passages if p.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """`shared` of the JSON file. The shares of `copied` are the containment of each text in the other."""
        return {
            "by": self.by,
            "left_out": list(self.left_out),
            "words": {"a": self.words_a, "b": self.words_b},
            "kinds": [
                {"kind": k, "a": round(self.a[k], 4), "b": round(self.b[k], 4), "passages": len(self.of(k))}
                for k in KINDS
            ],
            "passages": [p.to_dict() for p in self.passages],
        }
