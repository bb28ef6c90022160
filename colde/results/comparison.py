"""A finished comparison of two documents, and the JSON file it becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colde.results.evidence import Evidence
from colde.results.maps import SimilarityMap
from colde.results.score import Score
from colde.text.document import Chunk, Document

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two documents, every model's score, maps by model and name, evidence best first.

    Attributes:
        a, b: the documents.
        chunks_a, chunks_b: the default model's chunks; maps over chunks have these as rows and columns.
        results: one Score a model, in the order asked for; the first is the default for verdict and view.
        maps: model name → map name → SimilarityMap.
        evidence: of all models, best first within a model, the default model's first.
        timing: seconds for read, load, encode, compare and total.
        profile: the profile asked for.
        reference: the documents it was judged against instead, for the reader, or None.
        runtime: what encoders ran on: library, precision, threads; None where no model has one.
    """

    a: Document
    b: Document
    chunks_a: tuple[Chunk, ...]
    chunks_b: tuple[Chunk, ...]
    results: tuple[Score, ...]
    maps: Mapping[str, Mapping[str, SimilarityMap]]
    evidence: tuple[Evidence, ...]
    timing: Mapping[str, float]
    profile: str = "general"
    reference: str | None = None
    runtime: str | None = None

    @property
    def scores(self) -> pd.DataFrame:
        """One row a model: name, score, score_kind, probability, percentile, threshold, similar, seconds."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "name": s.name,
                    "score": s.score,
                    "score_kind": s.score_kind,
                    "probability": s.probability,
                    "percentile": s.percentile,
                    "threshold": s.threshold,
                    "similar": s.similar,
                    "seconds": s.seconds,
                }
                for s in self.results
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """The `colde compare --json` object (docs/schema/comparison.schema.json)."""
        return {
            "version": VERSION,
            "profile": self.profile,
            "reference": self.reference,
            "documents": {"a": _document(self.a, self.chunks_a), "b": _document(self.b, self.chunks_b)},
            "models": [s.to_dict() for s in self.results],
            "maps": {
                model: {name: m.to_dict() for name, m in maps.items()} for model, maps in self.maps.items()
            },
            "evidence": [e.to_dict() for e in self.evidence],
            "timing": dict(self.timing),
            "runtime": self.runtime,
        }

    def to_json(self) -> str:
        """`to_dict` as strict JSON (no NaN)."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)


def _document(document: Document, chunks: Sequence[Chunk]) -> dict[str, Any]:
    """The DOC of the JSON file: every section, in reading order; those set aside have a role and no chunks."""
    by_section: dict[int, list[int]] = {}
    for i, chunk in enumerate(chunks):
        by_section.setdefault(chunk.section, []).append(i)
    return {
        "title": document.title,
        "source": document.source,
        "text": document.text,
        "sections": [
            {
                "heading": s.heading,
                "level": s.level,
                "start": s.start,
                "end": s.end,
                "role": s.role,
                "chunks": by_section.get(i, []),
            }
            for i, s in enumerate(document.sections)
        ],
        "chunks": [
            {"section": c.section, "start": c.start, "end": c.end, "tokens": c.tokens} for c in chunks
        ],
        "sentences": [{"start": s.start, "end": s.end} for _, s in document.sentences()],
    }
