"""Plain values of an index: what it holds, what was added, and what a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from colde.errors import ReadError
from colde.serialise import JsonFields, JsonObject, to_value
from colde.text.document import Span

Level = Literal["document", "passage"]
"""What a query is compared with: whole documents, or the chunk of each that is nearest to it."""


@dataclass(frozen=True, slots=True)
class IndexedDocument(JsonObject):
    """A document that an index holds.

    Attributes:
        id: SHA-256 of its content as read.
        name: the file's path below the folder it was added from, or its name.
        folder: of the name; empty where it has none.
        format: how it was read: pdf, docx, html …
        modified: date of the file's last change, YYYY-MM-DD; None where it is not known.
        sections, chunks: how many are compared.
    """

    id: str
    name: str
    title: str
    sections: int
    chunks: int
    folder: str = ""
    format: str = ""
    modified: str | None = None


@dataclass(frozen=True, slots=True)
class HitPassage(JsonObject):
    """A passage of a hit, and the passage of the query that it answers.

    Attributes:
        text: of the hit.
        section: heading of the section it stands in; None where there is none.
        query: where the query says the like.
        weight: how near the two are, as in evidence.
        span: where it stands in the hit's document.
    """

    text: str
    section: str | None
    query: Span
    weight: float
    span: Span

    JSON: ClassVar = JsonFields("text section query weight")


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a search found.

    Attributes:
        score: of the index' model, on its own scale.
        probability: calibrated; None where the model has no calibration, and for passages.
        similar: whether the score reaches the model's threshold; None likewise.
        found_by: the ways that brought it up, of `document vector`, `chunk vectors`, `words`.
        passages: that it shares with the query, strongest first.
        no_verdict: why there is no probability for the whole document, as a clause; empty where there is one.
    """

    document: IndexedDocument
    score: float
    probability: float | None
    similar: bool | None
    found_by: tuple[str, ...]
    passages: tuple[HitPassage, ...]
    no_verdict: str = ""

    def to_dict(self) -> dict[str, Any]:
        """An entry of `hits` in `colde index search --json`."""
        return {
            "id": self.document.id,
            "name": self.document.name,
            "title": self.document.title,
            "score": self.score,
            "probability": self.probability,
            "similar": self.similar,
            "no_verdict": self.no_verdict or None,
            "found_by": list(self.found_by),
            "passages": to_value(self.passages),
        }


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that could not be taken in, and why."""

    name: str
    error: ReadError


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding documents.

    Attributes:
        added: names of what is new.
        known: names of what the index held already, by content.
        unread: what was skipped.
    """

    added: Sequence[str]
    known: Sequence[str]
    unread: Sequence[SkippedFile]


@dataclass(frozen=True, slots=True)
class Stats(JsonObject):
    """How much an index holds, and what it was made with."""

    documents: int
    sections: int
    chunks: int
    bytes: int
    model: str
    weights: str
    version: int
