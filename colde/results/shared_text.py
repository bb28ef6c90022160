"""Shared text: shares of each document that are identical, edited, paraphrased, or only on the same topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from colde.results.piece_similarity import ReadPieces
from colde.results.seeds import Seeds
from colde.results.similarity_map import Letter
from colde.serialise import UNIQUE, Count, JsonFields, JsonObject, Offset, Share
from colde.text.document import Span

PassageKind = Literal["identical", "edited", "paraphrased", "translated", "opposite", "same topic"]
KINDS: tuple[PassageKind, ...] = get_args(PassageKind)
Label = Literal[PassageKind, "standard"]
"""How a word counts: under the kind of its passage, or as standard text that both texts have."""
LABELS: tuple[Label, ...] = (*KINDS, "standard")
ONE_LANGUAGE: tuple[PassageKind, ...] = tuple(kind for kind in KINDS if kind != "translated")
"""The kinds that are searched in two texts of one language."""
SAME_MEANING: tuple[PassageKind, ...] = ("identical", "edited", "paraphrased", "translated")
"""The kinds of passages that say the same."""
SplitName = Literal["identical", "edited", "paraphrased", "same_topic", "standard", "rest"]
SPLIT_NAMES: Mapping[Label, SplitName] = {
    "identical": "identical",
    "edited": "edited",
    "paraphrased": "paraphrased",
    "translated": "paraphrased",
    "opposite": "same_topic",
    "same topic": "same_topic",
    "standard": "standard",
}
"""Names of the labels in the `split` of the JSON file."""
REST: SplitName = "rest"
Exclusion = Literal["quotes", "references", "boilerplate", "small"]
EXCLUSIONS: tuple[Exclusion, ...] = get_args(Exclusion)
"""Kinds of passage that can be left out of the count."""
SENTENCE_ENCODER = "minilm"
"""The encoder whose sentence vectors are compared."""
VERSIONS = 0.5
"""Share of the words of one text that is identical or edited, from which the two are versions."""
DIGITS = 4
"""Decimals of a share in the JSON file."""
Split = Mapping[Letter, Mapping[SplitName, Share]]
"""The shares of each text by kind, which add up to 1."""


@dataclass(frozen=True, slots=True)
class SentenceMatch:
    """A sentence of each text, and how they match.

    Attributes:
        kind: edited, paraphrased, translated (in two languages), opposite (about the same matter, with statements that
            disagree) or same topic.
        certainty: probability that the kind is right, in [0, 1].
    """

    kind: PassageKind
    a: Span
    b: Span
    certainty: float


@dataclass(frozen=True, slots=True)
class SentenceMatches:
    """All matching sentences of two texts, the same for every model.

    Attributes:
        searched: the kinds that were searched.
        reason: why the others were not, as a sentence; empty where all were.
        pairs: number of pairs of sentences that were compared.
        too_long: whether the texts have too many pairs of sentences to be searched.
        seeds: pairs of sentences that may say the same, from which passages are joined.
        unequal: of each text, words that the other has with other signs, capitals or spaces; they are edited, not
            identical.
        similarity, cosine: [sentences a, sentences b], of words and meaning together, and of meaning alone; None where
            the words cannot be compared, or there are too many.
        read_pieces: reads the word pieces of texts with the encoder that gave the cosines; None where they are None.
    """

    matches: tuple[SentenceMatch, ...]
    searched: tuple[PassageKind, ...] = ONE_LANGUAGE[1:]
    reason: str = ""
    pairs: int = 0
    too_long: bool = False
    seeds: Seeds = field(default_factory=Seeds.none)
    unequal: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())
    similarity: NDArray[np.float16] | None = field(default=None, compare=False)
    cosine: NDArray[np.float16] | None = field(default=None, compare=False)
    read_pieces: ReadPieces | None = field(default=None, compare=False)

    @property
    def corresponding(self) -> tuple[SentenceMatch, ...]:
        """The matches whose sentences correspond and differ, in one language."""
        return tuple(m for m in self.matches if m.kind in ("edited", "paraphrased", "opposite"))


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence or run of words of each side of a passage, and how they match."""

    kind: PassageKind
    a: Span
    b: Span


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """A word of each side of a passage that matches the other; `weight` is their cosine."""

    a: Span
    b: Span
    weight: float


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """A passage of each text that the two share, with what makes it up.

    Attributes:
        kind: of most of its words.
        words: of each side.
        certainty: mean probability of its parts, in [0, 1].
        standard: whether it is standard text, such as the general provisions of an agreement.
        parts: pairs of sentences, and identical runs of words, in reading order of a.
        aligned: matching words of parts in other words; known of the first such parts only.
    """

    kind: PassageKind
    a: Span
    b: Span
    words: Mapping[Letter, Count]
    certainty: Share
    standard: bool = False
    parts: tuple[Part, ...] = ()
    aligned: tuple[AlignedWords, ...] = ()

    JSON: ClassVar = JsonFields("kind a b words certainty standard parts", digits={"certainty": DIGITS})

    @property
    def label(self) -> Label:
        """What its words count as."""
        return "standard" if self.standard else self.kind


