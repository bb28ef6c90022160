"""How far a long piece of work has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from colde.results.maps import SimilarityMap


class Stage(StrEnum):
    """What is being done, as a reader would say it."""

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
    SCORING = "scoring"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work: `done` of `total`, and maps that can be shown already.

    Attributes:
        stage: what is being done.
        done, total: how far it is, in steps of the stage.
        model: the model at work, by name; empty outside a comparison.
        subject: what it is done to, where there are several: a corpus, the member of an ensemble.
        figures: what was measured on the way, for the reader.
        partial: maps of a pair that is still being encoded; what is not known yet is NaN.
    """

    stage: Stage
    done: int
    total: int
    model: str = ""
    subject: str = ""
    figures: str = ""
    partial: Mapping[str, SimilarityMap] = field(default_factory=dict)

    def __str__(self) -> str:
        """The step in words: `encoding acl`, `training, valid AUC .93`."""
        what = f"{self.stage.value} {self.subject}".strip()
        return f"{what}, {self.figures}" if self.figures else what


OnProgress = Callable[[Progress], None]
"""Called often from the working thread; raise `colde.errors.Cancelled` in it to stop the work."""
