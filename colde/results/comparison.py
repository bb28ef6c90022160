"""A finished comparison of two documents, and the JSON file it becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from colde.results.change import Change
from colde.results.faithfulness import Faithfulness
from colde.results.json_text import json_pieces
from colde.results.match import Match
from colde.results.model_score import Coverage, Score
from colde.results.prior import BALANCED
from colde.results.review_decisions import Decisions
from colde.results.shared_text import SentenceMatches, SharedText
from colde.results.similarity_map import Letter, SimilarityMap
from colde.text.document import Chunk, Document
from colde.text.set_aside import SetAside, reading_warnings, set_aside

if TYPE_CHECKING:
    import pandas as pd

VERSION = 1
TOO_LONG = (
    "the two texts are too long for the search for shared text: no share and no shared passage was counted"
)


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
        prior: the share of related pairs that every probability is for.
        sentences: the matching sentences of the two texts; None while models run.
        shared: how much of each text is identical, edited, paraphrased; None while models run, and for texts that are
            too long.
        changes: differences between the two texts, most important first.
        runtime: what encoders ran on: library, precision, threads; None where no model has one.
        worth: by model, what its account of the score is worth on this pair; of those that were asked for it.
        review: what a reviewer decided about this pair; None where nobody reviewed it. Every export contains it.
    """

    a: Document
    b: Document
    chunks_a: tuple[Chunk, ...]
    chunks_b: tuple[Chunk, ...]
    results: tuple[Score, ...]
    maps: Mapping[str, Mapping[str, SimilarityMap]]
    evidence: tuple[Match, ...]
    timing: Mapping[str, float]
    profile: str = "general"
    reference: str | None = None
    prior: float = BALANCED
    sentences: SentenceMatches | None = None
    shared: SharedText | None = None
    changes: tuple[Change, ...] = ()
    runtime: str | None = None
    faithfulness: Mapping[str, Faithfulness] = field(default_factory=dict)
    review: Decisions | None = None

    def at_prior(self, prior: float) -> Self:
        """Copy with probabilities for another share of related pairs; nothing is compared again.

        Raises:
            ValueError: a prior that is not between 0 and 1.
        """
        return replace(self, results=tuple(s.at_prior(prior) for s in self.results), prior=prior)

    @property
    def scores(self) -> pd.DataFrame:
        """One row a model: name, score, score_kind, probability, prior, percentile, threshold, similar, seconds."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "name": s.name,
                    "score": s.score,
                    "score_kind": s.score_kind,
                    "probability": s.probability,
                    "prior": s.prior,
                    "percentile": s.percentile,
                    "threshold": s.threshold,
                    "similar": s.similar,
                    "seconds": s.seconds,
                }
                for s in self.results
            ]
        )

    @property
    def set_aside(self) -> dict[Letter, tuple[SetAside, ...]]:
        """The text of each document that was not compared, or not counted as shared, by kind."""
        left_out = self.shared.left_out if self.shared is not None else ()
        return {
            "a": (*set_aside(self.a, left_out), *_not_read(self.a, [(s, s.read_a) for s in self.results])),
            "b": (*set_aside(self.b, left_out), *_not_read(self.b, [(s, s.read_b) for s in self.results])),
        }

    @property
    def warnings(self) -> dict[Letter, tuple[str, ...]]:
        """What a reader of the results must know of each document: pages without text, most of it set aside."""
        pair = (TOO_LONG,) if self.sentences is not None and self.shared is None else ()
        return {"a": (*reading_warnings(self.a), *pair), "b": (*reading_warnings(self.b), *pair)}

    def to_dict(self) -> dict[str, Any]:
        """The `colde compare --json` object (docs/schema/comparison.schema.json)."""
        return self._with_maps(SimilarityMap.to_dict)

    def _with_maps(self, map_dict: Callable[[SimilarityMap], dict[str, Any]]) -> dict[str, Any]:
        return {
            "version": VERSION,
            "profile": self.profile,
            "reference": self.reference,
            "documents": {
                "a": document_dict(self.a, self.chunks_a),
                "b": document_dict(self.b, self.chunks_b),
            },
            "set_aside": {side: [item.to_dict() for item in items] for side, items in self.set_aside.items()},
            "warnings": {side: list(lines) for side, lines in self.warnings.items()},
            "models": [s.to_dict() | self._faithfulness_of(s.name) for s in self.results],
            "maps": {
                model: {name: map_dict(m) for name, m in maps.items()} for model, maps in self.maps.items()
            },
            "evidence": [e.to_dict() for e in self.evidence],
            "timing": dict(self.timing),
            "shared": None if self.shared is None else self.shared.to_dict(),
            "split": None if self.shared is None else self.shared.split(),
            "changes": [c.to_dict() for c in self.changes],
            "runtime": self.runtime,
            "review": None if self.review is None else self.review.to_dict(),
        }

    def _faithfulness_of(self, model: str) -> dict[str, Any]:
        found = self.faithfulness.get(model)
        return {} if found is None else {"worth": found.to_dict()}

    def json_pieces(self) -> Iterator[str]:
        """`to_json` in pieces: the maps of two long documents take gigabytes as lists and as one text."""
        return json_pieces(self._with_maps(lambda m: m.with_values(m.value_rows())))

    def to_json(self) -> str:
        """`to_dict` as strict JSON (no NaN)."""
        return "".join(self.json_pieces())


def _not_read(document: Document, readings: Iterable[tuple[Score, Coverage]]) -> Iterator[SetAside]:
    """The words of a document beyond what a model reads, for each model with such a limit."""
    for score, read in readings:
        if read.tokens_read < read.tokens:
            words = round(document.words() * (1 - read.tokens_read / read.tokens))
            why = f"{score.title} reads {read.tokens_read:,} of the {read.tokens:,} tokens"
            yield SetAside(f"not read by {score.title}", words, why, model=score.name)


def document_dict(document: Document, chunks: Sequence[Chunk]) -> dict[str, Any]:
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
