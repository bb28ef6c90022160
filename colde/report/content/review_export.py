"""The file of a review, and the tables of a reviewed comparison."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct

from colde import strict_json
from colde.errors import ColdeError
from colde.ingest.sandbox.protocol import pack, unpack
from colde.report.content.changes_report import changes_table
from colde.report.content.reviewed_passages import excluded_passages, reviewed_passages
from colde.report.tables.csv_tables import spreadsheet, tables
from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.results.saved.record import text_hash
from colde.results.saved.review_decisions import Decision, Decisions, Mark, RowMark
from colde.results.shared_text import DIGITS
from colde.strict_json import JsonError
from colde.text.document import Document, Span

FILE_KIND = "colde review"
VERSION = 1
MAX_NOTE = 4_000
MAX_MARKS = 5_000
MAX_EXCLUDED = 1_000
MAX_REVIEW_BYTES = 2 * 2**20
"""Of a review without its texts; 5,000 marks without notes have 500,000."""
MAX_FILE_BYTES = 8 * 2**20
"""Of a review with its texts: about 4 million characters. Decoding one takes at most 30 times its size in memory."""
LEFT_OUT_DECISION = "left out"
"""Decision of the rows of `review_table` whose passage was left out with What if."""


class ReviewError(ColdeError):
    """A file that is no review, or one of other documents."""


Place = Annotated[int, Meta(ge=0, le=strict_json.MAX_INTEGER)]
Extent = tuple[Place, Place]


class _Mark(Struct):
    """A mark as `mark_to_dict` writes it."""

    a: Extent | None
    b: Extent | None
    decision: Decision
    note: Annotated[str, Meta(max_length=MAX_NOTE)]
    change: bool = False
    row: RowMark = ""

    def __post_init__(self) -> None:
        spans = [span for span in (self.a, self.b) if span is not None]
        if len(spans) < (1 if self.change or self.row else 2):
            raise ValueError("a mark without a passage")
        _check_extents(spans)


Marks = Annotated[tuple[_Mark, ...], Meta(max_length=MAX_MARKS)]
Spans = Annotated[tuple[Extent, ...], Meta(max_length=MAX_EXCLUDED)]


class _LeftOut(Struct):
    """Passages of each text that were left out."""

    a: Spans = ()
    b: Spans = ()

    def __post_init__(self) -> None:
        _check_extents((*self.a, *self.b))


class _Side(Struct):
    """A document of the file; `document` is what `pack` gives, where the text was saved with the review."""

    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    document: Raw = Raw()


class _ReviewFile(Struct):
    """The form of a review file. Its parts are decoded once their sizes are known."""

    kind: Literal["colde review"]
    version: Literal[1]
    a: _Side
    b: _Side
    marks: Raw
    left_out: Raw = Raw()  # files of version 0.2 have none


def _check_extents(spans: Iterable[Extent]) -> None:
    for start, end in spans:
        if start >= end:
            raise ValueError(f"a passage without an extent ({start} to {end})")


@dataclass(frozen=True, slots=True)
class Review:
    """A review as its file holds it.

    Attributes:
        decisions: on the passages, changes and chart rows of the pair, and what was left out.
        texts: SHA-256 of the two texts it was made on.
        documents: the two documents, where they were saved with it.
    """

    decisions: Decisions
    texts: tuple[str, str]
    documents: tuple[Document, Document] | None = None

    def fits(self, a: Document, b: Document) -> bool:
        """Whether these are the texts it was made on, and all its passages lie in them."""
        d, lengths = self.decisions, (len(a.text), len(b.text))
        ends = (
            *((m.a, m.b) for m in d.marks),
            *((s, None) for s in d.without_a),
            *((None, s) for s in d.without_b),
        )
        inside = all(
            span is None or span.end <= length
            for spans in ends
            for span, length in zip(spans, lengths, strict=True)
        )
        return inside and self.texts == (text_hash(a), text_hash(b))


def mark_to_dict(mark: Mark) -> dict[str, Any]:
    """A mark as the review file and the linked view hold it."""
    a, b = (None if span is None else [span.start, span.end] for span in (mark.a, mark.b))
    written = {"a": a, "b": b, "decision": mark.decision, "note": mark.note}
    about = {"change": mark.change, "row": mark.row}
    return written | {name: value for name, value in about.items() if value}


def review_to_json(a: Document, b: Document, decisions: Decisions, *, texts: bool) -> str:
    """The file of a review; with `texts` it can be opened where the documents are not at hand.

    Texts are left out where the file would be larger than `MAX_FILE_BYTES`.
    """
    content: dict[str, Any] = {
        "kind": FILE_KIND,
        "version": VERSION,
        "marks": [mark_to_dict(mark) for mark in decisions.marks],
        "left_out": {side: [[s.start, s.end] for s in spans] for side, spans in decisions.left_out.items()},
    }
    for side, document in (("a", a), ("b", b)):
        about = {"title": document.title, "source": document.source, "sha256": text_hash(document)}
        content[side] = about | ({"document": pack(document)} if texts else {})
    written = json.dumps(content, ensure_ascii=False) + "\n"
    if texts and len(written.encode()) > MAX_FILE_BYTES:
        return review_to_json(a, b, decisions, texts=False)
    return written


def read_review(data: bytes) -> Review:
    """A review from its file.

    Raises:
        ReviewError: it is not one, not complete, or larger than a review may be.
    """
    try:
        strict_json.check_size(data, MAX_FILE_BYTES)
        file = strict_json.decode(data, _ReviewFile)
        texts = len(bytes(file.a.document)) + len(bytes(file.b.document))
        strict_json.check_size(data[texts:], MAX_REVIEW_BYTES)
        left_out = strict_json.decode(bytes(file.left_out) or b"{}", _LeftOut)
        decisions = Decisions(
            _marks(strict_json.decode(bytes(file.marks), Marks)), _spans(left_out.a), _spans(left_out.b)
        )
        documents = None
        if bytes(file.a.document) and bytes(file.b.document):
            documents = (unpack(bytes(file.a.document)), unpack(bytes(file.b.document)))
    except JsonError as error:
        raise ReviewError(
            f"the file is not a review ({error}): open one that was saved with “Review file”"
        ) from error
    review = Review(decisions, (file.a.sha256, file.b.sha256), documents)
    if documents is not None and not review.fits(*documents):
        raise ReviewError("the texts in the review file are not the texts that its marks belong to")
    return review


def parse_marks(values: object) -> tuple[Mark, ...]:
    """Marks from the plain values of a page.

    Raises:
        ReviewError: they are not of the form that `mark_to_dict` gives.
    """
    try:
        return _marks(strict_json.convert(values, Marks))
    except JsonError as error:
        raise ReviewError(f"a part of the review cannot be read ({error})") from error


def _marks(marks: Iterable[_Mark]) -> tuple[Mark, ...]:
    return tuple(
        Mark(m.a and Span(*m.a), m.b and Span(*m.b), m.decision, m.note, m.change, m.row) for m in marks
    )


def _spans(spans: Spans) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in spans)


def comparison_tables(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """File name and content of every table of a comparison, `changes.csv`, and `review.csv` where it was reviewed."""
    yield from tables(comparison)
    if comparison.shared is not None:
        yield "changes.csv", changes_table(comparison)
    if comparison.review:
        yield "review.csv", review_table(comparison)


def review_table(comparison: Comparison) -> str:
    """The shared passages as CSV: number, decision, note, kind, certainty, and both sides.

    A row follows for each passage that was left out with What if; its number is empty, its decision is `left out`.
    """
    header = ["number", "decision", "note", "kind", "certainty"]
    for side in "ab":
        header += [f"{side}_section", f"{side}_page", f"{side}_text"]
    rows: list[list[object]] = []
    for item in reviewed_passages(comparison):
        p = item.passage
        cells = [item.number, item.decision or "open", item.note, p.kind, round(p.certainty, DIGITS)]
        rows.append([*cells, *_passage_cells(comparison.a, item.a), *_passage_cells(comparison.b, item.b)])
    for side, document, passage in excluded_passages(comparison):
        passage_cells, other = _passage_cells(document, passage), (None, None, None)
        sides = (*passage_cells, *other) if side == "a" else (*other, *passage_cells)
        rows.append([None, LEFT_OUT_DECISION, None, None, None, *sides])
    return spreadsheet(header, rows)


def _passage_cells(document: Document, passage: Passage) -> tuple[object, ...]:
    return passage.section or passage.position, passage.page, document.text[passage.start : passage.end]
