"""The file of a review, and the tables of a reviewed comparison."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from colde.errors import ColdeError
from colde.ingest.sandbox.protocol import pack, unpack
from colde.report.changes_report import changes_table
from colde.report.csv_tables import spreadsheet, tables
from colde.report.reviewed_matches import excluded_passages, matches
from colde.results.comparison import Comparison
from colde.results.match import Passage
from colde.results.review_decisions import Decision, Decisions, Mark
from colde.text.document import Document, Span

FILE_KIND = "colde review"
VERSION = 1
MAX_NOTE = 4_000
MAX_MARKS = 5_000
MAX_EXCLUDED = 1_000
LEFT_OUT_DECISION = "left out"
"""Decision of the rows of `review_table` whose passage was left out with What if."""


class ReviewError(ColdeError):
    """A file that is no review, or one of other documents."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review as its file holds it.

    Attributes:
        decisions: on the matches and changes of the pair, and what was left out.
        texts: SHA-256 of the two texts it was made on.
        documents: the two documents, where they were saved with it.
    """

    decisions: Decisions
    texts: tuple[str, str]
    documents: tuple[Document, Document] | None = None

    def fits(self, a: Document, b: Document) -> bool:
        """Whether these are the texts it was made on."""
        return self.texts == (text_hash(a), text_hash(b))


def text_hash(document: Document) -> str:
    """SHA-256 of a document's text."""
    return hashlib.sha256(document.text.encode()).hexdigest()


def mark_to_dict(mark: Mark) -> dict[str, Any]:
    """A mark as the review file and the linked view hold it."""
    a, b = (None if span is None else [span.start, span.end] for span in (mark.a, mark.b))
    written = {"a": a, "b": b, "decision": mark.decision, "note": mark.note}
    return written | ({"change": True} if mark.change else {})


def review_to_json(a: Document, b: Document, decisions: Decisions, *, texts: bool) -> str:
    """The file of a review; with `texts` it can be opened where the documents are not at hand."""
    content: dict[str, Any] = {
        "kind": FILE_KIND,
        "version": VERSION,
        "marks": [mark_to_dict(mark) for mark in decisions.marks],
        "left_out": {side: [[s.start, s.end] for s in spans] for side, spans in decisions.left_out.items()},
    }
    for side, document in (("a", a), ("b", b)):
        about = {"title": document.title, "source": document.source, "sha256": text_hash(document)}
        content[side] = about | ({"document": pack(document)} if texts else {})
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_review(data: bytes) -> Review:
    """A review from its file.

    Raises:
        ReviewError: it is not one, or not whole.
    """
    try:
        content = json.loads(data)
        if content["kind"] != FILE_KIND or content["version"] != VERSION:
            raise ReviewError("the file is not a review that this version can open")
        hashes = (str(content["a"]["sha256"]), str(content["b"]["sha256"]))
        documents = None
        if all("document" in content[side] for side in "ab"):
            documents = (unpack(content["a"]["document"]), unpack(content["b"]["document"]))
        left_out = content.get("left_out") or {"a": [], "b": []}  # files of version 0.2 have none
        decisions = Decisions(
            parse_marks(content.get("marks")), parse_spans(left_out["a"]), parse_spans(left_out["b"])
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReviewError("the file is not a review: open one that was saved with “Review file”") from error
    review = Review(decisions, hashes, documents)
    if documents is not None and not review.fits(*documents):
        raise ReviewError("the texts in the review file are not the texts that its marks belong to")
    return review


def parse_marks(values: object) -> tuple[Mark, ...]:
    """Marks from the plain values of a page or a file.

    Raises:
        ReviewError: they are not of the form that `mark_to_dict` gives.
    """
    return tuple(map(_parse_mark, _checked_list(values, MAX_MARKS, "no valid list of marks")))


def parse_spans(values: object) -> tuple[Span, ...]:
    """Passages from plain values, `[[start, end], …]`.

    Raises:
        ReviewError: they are no such list.
    """
    listed = _checked_list(values, MAX_EXCLUDED, "no valid list of passages that were left out")
    try:
        return tuple(map(_parse_span, listed))
    except (TypeError, ValueError) as error:
        raise ReviewError("a passage that was left out cannot be read") from error


def _checked_list(values: object, longest: int, problem: str) -> Sequence[Any]:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) > longest:
        raise ReviewError(f"the review contains {problem}")
    return values


def _parse_mark(value: Any) -> Mark:
    try:
        is_change = value.get("change") is True
        a, b = (None if value[side] is None and is_change else _parse_span(value[side]) for side in "ab")
        mark = Mark(a, b, value["decision"], value["note"], is_change)
        if a is None and b is None:
            raise ValueError("a change without a passage")
        if mark.decision not in get_args(Decision) or not isinstance(mark.note, str):
            raise ValueError(mark.decision)
        if len(mark.note) > MAX_NOTE:
            raise ValueError("the note is too long")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReviewError("a mark in the review cannot be read") from error
    return mark


def _parse_span(value: Any) -> Span:
    start, end = map(int, value)
    if not 0 <= start < end:
        raise ValueError("a passage without an extent")
    return Span(start, end)


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
    rows: list[list[object]] = []
    for match in matches(comparison):
        e = match.evidence
        cells = [match.number, match.decision or "open", match.note, e.kind, e.weight]
        rows.append([*cells, *_passage_cells(comparison.a, e.a), *_passage_cells(comparison.b, e.b)])
    for side, document, passage in excluded_passages(comparison):
        passage_cells, other = _passage_cells(document, passage), (None, None, None)
        sides = (*passage_cells, *other) if side == "a" else (*other, *passage_cells)
        rows.append([None, LEFT_OUT_DECISION, None, None, None, *sides])
    return spreadsheet(header, rows)


def _passage_cells(document: Document, passage: Passage) -> tuple[object, ...]:
    return passage.section or passage.position, passage.page, document.text[passage.start : passage.end]
