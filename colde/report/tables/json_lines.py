"""A comparison as lines of JSON, an object each: what programs read line by line instead of one file in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from colde.results.collection import StrongPair
from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.serialise import to_json, to_value
from colde.text.document import Document, Span

SCORE_FIELDS = (
    "name",
    "title",
    "score",
    "probability",
    "threshold",
    "similar",
    "says",
    "profile",
    "no_verdict",
)


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Yield a line for each document, score, shared passage and change, in this order; `type` says which it is."""
    for letter, document in (("a", comparison.a), ("b", comparison.b)):
        yield _line("document", letter=letter, title=document.title, source=document.source)
    for score in comparison.models:
        values = to_value(score)
        yield _line("score", **{field: values[field] for field in SCORE_FIELDS})
    for passage in () if comparison.shared is None else comparison.shared.passages:
        yield _line("passage", **to_value(passage) | _sides(comparison, passage.a, passage.b))
    for change in comparison.changes:
        yield _line("change", **to_value(change) | _sides(comparison, change.a, change.b))


def document_lines(documents: Iterable[Document]) -> Iterator[str]:
    """Yield a line for each document of a collection, with its number."""
    for number, document in enumerate(documents):
        yield _line("document", number=number, title=document.title, source=document.source)


def pair_line(pair: StrongPair) -> str:
    """The line of a pair of documents of a collection."""
    return _line("pair", **to_value(pair))


def _line(kind: str, /, **values: Any) -> str:
    return to_json({"type": kind} | values) + "\n"


def _sides(comparison: Comparison, a: Span | None, b: Span | None) -> dict[str, Any]:
    return {"a": _place(comparison.a, a), "b": _place(comparison.b, b)}


def _place(document: Document, span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    place = Passage.at(document, span)
    return {
        "start": span.start,
        "end": span.end,
        "page": place.page,
        "section": place.section or place.position,
        "text": document.text[span.start : span.end],
    }
