"""A review of the matches: accepted, rejected, noted; saved to a file and opened again, with or without the texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from colde.errors import ColdeError
from colde.ingest.wire import pack, unpack
from colde.report.tables import spreadsheet
from colde.results.comparison import Comparison
from colde.results.evidence import Evidence
from colde.text.document import Document, Span

KIND = "colde review"
VERSION = 1
LONGEST_NOTE = 4_000
MOST_MARKS = 5_000

Decision = Literal["", "accepted", "rejected"]


class ReviewError(ColdeError):
    """A file that is no review, or one of other documents."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Reviewer's decision and note on a match; an empty decision leaves it open."""

    a: Span
    b: Span
    decision: Decision = ""
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": [self.a.start, self.a.end],
            "b": [self.b.start, self.b.end],
            "decision": self.decision,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A match with the number it has in lists, texts and pages, and what was said of it."""

    number: int
    evidence: Evidence
    decision: Decision
    note: str


@dataclass(frozen=True, slots=True)
class Review:
    """Marks on the matches of a pair of documents.

    Attributes:
        marks: of the matches that have a decision or a note.
        texts: SHA-256 of the two texts it was made on.
        documents: the two documents, where they were saved with it.
    """

    marks: tuple[Mark, ...]
    texts: tuple[str, str]
    documents: tuple[Document, Document] | None = None

    def fits(self, a: Document, b: Document) -> bool:
        """Whether these are the texts it was made on."""
        return self.texts == (digest(a), digest(b))


def digest(document: Document) -> str:
    """SHA-256 of a document's text."""
    return hashlib.sha256(document.text.encode()).hexdigest()


def marks_of(values: object) -> tuple[Mark, ...]:
    """Marks as plain values, from a page or a file; what is of another form is refused.

    Raises:
        ReviewError: they are not what `Mark.to_dict` gives.
    """
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) > MOST_MARKS:
        raise ReviewError("the review holds no list of marks")
    return tuple(map(_mark, values))


def _mark(value: object) -> Mark:
    try:
        assert isinstance(value, Mapping)
        decision, note = value["decision"], value["note"]
        a, b = (Span(int(value[side][0]), int(value[side][1])) for side in "ab")
        if decision not in get_args(Decision) or not isinstance(note, str) or len(note) > LONGEST_NOTE:
            raise ValueError(decision)
        if any(not 0 <= span.start < span.end for span in (a, b)):
            raise ValueError("a passage without an extent")
    except (AssertionError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ReviewError("a mark of the review cannot be understood") from error
    return Mark(a, b, decision, note)


def to_json(a: Document, b: Document, marks: Sequence[Mark], *, texts: bool) -> str:
    """The file of a review; with `texts` it can be opened where the documents are not at hand."""
    found: dict[str, Any] = {"kind": KIND, "version": VERSION, "marks": [mark.to_dict() for mark in marks]}
    for side, document in (("a", a), ("b", b)):
        about = {"title": document.title, "source": document.source, "sha256": digest(document)}
        found[side] = about | ({"document": pack(document)} if texts else {})
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def from_json(data: bytes) -> Review:
    """A review from its file.

    Raises:
        ReviewError: it is not one, or not whole.
    """
    try:
        found = json.loads(data)
        if found["kind"] != KIND or found["version"] != VERSION:
            raise ReviewError("the file is no review of this version")
        hashes = (str(found["a"]["sha256"]), str(found["b"]["sha256"]))
        documents = None
        if all("document" in found[side] for side in "ab"):
            documents = (unpack(found["a"]["document"]), unpack(found["b"]["document"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReviewError("the file is no review: save one with “Review file” and open that") from error
    review = Review(marks_of(found.get("marks")), hashes, documents)
    if documents is not None and not review.fits(*documents):
        raise ReviewError("the texts in the review are not those it was made on")
    return review


def matches(comparison: Comparison, marks: Sequence[Mark], model: str | None = None) -> tuple[Match, ...]:
    """The matches of a model, by default of the first, numbered as everywhere: those that stand out come first."""
    name = model or (comparison.results[0].name if comparison.results else None)
    said = {(mark.a, mark.b): mark for mark in marks}
    listed = sorted(
        (e for e in comparison.evidence if e.model == name), key=lambda e: e.stands_out, reverse=True
    )
    found = []
    for number, evidence in enumerate(listed, 1):
        a, b = Span(evidence.a.start, evidence.a.end), Span(evidence.b.start, evidence.b.end)
        mark = said.get((a, b), Mark(a, b))
        found.append(Match(number, evidence, mark.decision, mark.note))
    return tuple(found)


def kept(found: Sequence[Match]) -> Iterator[Match]:
    """Yield the matches to highlight on pages: accepted, noted or outstanding ones that were not rejected."""
    for match in found:
        if match.decision != "rejected" and (match.decision or match.note or match.evidence.stands_out):
            yield match


def review_table(comparison: Comparison, found: Sequence[Match]) -> str:
    """The matches as CSV: number, decision, note, kind, weight, and both passages."""
    header = ["number", "decision", "note", "kind", "weight"]
    for side in "ab":
        header += [f"{side}_section", f"{side}_page", f"{side}_text"]
    rows = []
    for match in found:
        e = match.evidence
        row: list[object] = [match.number, match.decision or "open", match.note, e.kind, e.weight]
        for document, passage in ((comparison.a, e.a), (comparison.b, e.b)):
            row += [passage.section, passage.page, document.text[passage.start : passage.end]]
        rows.append(row)
    return spreadsheet(header, rows)
