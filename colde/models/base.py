"""What every model of this program is: a `Matcher`. The app and the command line know nothing else of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from colde.document import Document
from colde.similarity import Encoding, Evidence, ScoreKind, SimilarityMap


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work: `done` of `total`, and maps that can be shown already.

    `partial` holds maps of a pair that is still being encoded; what is not known yet is NaN.
    """

    stage: str
    done: int
    total: int
    partial: Mapping[str, SimilarityMap] = field(default_factory=dict)


OnProgress = Callable[[Progress], None]
"""Called often from the working thread; raise `colde.errors.Cancelled` in it to stop the work."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a model says of itself without being loaded: one line of the registry.

    Attributes:
        name: as in commands and files, e.g. `colde`, `smith:np`.
        title: as people call it, e.g. `CoLDE`.
        source: the paper or method it comes from.
        levels: what it explains, of `document section chunk sentence word`.
        score_kind: the scale of its score.
        score_means: one sentence: what the score says and what it does not.
        needs_training: False for scores that need none (they have thresholds all the same).
        symmetric: whether compare(a, b) equals compare(b, a).
        cost: `instant` models need no encoder and run first; `slow` ones stand last.
        explains: one sentence: where the model's maps and evidence come from.
    """

    name: str
    title: str
    source: str
    levels: tuple[str, ...]
    score_kind: ScoreKind
    score_means: str
    needs_training: bool = True
    symmetric: bool = True
    cost: Literal["instant", "fast", "slow"] = "fast"
    explains: str = ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling: probability = 1 / (1 + exp(−(slope · score + offset))), fitted on validation pairs.

    Attributes:
        log_odds: the score is a probability and its log-odds are scaled instead, as Platt scales the output before
            the sigmoid; slope 1 and offset 0 leave it as it is.
    """

    slope: float
    offset: float
    log_odds: bool = False


GENERAL = "general"
"""The profile of all kinds of documents together."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What counts as similar among documents of one kind.

    Attributes:
        name: general, papers, encyclopedia, proposals or textbooks.
        threshold: a pair is called similar when its score reaches this; from validation.
        calibration: score to probability; from validation.
        quantiles: 101 quantiles of the scores of unrelated pairs of such documents, rising.
        spread: standard deviation of those scores; 0 where it is not known.
        relative: the threshold in units of the spread, for documents judged against a reference of their own.
        measured: validation figures: accuracy, f1, auc, ece, pairs.
    """

    name: str
    threshold: float
    calibration: Calibration | None = None
    quantiles: tuple[float, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)
    spread: float = 0.0
    relative: float | None = None


@dataclass(frozen=True, slots=True)
class Background:
    """What is usual among documents of one kind, measured on a reference folder instead of a profile's corpus.

    Attributes:
        name: for the reader, e.g. the folder's name.
        documents: how many it was measured on.
        spread: standard deviation of the scores of their random pairs.
        quantiles: 101 quantiles of these scores, rising.
    """

    name: str
    documents: int
    spread: float
    quantiles: tuple[float, ...]


@runtime_checkable
class Matcher(Protocol):
    """A model that encodes documents one by one and compares encodings.

    A vector of a document never depends on its partner. Deterministic.
    """

    card: Card
    profiles: Mapping[str, Profile]  # empty until they are fitted

    @property
    def parameters(self) -> int:
        """Number of trained numbers in the model, the encoder included."""
        ...

    def encode(
        self,
        documents: Sequence[Document],
        *,
        explain: bool = True,
        on_progress: OnProgress | None = None,
    ) -> list[Encoding]:
        """What the model knows of each document; without `explain` only what `compare` needs."""
        ...

    def compare(self, a: Encoding, b: Encoding) -> float:
        """The score of a pair, on the scale of `card.score_kind`."""
        ...

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Every matrix the model declares, by name: `section`, `chunk`, `passages`, `sentence`, `within_a_chunk` …"""
        ...

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Passages that carry the similarity, best first."""
        ...

    def save(self, folder: Path) -> None:
        """Write a checkpoint: config.json, model.safetensors where there are weights, no pickle."""
        ...


@runtime_checkable
class Adapting(Protocol):
    """A matcher whose score depends on what the documents are judged against."""

    def within(self, profile: str, reference: Sequence[Encoding] = ()) -> Matcher:
        """The same model for documents of a profile; with `reference`, centred on these documents instead."""
        ...
