"""Progress of a long piece of work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from colde.results.similarity_map import SimilarityMap


class Stage(StrEnum):
    """Stage of the work, in words for the reader."""

    LOADING = "loading"
    REFERENCE = "reading the reference"
    WORDS = "counting words"
    CHUNKS = "reading chunks"
    SENTENCES = "reading sentences"
    DOCUMENTS = "reading documents"
    INDEXING = "indexing"
    SEARCHING = "searching"
    PAIRS = "matching pairs"
    COMPARING = "comparing"
    ENCODING = "encoding"
    PREPARING = "preparing"
    SPLITTING = "finding sentences"
    PRETRAINING = "pre-training"
    TRAINING = "training"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Provisional:
    """A model's score of the part of a pair that is read so far; the final score may differ.

    Attributes:
        score: on the model's scale.
        spread: standard deviation of the final score around it, measured on real pairs.
        read: share of the tokens that are read, the smaller one of both documents.
        threshold: of the final score; None where the model has none.
    """

    score: float
    spread: float
    read: float
    threshold: float | None = None

    @property
    def similar(self) -> bool | None:
        """Probable verdict of the final score; None without a threshold, or with one within two deviations."""
        if self.threshold is None or abs(self.score - self.threshold) < 2 * self.spread:
            return None
        return self.score >= self.threshold


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work: `done` of `total`, and maps that can be shown already.

    Attributes:
        stage: what is being done.
        done, total: how far it is, in steps of the stage.
        model: the model at work, by name; empty outside a comparison.
        subject: the corpus or file at work, where there are several.
        figures: intermediate measurements, for the reader.
        partial: maps of a pair that is still being encoded; values that are not known yet are NaN.
        provisional: the model's score so far; None where there is none yet.
    """

    stage: Stage
    done: int
    total: int
    model: str = ""
    subject: str = ""
    figures: str = ""
    partial: Mapping[str, SimilarityMap] = field(default_factory=dict)
    provisional: Provisional | None = None

    def __str__(self) -> str:
        """The step in words: `encoding acl`, `training, valid AUC 0.93`."""
        what = f"{self.stage.value} {self.subject}".strip()
        return f"{what}, {self.figures}" if self.figures else what


OnProgress = Callable[[Progress], None]
"""Called often from the working thread; raise `colde.errors.Cancelled` in it to stop the work."""


def ignore_progress(progress: Progress) -> None:
    """Reports to nobody."""


def named(name: str, on_progress: OnProgress) -> OnProgress:
    """Progress that names the model at work."""

    def report(progress: Progress) -> None:
        on_progress(replace(progress, model=name))

    return report
