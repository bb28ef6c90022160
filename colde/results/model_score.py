"""Score of one model for one pair, with its verdict and the share of each text that it read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from colde.results.similarity_map import Letter
from colde.results.verdicts.prior import BALANCED, shift_prior
from colde.results.verdicts.verdict_words import label_of
from colde.serialise import UNIQUE, JsonFields, JsonObject, Offset, Seconds, Share, Text
from colde.text.document import Document, Span
from colde.text.not_compared.set_aside import SetAside

ScoreKind = Literal["cosine", "probability", "share"]
LEVELS = ["document", "section", "chunk", "sentence", "word"]
Levels = Annotated[tuple[Annotated[str, Meta(extra_json_schema={"enum": LEVELS})], ...], UNIQUE]
Prior = Annotated[float, Meta(gt=0, lt=1)]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Tokens of one text that a model read, of those it has; `unread` are the passages that it did not read."""

    tokens_read: Offset
    tokens: Offset
    unread: tuple[Span, ...] = ()

    JSON: ClassVar = JsonFields("tokens_read tokens")


def unread_text(document: Document, name: str, title: str, coverage: Coverage) -> Iterator[SetAside]:
    """The words of a document beyond what a model reads, counted as text that was not compared; none without any.

    Args:
        name, title: of the model.
    """
    if coverage.tokens_read < coverage.tokens:
        words = round(document.words() * (1 - coverage.tokens_read / coverage.tokens))
        why = f"{title} reads {coverage.tokens_read:,} of the {coverage.tokens:,} tokens"
        yield SetAside(f"not read by {title}", words, why, model=name)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a mixture's score: `weight` times `value`, the score of the part."""

    name: Text
    weight: float
    value: float


@dataclass(frozen=True, slots=True)
class WordPart:
    """Part of a score owed to one word that both texts use; `a` and `b` are the first sentences that hold it."""

    word: Text
    part: float
    a: Span
    b: Span


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Mean loss of a score on this pair when 10, 25 and 50 % of the text are left out.

    Attributes:
        own: without the chunks with the greatest contributions.
        chance: without as much text, chosen at random.
    """

    own: float
    chance: float


@dataclass(frozen=True, slots=True)
class FitPairs(JsonObject):
    """The labelled pairs that a threshold and a calibration were fitted on.

    Attributes:
        pairs: their number.
        kinds: of documents; None for a profile, which has one kind or the corpora that it names.
        calibration_error: on kinds that were left out; None where no kind was.
    """

    pairs: Offset
    kinds: Offset | None = None
    calibration_error: Share | None = None

    JSON: ClassVar = JsonFields("pairs kinds calibration_error")


@dataclass(frozen=True, slots=True)
class Score(JsonObject):
    """Score of one model for one pair.

    Attributes:
        score: on the model's scale, named by `score_kind`.
        score_kind: the scale of score and threshold.
        probability: share of related pairs among labelled pairs of the profile with such a score, where `prior` of all
            pairs are related; None without a calibration.
        percentile: share of unrelated pairs of the background that score lower; None without a background.
        threshold: from validation; None without one.
        similar: whether the score reaches the threshold; None without one.
        profile: the profile that threshold, probability and percentile come from; `none` for a pair of no kind that has
            one, whose threshold depends on the pair; None where there is no threshold.
        levels: of the texts that the model's maps show.
        seconds: time for encoding and comparing this pair, without loading the model.
        read: the tokens of each text that the model read, in its tokens.
        parts: of a mixture: the sum of weight × value is the score.
        words: of a model that weighs words: those that both texts use and that add most to the score, the greatest
            first; a and b are the first sentences that hold them.
        prior: the share of related pairs that `probability` is for, 0.5 in the calibration; threshold and `similar` do
            not depend on it.
        corpora: the corpora that the profile was fitted on; empty without a profile, or where they are not recorded.
        fit: the pairs that threshold and probability were fitted on; None where they are not known.
        same_kind: the pair scores as unrelated documents of one kind do.
        says: the verdict in words, by the probability where there is one (`colde.results.verdicts.verdict_words`).
        no_verdict: why there is no threshold and no probability, as a clause; None where there is one.
        threshold_probability: of a score at the threshold, at the same prior; None without a calibration.
        faithfulness: how much of the score depends on what its contribution map shows; None where it was not measured.
    """

    name: Text
    title: Text
    score: float
    score_kind: ScoreKind
    probability: Share | None
    percentile: Share | None
    threshold: float | None
    similar: bool | None
    profile: str | None
    levels: Levels
    seconds: Seconds
    read_a: Coverage
    read_b: Coverage
    parts: tuple[ScorePart, ...] = ()
    words: tuple[WordPart, ...] = ()
    prior: Prior = BALANCED
    corpora: tuple[str, ...] = ()
    no_verdict: str | None = None
    threshold_probability: Share | None = None
    faithfulness: Faithfulness | None = None
    fit: FitPairs | None = None
    same_kind: bool = False

    JSON: ClassVar = JsonFields(
        "name title score score_kind probability prior percentile threshold similar same_kind says profile corpora fit "
        "no_verdict levels seconds read",
        optional="parts words faithfulness",
    )

    @property
    def read(self) -> dict[Letter, Coverage]:
        """What the model read of each text."""
        return {"a": self.read_a, "b": self.read_b}

    @property
    def says(self) -> Text:
        """The verdict in words, for the prior of the probability."""
        return label_of(self.probability, self.similar, same_kind=self.same_kind)

    @property
    def balanced(self) -> float | None:
        """The probability among as many related as unrelated pairs."""
        return None if self.probability is None else shift_prior(self.probability, BALANCED, self.prior)

    def at_prior(self, prior: float) -> Score:
        """Copy with the probability for another share of related pairs; ValueError unless 0 < prior < 1."""
        likely, limit = (
            None if p is None else shift_prior(p, prior, self.prior)
            for p in (self.probability, self.threshold_probability)
        )
        return replace(self, probability=likely, threshold_probability=limit, prior=prior)