@dataclass(frozen=True, slots=True)
class ClosestPair:
    """Two sentences that are close and do not count as shared; `certainty`: probability that they say the same."""

    a: Span
    b: Span
    certainty: Share

    JSON: ClassVar = JsonFields("a b certainty", digits={"certainty": DIGITS})


@dataclass(frozen=True, slots=True)
class Stretch(Span):
    """A part of a text whose words are of one kind; no passage and no quotation begins or ends inside it.

    Attributes:
        kind: or `standard`; None for words that are not shared.
        words: number of words, where a character of a script without spaces is half a word.
        quoted: whether it lies in a quotation.
    """

    kind: Label | None
    words: float
    quoted: bool


@dataclass(frozen=True, slots=True)
class KindShares:
    """The shares of the words of each text that are of a kind, or standard text.

    Attributes:
        a, b: the shares; of `identical`, runs of at least six words in shared passages.
        passages: number of passages of the kind.
    """

    kind: Label
    a: Share
    b: Share
    passages: Offset

    JSON: ClassVar = JsonFields("kind a b passages", digits={"a": DIGITS, "b": DIGITS})


@dataclass(frozen=True, slots=True)
class SharedText(JsonObject):
    """Shares of the words of each text by kind; every word is counted once, under the strongest kind.

    Attributes:
        a, b: the share of the counted words of each text, by label, in [0, 1].
        words_a, words_b: words that were counted, as `Document.words` counts them.
        words: words of each text that were counted.
        passages: those that say the same first, then by kind; the longest first.
        closest: the closest sentences that lie in no passage, the most certain first.
        left_out: what was not counted.
        searched: the kinds that were searched.
        by: the encoder whose sentence vectors were compared, whatever model is chosen; None: only runs of words were.
        kinds: the shares of each kind.
        not_searched: a sentence on the kinds that were not searched, and why; None where all were.
        stretches: the counted words of each text in stretches, from which a page counts the shares again without some
            passages.
    """

    a: Mapping[Label, float]
    b: Mapping[Label, float]
    words_a: int
    words_b: int
    passages: tuple[SharedPassage, ...]
    closest: tuple[ClosestPair, ...] = ()
    left_out: Annotated[tuple[Exclusion, ...], UNIQUE] = ()
    searched: tuple[PassageKind, ...] = ONE_LANGUAGE
    not_searched: str | None = None
    stretches: Mapping[Letter, tuple[Stretch, ...]] = field(default_factory=dict)

    JSON: ClassVar = JsonFields("by left_out not_searched words kinds passages closest")

    @property
    def by(self) -> str | None:
        """The encoder whose sentence vectors were compared; None where only runs of words were."""
        return SENTENCE_ENCODER if len(self.searched) > 1 else None

    @property
    def words(self) -> dict[Letter, Offset]:
        """Words of each text that were counted."""
        return {"a": self.words_a, "b": self.words_b}

    @property
    def kinds(self) -> tuple[KindShares, ...]:
        """The shares of each label, in the order of `LABELS`; translations only where they were searched."""
        labels = (k for k in LABELS if k != "translated" or k in self.searched)
        return tuple(KindShares(k, self.a[k], self.b[k], len(self.of(k))) for k in labels)

    def of(self, label: Label) -> tuple[SharedPassage, ...]:
        """The passages of a kind that are not standard text, or those that are."""
        return tuple(p for p in self.passages if p.label == label)

    @property
    def are_versions(self) -> bool:
        """Whether most words of one of the texts are in the other, identical or edited."""
        return max(self.same_words("a"), self.same_words("b")) >= VERSIONS

    def same_words(self, side: Letter) -> float:
        """The share of a text that is in the other, identical or edited, in [0, 1]."""
        shares = self.a if side == "a" else self.b
        return shares["identical"] + shares["edited"]

    def rest(self, side: Letter) -> float:
        """The share of a text that is of none of the kinds, in [0, 1]."""
        return max(0.0, 1.0 - sum((self.a if side == "a" else self.b).values()))

    def split(self) -> Split:
        """`split` of the JSON file: shares of each text that add up to 1."""
        return {"a": _split(self.a), "b": _split(self.b)}


def _split(shares: Mapping[Label, float]) -> dict[SplitName, Share]:
    split = dict.fromkeys(SPLIT_NAMES.values(), 0.0)
    for label in LABELS:
        split[SPLIT_NAMES[label]] += shares[label]
    rounded = {name: round(share, DIGITS) for name, share in split.items()}
    return rounded | {REST: round(max(0.0, 1.0 - sum(rounded.values())), DIGITS)}
