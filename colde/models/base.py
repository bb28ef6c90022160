"""The protocol of every model, `Matcher`: all that the app and the command line use of a model."""

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
"""The papers whose models and baselines are implemented."""


@dataclass(frozen=True, slots=True)
class Card:
    """Description of a model, known without loading it.

    Attributes:
        name: in commands and files, e.g. `colde`, `smith:np`.
        title: for people, e.g. `CoLDE`.
        source: its paper or method.
        levels: the levels it explains, of `document section chunk sentence word`.
        score_kind: the scale of its score.
        score_means: what the score means and what it does not, for the reader.
        needs_training: False for scores without trained weights, which have thresholds, too.
        symmetric: whether match(a, b) and match(b, a) give the same score.
        cost: time for a pair; `instant` models need no encoder and run first, `slow` ones run last.
        encoder: whether it uses the frozen packaged encoder, which is then loaded with it.
        explains: where the model's maps come from, for the reader.
        tables: the papers of `PAPERS` whose tables of results have it.
        languages: ISO 639-1 codes of the languages it reads; empty for a model that counts words of any language.
        noise: by level, the standard deviation of its topic map with random weights; a map that varies less carries no
            information.
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
    """A model that encodes documents and compares encodings; deterministic.

    The vectors of a document never depend on the document that it is compared with.
    """

    card: Card
    profiles: Mapping[str, Profile]  # empty until they are fitted

    @property
    def parameters(self) -> int:
        """Number of parameters, those of the encoder included."""
        ...

    def encode(
        self,
        documents: Sequence[Document],
        *,
        explain: bool = True,
        on_progress: OnProgress | None = None,
    ) -> list[Encoding]:
        """Encode each document; without `explain` only as far as a score needs it."""
        ...

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score of a pair, and with `explain` every map of the model."""
        ...

    def save(self, folder: Path) -> None:
        """Write a checkpoint: config.json, model.safetensors where there are weights, no pickle."""
        ...


@runtime_checkable
class ProfileAware(Protocol):
    """A matcher whose score depends on the profile."""

    def for_profile(self, profile: str, reference: Sequence[Encoding] = ()) -> Matcher:
        """A model for documents of a profile; with `reference`, for documents like these."""
        ...


@runtime_checkable
class EncoderAware(Protocol):
    """A matcher over the vectors of an encoder, which another encoder may replace."""

    def for_encoder(self, name: str) -> Matcher:
        """A model over the encoder of this name (`colde.encoders.encoders_by_name.shared_encoder`), or this one.

        Raises:
            ModelError, MissingExtraError: there is no such encoder.
        """
        ...


@runtime_checkable
class WordByWord(Protocol):
    """A matcher that splits a cell of its `contribution_sentence` map over pairs of words."""

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Contributions of pairs of words to this cell, which is the sum of values and residual.

        Args:
            a, b: encoded with `explain`; row, column: of the cell.
        """
        ...


@runtime_checkable
class Storable(Protocol):
    """A matcher whose encodings an index stores as arrays, as far as a score needs them."""

    def condense(self, encoding: Encoding) -> Mapping[str, Array]:
        """The arrays of an encoding that `match(…, explain=False)` needs, by name."""
        ...

    def restore(self, arrays: Mapping[str, Array]) -> Encoding:
        """An encoding for `match(…, explain=False)`, from the arrays of `condense`.

        Raises:
            ValueError: an array is missing or damaged; no number of a file is used as an index unchecked.
        """
        ...


COSTS: tuple[Cost, ...] = ("instant", "fast", "slow")
"""The order in which models run."""
