"""A review of the matches of two documents: its file, its table, and the matches with what was decided of each.

The decisions are part of the comparison (`Comparison.review`), so that every output that is made of it contains them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from colde.comparison.part_notation import format_parts
from colde.errors import ColdeError
from colde.ingest.sandbox.protocol import pack, unpack
from colde.report.changes_report import changes_table
from colde.report.csv_tables import spreadsheet, tables
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.review_decisions import Decision, Decisions, Mark
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span

FILE_KIND = "colde review"
VERSION = 1
MAX_NOTE = 4_000
MAX_MARKS = 5_000
MAX_EXCLUDED = 1_000
LEFT_OUT_DECISION = "left out"
"""Decision of the rows of `review_table` that are no match but a passage left out with What if."""


class ReviewError(ColdeError):
    """A file that is no review, or one of other documents."""


@dataclass(frozen=True, slots=True)
class ReviewedMatch:
    """A match with the number it has in lists, texts and pages, and what was said of it."""

    number: int
    evidence: Match
    decision: Decision
    note: str


@dataclass(frozen=True, slots=True)
class Review:
    """A review as its file holds it.

    Attributes:
        decisions: on the matches of the pair, and what was left out.
        texts: SHA-256 of the two texts it was made on.
        documents: the two documents, where they were saved with it.
    """

    decisions: Decisions
    texts: tuple[str, str]
    documents: tuple[Document, Document] | None = None

    def fits(self, a: Document, b: Document) -> bool:
        """Whether these are the texts it was made on."""
        return self.texts == (digest(a), digest(b))


def digest(document: Document) -> str:
    """SHA-256 of a document's text."""
    return hashlib.sha256(document.text.encode()).hexdigest()


def parse_marks(values: object) -> tuple[Mark, ...]:
    """Marks as plain values, from a page or a file; what is of another form is refused.

    Raises:
        ReviewError: they are not what `mark_to_dict` gives.
    """
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) > MAX_MARKS:
        raise ReviewError("the review holds no list of marks")
    return tuple(map(_parse_mark, values))


def mark_to_dict(mark: Mark) -> dict[str, Any]:
    """A mark as the review file and the linked view hold it."""
    return {
        "a": [mark.a.start, mark.a.end],
        "b": [mark.b.start, mark.b.end],
        "decision": mark.decision,
        "note": mark.note,
    }


def parse_spans(values: object) -> tuple[Span, ...]:
    """Passages as plain values, `[[start, end], …]`; what is of another form is refused.

    Raises:
        ReviewError: they are no such list.
    """
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) > MAX_EXCLUDED:
        raise ReviewError("the review holds no list of passages left out")
    try:
        spans = tuple(Span(int(start), int(end)) for start, end in values)
    except (TypeError, ValueError) as error:
        raise ReviewError("a passage left out cannot be understood") from error
    if any(not 0 <= span.start < span.end for span in spans):
        raise ReviewError("a passage left out has no extent")
    return spans


def _parse_mark(value: object) -> Mark:
    try:
        assert isinstance(value, Mapping)
        decision, note = value["decision"], value["note"]
        a, b = (Span(int(value[side][0]), int(value[side][1])) for side in "ab")
        if decision not in get_args(Decision) or not isinstance(note, str) or len(note) > MAX_NOTE:
            raise ValueError(decision)
        if any(not 0 <= span.start < span.end for span in (a, b)):
            raise ValueError("a passage without an extent")
    except (AssertionError, KeyError, TypeError, ValueError, IndexError) as error:
        raise ReviewError("a mark of the review cannot be understood") from error
    return Mark(a, b, decision, note)


