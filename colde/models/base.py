"""The protocol of every model: a `Matcher`. The app and the command line know nothing else of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from colde.judge.calibration import Profile
from colde.results.encoding import Encoding
from colde.results.model_score import ScoreKind
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array, Level, SimilarityMap
from colde.text.document import Document

Cost = Literal["instant", "fast", "slow"]
PAPERS = ("CoLDE", "SMITH", "SMASH RNN", "Match-Ignition")
"""The papers whose models and baselines are here, as people call them."""


@dataclass(frozen=True, slots=True)
class Card:
    """Description of a model that is known without loading it.

    Attributes:
        name: as in commands and files, e.g. `colde`, `smith:np`.
        title: as people call it, e.g. `CoLDE`.
        source: the paper or method it comes from.
        levels: what it explains, of `document section chunk sentence word`.
        score_kind: the scale of its score.
        score_means: one sentence: what the score says and what it does not.
        needs_training: False for scores that need none (they have thresholds all the same).
        symmetric: whether match(a, b) and match(b, a) give the same score.
        cost: time for a pair; `instant` models need no encoder and run first, `slow` ones run last.
        encoder: whether it reads by the packaged encoder as it came, which is loaded with it.
        explains: one sentence: where the model's maps and evidence come from.
        tables: the papers in whose tables of results it stands, of `PAPERS`.
        languages: ISO 639-1 codes of the languages it reads; empty for a model that counts words of any language.
        noise: by level, the standard deviation of its topic map with random numbers for weights; a map that varies less
            says nothing.
    """

    name: str
    title: str
    source: str
    levels: tuple[str, ...]
    score_kind: ScoreKind
    score_means: str
    needs_training: bool = True
    symmetric: bool = True
    cost: Cost = "fast"
    encoder: bool = False
    explains: str = ""
    tables: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en",)
    noise: Mapping[Level, float] = field(default_factory=dict)


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
        """Encode each document; without `explain` only what a score needs."""
        ...

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score of a pair, and with `explain` every map and the evidence the model declares.

        Each part is computed once. Without `explain`, `maps` and `evidence` are empty.
        """
        ...

    def save(self, folder: Path) -> None:
        """Write a checkpoint: config.json, model.safetensors where there are weights, no pickle."""
        ...


@runtime_checkable
class ProfileAware(Protocol):
    """A matcher whose score depends on what the documents are judged against."""

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Matcher:
        """Adapt the model to documents of a profile; with `reference`, centre it on these documents instead."""
        ...


@runtime_checkable
class WordByWord(Protocol):
    """A matcher that takes a cell of its `contribution_sentence` apart over pairs of words."""

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Map of what each pair of words adds in this cell; values and residual add up to it.

        Args:
            a, b: encoded with `explain`; row, column: of the cell.
        """
        ...


@runtime_checkable
class Storable(Protocol):
    """A matcher of whose encodings an index keeps what a score needs, beside the vectors of all levels."""

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """Arrays by name that `match(…, explain=False)` needs of an encoding."""
        ...

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for `match(…, explain=False)`, from what `condense` gave.

        Raises:
            ValueError: an array is missing or damaged; nothing of a file is used unchecked as a place in memory.
        """
        ...


COSTS: tuple[Cost, ...] = ("instant", "fast", "slow")
"""The order in which models run."""
