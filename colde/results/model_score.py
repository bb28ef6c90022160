"""One model's answer for one pair, and how much of each text it read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from colde.results.prior import BALANCED, shift_prior
from colde.text.document import Span

ScoreKind = Literal["cosine", "probability", "share"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Tokens of one text that a model saw, of those it has; `unread` are the passages it did not see."""

    tokens_read: int
    tokens: int
    unread: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a mixture's score: `weight` times `value`, the part's own score."""

    name: str
    weight: float
    value: float


@dataclass(frozen=True, slots=True)
class WordPart:
    """Part of a score owed to one word that both texts use; `a` and `b` are the first sentences that hold it."""

    word: str
    part: float
    a: Span
    b: Span

    def to_dict(self) -> dict[str, Any]:
        """An entry of `words` of a model in the JSON file."""
        a, b = ({"start": s.start, "end": s.end} for s in (self.a, self.b))
        return {"word": self.word, "part": self.part, "a": a, "b": b}


@dataclass(frozen=True, slots=True)
class Score:
    """One model's answer for one pair.

    Attributes:
        score: on the model's own scale, named by `score_kind`.
        probability: calibrated on labelled pairs of the profile, in [0, 1], at `prior`; None without a calibration.
        percentile: share of unrelated pairs of the background that score lower, in [0, 1]; None without one.
        threshold: from validation; None without one.
        similar: whether the score reaches the threshold; None without one.
        profile: the profile that threshold, probability and percentile come from; None where there is no threshold.
        corpora: the corpora this profile was fitted on; empty where there is none, or where they are not recorded.
        no_verdict: why there is no threshold and no probability, as a clause; empty where there is one.
        seconds: time for encoding and comparing this pair, without loading the model.
        parts: of a mixture: what the score is the weighted sum of.
        words: of a model that weighs words: those that add most, the greatest first.
        prior: the share of related pairs that `probability` is for; threshold and `similar` are for balanced pairs.
    """

    name: str
    title: str
    score: float
    score_kind: ScoreKind
    probability: float | None
    percentile: float | None
    threshold: float | None
    similar: bool | None
    profile: str | None
    levels: tuple[str, ...]
    seconds: float
    read_a: Coverage
    read_b: Coverage
    parts: tuple[ScorePart, ...] = ()
    words: tuple[WordPart, ...] = ()
    prior: float = BALANCED
    corpora: tuple[str, ...] = ()
    no_verdict: str = ""

    @property
    def balanced(self) -> float | None:
        """The probability among as many related as unrelated pairs."""
        return None if self.probability is None else shift_prior(self.probability, BALANCED, self.prior)

    def at_prior(self, prior: float) -> Score:
        """Copy with the probability for another share of related pairs; ValueError unless 0 < prior < 1."""
        likely = None if self.probability is None else shift_prior(self.probability, prior, self.prior)
        return replace(self, probability=likely, prior=prior)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `models` in the JSON file."""

        def read(r: Coverage) -> dict[str, int]:
            return {"tokens_read": r.tokens_read, "tokens": r.tokens}

        found = {
            "name": self.name,
            "title": self.title,
            "score": self.score,
            "score_kind": self.score_kind,
            "probability": self.probability,
            "prior": self.prior,
            "percentile": self.percentile,
            "threshold": self.threshold,
            "similar": self.similar,
            "profile": self.profile,
            "corpora": list(self.corpora),
            "no_verdict": self.no_verdict or None,
            "levels": list(self.levels),
            "seconds": self.seconds,
            "read": {"a": read(self.read_a), "b": read(self.read_b)},
        }
        if self.parts:
            found["parts"] = [asdict(part) for part in self.parts]
        if self.words:
            found["words"] = [word.to_dict() for word in self.words]
        return found
