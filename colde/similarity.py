"""What a comparison yields: scores, maps, evidence, and what of each text a model has read.

Plain values. Nothing here knows a model, a page or a file format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from colde.document import Chunk, Document, Span

Array = NDArray[np.float32]
MapKind = Literal["cosine", "attention", "attribution", "term weight"]
ScoreKind = Literal["cosine", "probability", "share"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How much of one text a model saw, in its own tokens; `unread` are the passages it did not see."""

    tokens_read: int
    tokens: int
    unread: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """What a model knows of one document, independent of any partner.

    Attributes:
        document: the document itself.
        vector: [dimension], L2-normalised, or None for a model without document vectors.
        sections: [sections compared, dimension] or None; `section_spans` has the same order.
        chunks: [chunks, dimension] or None; `chunk_spans` has the same order.
        arrays: whatever else the model needs to compare and explain, by name.
        reading: how much of the document went in.
    """

    document: Document
    reading: Reading
    vector: Array | None = None
    sections: Array | None = None
    chunks: Array | None = None
    section_spans: tuple[Span, ...] = ()
    chunk_spans: tuple[Chunk, ...] = ()
    arrays: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class SimilarityMap:
    """A matrix over two lists of passages.

    Attributes:
        values: [rows, columns], float32; NaN where a value does not exist.
        rows, columns: the passages; rows belong to document a, columns to b
            (to the same document in maps whose name begins with `within_a_`, `within_b_`).
        kind: which scale the values are on; scales of different kinds are never shared.
        meaning: one sentence for the reader: what a high value says, and what it does not.
    """

    values: Array
    rows: tuple[Span, ...]
    columns: tuple[Span, ...]
    kind: MapKind
    meaning: str

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.rows), len(self.columns)):
            raise ValueError(
                f"a map of {len(self.rows)} × {len(self.columns)} passages needs values of that shape, "
                f"got {self.values.shape}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The MAP of the JSON file: values as lists, a missing value as None."""
        return {
            "values": [[None if np.isnan(v) else round(float(v), 6) for v in row] for row in self.values],
            "rows": [{"start": s.start, "end": s.end} for s in self.rows],
            "columns": [{"start": s.start, "end": s.end} for s in self.columns],
            "kind": self.kind,
            "meaning": self.meaning,
        }


@dataclass(frozen=True, slots=True)
class Score:
    """One model's answer for one pair.

    Attributes:
        score: on the model's own scale, named by `score_kind`.
        probability: calibrated on labelled pairs of the profile, in [0, 1]; None without a calibration.
        percentile: share of unrelated pairs of the background that score lower, in [0, 1]; None without one.
        threshold: from validation; None without one.
        similar: whether the score reaches the threshold; None without one.
        profile: the profile that threshold, probability and percentile come from.
        seconds: time for encoding and comparing this pair, without loading the model.
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
    read_a: Reading
    read_b: Reading

    def to_dict(self) -> dict[str, Any]:
        """An entry of `models` in the JSON file."""

        def read(r: Reading) -> dict[str, int]:
            return {"tokens_read": r.tokens_read, "tokens": r.tokens}

        return {
            "name": self.name,
            "title": self.title,
            "score": self.score,
            "score_kind": self.score_kind,
            "probability": self.probability,
            "percentile": self.percentile,
            "threshold": self.threshold,
            "similar": self.similar,
            "profile": self.profile,
            "levels": list(self.levels),
            "seconds": self.seconds,
            "read": {"a": read(self.read_a), "b": read(self.read_b)},
        }


@dataclass(frozen=True, slots=True)
class Passage(Span):
    """A span with what a reader needs to find it: its section's heading and its page."""

    section: str | None = None
    page: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "section": self.section, "page": self.page}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Two passages that carry a model's similarity; `kind` says how they are alike (verbatim, reworded …)."""

    model: str
    a: Passage
    b: Passage
    weight: float
    kind: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "weight": self.weight,
            "kind": self.kind,
        }
