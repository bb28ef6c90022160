"""The claim chart: for each requirement of a document, its counterparts in others, or that there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from colde.comparison.part_notation import Part
from colde.errors import PartError
from colde.meaning.differences import contradict
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.counterparts import STATED, Counterpart, CounterpartSearch, counterpart_model
from colde.results.passage import Passage
from colde.results.saved.review_decisions import Decision, Decisions, Mark
from colde.results.shared_text import DIGITS
from colde.serialise import Count, JsonFields, JsonObject, Share, Text
from colde.text.clauses_and_requirements.requirements import Rows, chart_rows
from colde.text.document import Document, Span
from colde.text.places import line_at

VERSION: Literal[1] = 1
"""Version of the JSON file."""
MOST_COUNTERPARTS = 3
"""Counterparts of a row in one document."""
MAY_CONTRADICT = ("edited", "paraphrased", "closest")
"""Kinds of counterparts in other words than the row."""


@dataclass(frozen=True, slots=True)
class ChartPlace(Passage):
    """A passage with its text and its place; `line`: of the running text on its page, from 1."""

    line: Count | None = None
    text: str = ""

    JSON: ClassVar = JsonFields("start end section page line text", optional="position")

    @classmethod
    def of(cls, document: Document, span: Span) -> ChartPlace:
        """A passage of a document."""
        place = Passage.at(document, span)
        return cls(
            place.start,
            place.end,
            place.section,
            place.page,
            place.position,
            line_at(document, span.start),
            " ".join(document.text[span.start : span.end].split()),
        )


@dataclass(frozen=True, slots=True)
class ChartCounterpart:
    """A counterpart of a row; kind and certainty as in `Counterpart`."""

    b: ChartPlace
    kind: Text
    certainty: Share

    JSON: ClassVar = JsonFields("b kind certainty", digits={"certainty": DIGITS})


@dataclass(frozen=True, slots=True)
class Cell:
    """What a document has for a row.

    Attributes:
        found: whether it has a counterpart; None where none could be searched.
        probability: that `found` is right.
        counterparts: the best ones; where none was found, the closest passage.
        decision, note: of the reviewer on the row, else on a passage that overlaps it and one of the counterparts.
    """

    found: bool | None
    probability: Share | None
    counterparts: tuple[ChartCounterpart, ...]
    decision: Decision = ""
    note: str = ""

    JSON: ClassVar = JsonFields("found probability counterparts decision note")


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A passage of A with a cell for each other document; `number` counts from 1."""

    number: Count
    a: ChartPlace
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ChartDocument:
    """A document of the chart; `not_searched`: a sentence on what was not searched in it, and why, or None."""

    title: str
    source: str
    not_searched: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimChart(JsonObject):
    """Rows of a document A, and their counterparts in other documents.

    Attributes:
        documents: the other ones, in the order of the cells.
        miss_rates: share of planted sentences that were not found, by how they were changed, and of absent ones that
            were (`false found`); measured by studies/passages/fit_counterparts.py.
    """

    a: ChartDocument
    documents: tuple[ChartDocument, ...]
    rows: tuple[ChartRow, ...]
    miss_rates: Mapping[str, Share]

    version: ClassVar[Literal[1]] = VERSION
    JSON: ClassVar = JsonFields("version a documents miss_rates rows")

    def with_decisions(self, reviews: Sequence[Decisions]) -> ClaimChart:
        """The chart with these decisions and notes in place of its own; `reviews`: one for each other document."""
        return replace(self, rows=tuple(_decided(row, reviews) for row in self.rows))


def claim_chart(
    comparisons: Sequence[Comparison], rows: Rows = "requirements", passages: Sequence[Span] = ()
) -> ClaimChart:
    """The claim chart of one document and others.

    Args:
        comparisons: of the same document A with each other one.
        rows: which passages of A are rows: `requirements`, numbered paragraphs and sentences with words such as
            “shall”; or all `clauses`, or all `sentences`. Rows that a reviewer has added join them.
        passages: where given, these passages of A are the rows.

    Raises:
        ValueError: there is no comparison.

    Examples:
        >>> import colde
        >>> a = colde.read("assets/samples/battery_oil.md")
        >>> b = colde.read("assets/samples/battery_wax.md")
        >>> chart = colde.claim_chart([colde.compare(a, b, models="tfidf")])
        >>> chart.rows[0].number, len(chart.rows[0].cells)
        (1, 1)
    """
    if not comparisons:
        raise ValueError("a claim chart needs one comparison at least")
    a = comparisons[0].a
    spans = list(passages) or _with_added(chart_rows(a, rows), a, comparisons)
    columns = [list(_cells(c, spans)) for c in comparisons]
    chart = ClaimChart(
        ChartDocument(a.title, a.source),
        tuple(ChartDocument(c.b.title, c.b.source, _not_searched(c)) for c in comparisons),
        tuple(
            ChartRow(number, ChartPlace.of(a, span), tuple(cells))
            for number, (span, *cells) in enumerate(zip(spans, *columns, strict=True), 1)
        ),
        counterpart_model().miss_rates,
    )
    return chart.with_decisions([c.review or Decisions() for c in comparisons])


