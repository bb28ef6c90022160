"""Shared text: how much of each document is identical, edited, paraphrased, or only about the same topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from colde.results.similarity_map import Letter
from colde.text.document import Span

Kind = Literal["copied", "edited", "paraphrased", "same subject"]
KINDS: tuple[Kind, ...] = ("copied", "edited", "paraphrased", "same subject")
SPLIT_NAMES: Mapping[Kind, str] = {
    "copied": "identical",
    "edited": "edited",
    "paraphrased": "paraphrased",
    "same subject": "same_topic",
}
"""Names of the kinds in the `split` of the JSON file."""
REST = "rest"
Exclusion = Literal["quotes", "references", "boilerplate", "small"]
EXCLUSIONS: tuple[Exclusion, ...] = ("quotes", "references", "boilerplate", "small")
"""Kinds of passage that can be left out of the count."""
SENTENCE_ENCODER = "minilm"
"""The encoder whose sentence vectors are compared."""
DIGITS = 4
"""Decimals of a share in the JSON file."""


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of each text, and how they match.

    Attributes:
        kind: edited, paraphrased or same subject.
        certainty: probability that the kind is right, in [0, 1].
    """

    kind: Kind
    a: Span
    b: Span
    certainty: float


@dataclass(frozen=True, slots=True)
class SentenceMatches:
    """All matching sentences of two texts, whatever model is chosen.

    Attributes:
        kinds: the kinds that were looked for.
        reason: why the others were not, as a sentence; empty where all were.
    """

    matches: tuple[SentenceMatch, ...]
    kinds: tuple[Kind, ...] = KINDS[1:]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A passage of each text, and how they match.

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
        a, b: the share of the counted words of each text, by kind, in [0, 1].
        words_a, words_b: words that were counted.
        passages: by kind, in the order of `KINDS`, the longest first.
        left_out: what was not counted.
        kinds: the kinds that were looked for.
        not_searched: a sentence on the other kinds, and why they were not; empty where all were.
    """

    a: Mapping[Kind, float]
    b: Mapping[Kind, float]
    words_a: int
    words_b: int
    passages: tuple[SharedPassage, ...]
    left_out: tuple[Exclusion, ...] = ()
    kinds: tuple[Kind, ...] = KINDS
    not_searched: str = ""

    def of(self, kind: Kind) -> tuple[SharedPassage, ...]:
        """The passages of a kind."""
        return tuple(p for p in self.passages if p.kind == kind)

    def rest(self, side: Letter) -> float:
        """The share of a text that is of none of the kinds, in [0, 1]."""
        return max(0.0, 1.0 - sum((self.a if side == "a" else self.b).values()))

    def split(self) -> dict[str, dict[str, float]]:
        """`split` of the JSON file: shares of each text that add up to 1."""
        return {"a": _split(self.a), "b": _split(self.b)}

    def to_dict(self) -> dict[str, Any]:
        """`shared` of the JSON file. The shares of `copied` are the containment of each text in the other."""
        return {
            "by": SENTENCE_ENCODER if len(self.kinds) > 1 else None,
            "left_out": list(self.left_out),
            "not_searched": self.not_searched or None,
            "words": {"a": self.words_a, "b": self.words_b},
            "kinds": [
                {
                    "kind": k,
                    "a": round(self.a[k], DIGITS),
                    "b": round(self.b[k], DIGITS),
                    "passages": len(self.of(k)),
                }
                for k in KINDS
            ],
            "passages": [p.to_dict() for p in self.passages],
        }


def _split(shares: Mapping[Kind, float]) -> dict[str, float]:
    rounded = {SPLIT_NAMES[kind]: round(shares[kind], DIGITS) for kind in KINDS}
    return rounded | {REST: round(max(0.0, 1.0 - sum(rounded.values())), DIGITS)}
