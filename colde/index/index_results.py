"""Plain values of an index: what it holds, what was added, and what a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from colde.encoders.encoder_names import PACKAGED
from colde.errors import ReadError, StoreError
from colde.results.verdicts.verdict_words import label_of
from colde.serialise import JsonFields, JsonObject, Text
from colde.text.document import Span

Level = Literal["document", "passage"]
"""What a query is compared with: whole documents, or the chunk of each that is nearest to it."""


@dataclass(frozen=True, slots=True)
class IndexedDocument(JsonObject):
    """A document that an index holds; an entry of `colde index list --json`.

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


def named_document(held: Sequence[IndexedDocument], name: str, index: object) -> IndexedDocument:
    """The document of an index with this name or id; raises `StoreError` if there is none, or several."""
    matching = [d for d in held if d.name == name]
    if not matching and len(name) >= 8:
        matching = [d for d in held if d.id.startswith(name.lower())]
    if not matching:
        raise StoreError(f"{index} holds no document named {name}: colde index list shows the names")
    if len(matching) > 1:
        ids = ", ".join(d.id[:12] for d in matching)
        raise StoreError(f"{index} holds {len(matching)} documents named {name}: give one of the ids {ids}")
    return matching[0]


@dataclass(frozen=True, slots=True)
class HitPassage(JsonObject):
    """A passage of a hit, and the passage of the query that corresponds to it."""

    text: str  # of the hit
    section: str | None  # its heading
    query: Span
    weight: float  # certainty of the passage; of chunks their cosine
    span: Span  # in the hit's document

    JSON: ClassVar = JsonFields("text section query weight")


@dataclass(frozen=True, slots=True)
class Hit(JsonObject):
    """A document that a search found.

    Attributes:
        score: of the index' model, on its own scale.
        probability: calibrated; None where the model has no calibration, and for passages.
        similar: whether the score reaches the model's threshold; None likewise.
        found_by: the ways that brought it up, of `document vector`, `chunk vectors`, `words`.
        passages: that it shares with the query, strongest first.
        no_verdict: why there is no probability for the whole document, as a clause; None where there is one.
        same_kind: the pair scores as unrelated documents of one kind do.
    """

    document: IndexedDocument
    score: float
    probability: float | None
    similar: bool | None
    found_by: tuple[str, ...]
    passages: tuple[HitPassage, ...]
    no_verdict: str | None = None
    same_kind: bool = False

    JSON: ClassVar = JsonFields("score probability similar says no_verdict found_by passages")

    @property
    def says(self) -> Text:
        """The verdict in words."""
        return label_of(self.probability, self.similar, same_kind=self.same_kind)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `hits` in `colde index search --json`."""
        document = self.document
        named = {"id": document.id, "name": document.name, "title": document.title}
        return named | JsonObject.to_dict(self)


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that could not be added, and why."""

    name: str
    error: ReadError


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding documents.

    Attributes:
        added, known: names of new documents, and of those that the index held.
        unread: the skipped files.
        warnings: name of a new document, and a sentence on what was not read of it.
    """

    added: Sequence[str]
    known: Sequence[str]
    unread: Sequence[SkippedFile]
    warnings: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Stats(JsonObject):
    """How much an index holds, and what it was made with; the object of `colde index stats --json`."""

    documents: int
    sections: int
    chunks: int
    bytes: int
    model: str
    weights: str
    version: int
    encoder: str = PACKAGED