def added_rows(decisions: Decisions) -> tuple[Span, ...]:
    """The passages of A that a reviewer has made rows of the chart, in reading order."""
    added = {mark.a for mark in decisions.marks if mark.row == "added" and mark.a is not None}
    return tuple(sorted(added, key=_in_text))


def _with_added(rows: Sequence[Span], a: Document, comparisons: Sequence[Comparison]) -> list[Span]:
    added = {span for c in comparisons if c.review for span in added_rows(c.review)}
    return sorted({*rows, *(span for span in added if span.end <= len(a.text))}, key=_in_text)


def _in_text(span: Span) -> tuple[int, int]:
    return span.start, span.end


def named_passages(document: Document, parts: Sequence[Part]) -> list[Span]:
    """The rows that parts of a document name, as it was read: passages as they are, and the clauses of sections.

    Raises:
        PartError: there is no such section or passage, or a chunk is named.
    """
    name = document.source or document.title or "the text"
    rows: set[Span] = set()
    for part in parts:
        if isinstance(part, Span):
            if part.end > len(document.text):
                raise PartError(f"{name}: it has {len(document.text):,} characters, none at {part.end - 1:,}")
            rows.add(part)
        elif isinstance(part, int) and part < len(document.sections):
            rows |= {row for row in chart_rows(document, "clauses") if row.overlaps(document.sections[part])}
        else:
            numbers = f"sections 0 to {len(document.sections) - 1}"
            raise PartError(
                f"{name}: a chart takes {numbers} (see colde read), and characters such as a@120-245"
            )
    return sorted(rows, key=_in_text)


def _not_searched(comparison: Comparison) -> str | None:
    if comparison.shared is None:
        return f"{TOO_LONG[:1].upper()}{TOO_LONG[1:]}."
    return comparison.shared.not_searched


def _cells(comparison: Comparison, spans: Sequence[Span]) -> Iterator[Cell]:
    search = comparison.counterpart_search()
    for span in spans if search is None else search.read_ahead(spans):
        yield Cell(None, None, ()) if search is None else _cell(comparison, search, span)


def _cell(comparison: Comparison, search: CounterpartSearch, span: Span) -> Cell:
    listed = search.counterparts(span, MOST_COUNTERPARTS)
    there = search.probability(span)
    if there is None:
        is_found = True if listed else None
        probability = listed[0].certainty if listed else None
    else:
        is_found = bool(listed) and there >= counterpart_model().threshold
        probability = round(there if is_found else 1 - there, DIGITS)
    kept = (
        [c for c in listed if c.kind in STATED or c.certainty >= counterpart_model().threshold]
        if is_found
        else []
    )
    kept = kept or list(listed[:1])
    kinds = [counterpart_kind(search, span, c) if is_found else c.kind for c in kept]
    return Cell(
        is_found,
        probability,
        tuple(
            ChartCounterpart(ChartPlace.of(comparison.b, c.b), kind, c.certainty)
            for c, kind in zip(kept, kinds, strict=True)
        ),
    )


def counterpart_kind(search: CounterpartSearch, span: Span, counterpart: Counterpart) -> str:
    """The kind of a counterpart: `opposite` where its sentence that is closest to the passage contradicts it."""
    closest = search.closest_sentences(span, counterpart.b)
    if counterpart.kind not in MAY_CONTRADICT or closest is None:
        return counterpart.kind
    one, other = (d.text[s.start : s.end] for d, s in zip((search.a, search.b), closest, strict=True))
    return "opposite" if contradict(one, other) else counterpart.kind


def _decided(row: ChartRow, reviews: Sequence[Decisions]) -> ChartRow:
    marks = [_mark(row.a, cell, review) for cell, review in zip(row.cells, reviews, strict=True)]
    cells = (
        replace(cell, decision=mark.decision, note=mark.note)
        for cell, mark in zip(row.cells, marks, strict=True)
    )
    return replace(row, cells=tuple(cells))


def _mark(row: Span, cell: Cell, review: Decisions) -> Mark:
    """The reviewer's mark on the row, else on a passage that overlaps it and a counterpart, the first one first."""
    place = Span(row.start, row.end)
    for mark in review.marks:
        if mark.about == "row" and mark.a == place and (mark.decision or mark.note):
            return mark
    marks = [mark for mark in review.marks if mark.about == "passage"]
    for counterpart in cell.counterparts:
        for mark in marks:
            if mark.a and mark.b and mark.a.overlaps(row) and mark.b.overlaps(counterpart.b):
                return mark
    return Mark(None, None)