def to_json(a: Document, b: Document, decisions: Decisions, *, texts: bool) -> str:
    """The file of a review; with `texts` it can be opened where the documents are not at hand."""
    excluded_passages = {"a": decisions.without_a, "b": decisions.without_b}
    found: dict[str, Any] = {
        "kind": FILE_KIND,
        "version": VERSION,
        "marks": [mark_to_dict(mark) for mark in decisions.marks],
        "left_out": {side: [[s.start, s.end] for s in spans] for side, spans in excluded_passages.items()},
    }
    for side, document in (("a", a), ("b", b)):
        about = {"title": document.title, "source": document.source, "sha256": digest(document)}
        found[side] = about | ({"document": pack(document)} if texts else {})
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def read_review(data: bytes) -> Review:
    """A review from its file.

    Raises:
        ReviewError: it is not one, or not whole.
    """
    try:
        found = json.loads(data)
        if found["kind"] != FILE_KIND or found["version"] != VERSION:
            raise ReviewError("the file is no review of this version")
        hashes = (str(found["a"]["sha256"]), str(found["b"]["sha256"]))
        documents = None
        if all("document" in found[side] for side in "ab"):
            documents = (unpack(found["a"]["document"]), unpack(found["b"]["document"]))
        without = found.get("left_out") or {"a": [], "b": []}  # files of version 0.2 have none
        excluded_passages = (without["a"], without["b"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReviewError("the file is no review: save one with “Review file” and open that") from error
    decisions = Decisions(parse_marks(found.get("marks")), *map(parse_spans, excluded_passages))
    review = Review(decisions, hashes, documents)
    if documents is not None and not review.fits(*documents):
        raise ReviewError("the texts in the review are not those it was made on")
    return review


def matches(comparison: Comparison, model: str | None = None) -> tuple[ReviewedMatch, ...]:
    """The matches of a model, by default of the first, numbered as everywhere: those that stand out come first."""
    name = model or (comparison.results[0].name if comparison.results else None)
    marks = comparison.review.marks if comparison.review is not None else ()
    said = {(mark.a, mark.b): mark for mark in marks}
    listed = sorted(
        (e for e in comparison.evidence if e.model == name), key=lambda e: e.stands_out, reverse=True
    )
    found = []
    for number, evidence in enumerate(listed, 1):
        a, b = Span(evidence.a.start, evidence.a.end), Span(evidence.b.start, evidence.b.end)
        mark = said.get((a, b), Mark(a, b))
        found.append(ReviewedMatch(number, evidence, mark.decision, mark.note))
    return tuple(found)


def matches_to_highlight(found: Sequence[ReviewedMatch]) -> Iterator[ReviewedMatch]:
    """Yield the matches to highlight on pages: accepted, noted or outstanding ones that were not rejected."""
    for match in found:
        if match.decision != "rejected" and (match.decision or match.note or match.evidence.stands_out):
            yield match


def excluded_passages(comparison: Comparison) -> Iterator[tuple[Letter, Document, Passage]]:
    """Yield each passage that the reviewer left out, with the document that it is of."""
    review = comparison.review or Decisions()
    for span in review.without_a:
        yield "a", comparison.a, Passage.at(comparison.a, span)
    for span in review.without_b:
        yield "b", comparison.b, Passage.at(comparison.b, span)


def format_excluded(comparison: Comparison) -> str:
    """What was left out as the linked view and `colde what-if --without` take it: `a:3,b@120-245`."""
    review = comparison.review or Decisions()
    return format_parts(
        {"a": comparison.a, "b": comparison.b}, {"a": review.without_a, "b": review.without_b}
    )


def comparison_tables(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """File name and content of every table of a comparison, `changes.csv`, and `review.csv` where it was reviewed."""
    yield from tables(comparison)
    if comparison.shared is not None:
        yield "changes.csv", changes_table(comparison)
    if comparison.review:
        yield "review.csv", review_table(comparison)


def review_table(comparison: Comparison) -> str:
    """The matches as CSV: number, decision, note, kind, weight, and both passages.

    A row follows for each passage that was left out with What if; its number is empty, its decision is `left out`.
    """
    header = ["number", "decision", "note", "kind", "weight"]
    for side in "ab":
        header += [f"{side}_section", f"{side}_page", f"{side}_text"]
    rows = []
    for match in matches(comparison):
        e = match.evidence
        row: list[object] = [match.number, match.decision or "open", match.note, e.kind, e.weight]
        for document, passage in ((comparison.a, e.a), (comparison.b, e.b)):
            row += [passage.section, passage.page, document.text[passage.start : passage.end]]
        rows.append(row)
    for side, document, passage in excluded_passages(comparison):
        cells = [passage.section, passage.page, document.text[passage.start : passage.end]]
        both = [*cells, None, None, None] if side == "a" else [None, None, None, *cells]
        rows.append([None, LEFT_OUT_DECISION, None, None, None, *both])
    return spreadsheet(header, rows)
