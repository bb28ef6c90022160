"""Many documents compared with each other, and the JSON file that becomes of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from colde.errors import ReadError
from colde.results.comparison import VERSION, document_dict
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document
from colde.text.set_aside import reading_warnings, set_aside

SAME_TEXT = 0.8
"""Share of the shorter text that stands in the other, from which on two documents count as nearly the same."""

MIN_REPORTED_SHARE = 0.02  # a smaller share may be chance


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two documents are alike.

    Attributes:
        shared: share of the shorter text's runs of five words that stand in the other, in [0, 1].
        sections: headings of the two sections that are nearest; None where a model has none, or they have no heading.
        words: that both use and few others do, most telling first.
    """

    shared: float
    sections: tuple[str, str] | None
    words: tuple[str, ...]

    def __str__(self) -> str:
        """The reason in words."""
        clauses = []
        if self.shared >= SAME_TEXT:
            clauses.append(
                f"nearly the same text: {100 * self.shared:.0f} % of the shorter one stands in the other"
            )
        elif self.shared >= MIN_REPORTED_SHARE:
            clauses.append(f"{100 * self.shared:.0f} % of the shorter text stands in the other word for word")
        if self.sections is not None:
            clauses.append(f"closest sections: “{self.sections[0]}” and “{self.sections[1]}”")
        if self.words:
            clauses.append(f"both use {', '.join(self.words)}")
        return "; ".join(clauses) or "alike as a whole, in no single part"


@dataclass(frozen=True, slots=True)
class StrongPair:
    """Two documents by their number, their score by the first model, and why they are alike.

    Attributes:
        no_verdict: why there is no probability, as a clause; empty where there is one.
    """

    a: int
    b: int
    score: float
    probability: float | None
    reason: Reason
    no_verdict: str = ""

    @property
    def why(self) -> str:
        """Why the two are alike, and why there is no probability where there is none."""
        return f"{self.reason}; no verdict: {self.no_verdict}" if self.no_verdict else str(self.reason)

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "score": self.score,
            "probability": self.probability,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Some documents, every model's score of each pair, clusters, and the strongest pairs with their reasons.

    Attributes:
        documents: in the order in which they were given.
        chunks: of each document, as in a Comparison.
        scores: model name → [documents, documents]; row by column, the first model's first.
        threshold: of the first model in the profile; None without one.
        corpora: the corpora this threshold was fitted on; empty where they are not recorded.
        no_verdict: why there is no threshold, as a clause; empty where there is one.
        unread_languages: numbers of the documents in a language that the threshold does not hold for. Pairs with one
            of them, and pairs in two languages, are in one cluster only if they are nearly the same text.
        clusters: numbers of documents, each in one cluster; in the order of the tree, so that neighbours are alike.
        merges: [documents − 1, 4], the tree as scipy's linkage has it; its heights are 1 − score.
        duplicates: groups of documents of nearly the same text.
        pairs: by the first model's score, best first.
        unread: what was skipped, and why.
    """

    documents: tuple[Document, ...]
    chunks: tuple[tuple[Chunk, ...], ...]
    scores: Mapping[str, Array]
    threshold: float | None
    clusters: tuple[tuple[int, ...], ...]
    merges: Array
    duplicates: tuple[tuple[int, ...], ...]
    pairs: tuple[StrongPair, ...]
    unread: tuple[ReadError, ...] = ()
    profile: str = "general"
    corpora: tuple[str, ...] = ()
    no_verdict: str = ""
    unread_languages: tuple[int, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order asked for."""
        return tuple(self.scores)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The clusters of several documents. Reports, tables and the page number them from 1."""
        return tuple(cluster for cluster in self.clusters if len(cluster) > 1)

    @property
    def order(self) -> tuple[int, ...]:
        """Numbers of the documents in the order of the tree."""
        return tuple(i for cluster in self.clusters for i in cluster)

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each document: its title, else its file; where titles are the same, its file and its title."""
        titles = [d.title or d.source or f"document {i + 1}" for i, d in enumerate(self.documents)]
        often = Counter(titles)
        return tuple(
            f"{d.source or i + 1}: {name}" if often[name] > 1 and d.source != name else name
            for i, (name, d) in enumerate(zip(titles, self.documents, strict=True))
        )

    def to_dict(self) -> dict[str, Any]:
        """The object of `colde compare DIR --json` (docs/schema/collection.schema.json)."""

        def without_text(document: Document, chunks: tuple[Chunk, ...]) -> dict[str, Any]:
            found = document_dict(document, chunks)
            del found["text"]
            aside = [item.to_dict() for item in set_aside(document)]
            return found | {"set_aside": aside, "warnings": list(reading_warnings(document))}

        return {
            "version": VERSION,
            "profile": self.profile,
            "documents": [without_text(d, c) for d, c in zip(self.documents, self.chunks, strict=True)],
            "models": list(self.models),
            "scores": {name: values.tolist() for name, values in self.scores.items()},
            "threshold": self.threshold,
            "clusters": [list(cluster) for cluster in self.clusters],
            "duplicates": [list(group) for group in self.duplicates],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "unread": [
                {"source": e.source, "reason": e.reason, "what": e.what, "advice": e.advice}
                for e in self.unread
            ],
        }

    def to_json(self) -> str:
        """`to_dict` as strict JSON (no NaN)."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
