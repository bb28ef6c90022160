"""What an agent may ask: read a document, compare two, list passages, changes and counterparts. Answers are short."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from colde.agents.allowed_folders import AllowedFolders
from colde.ingest import read
from colde.report.changes_report import LABELS
from colde.report.verdict import verdict
from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.text.document import Document, Span
from colde.text.reading_grade import reading_grade

MOST_CHARACTERS = 20_000
"""Characters of a document in one answer."""
MOST_PASSAGE = 600
"""Characters of a quoted passage."""
MOST_ITEMS = 50
"""Items of a list in one answer."""
KEPT = 4
"""Comparisons that are kept for further questions."""


class AgentTools:
    """The tools. Every text of a document is in a field named `untrusted_text`."""

    def __init__(self, folders: AllowedFolders) -> None:
        self._folders = folders
        self._comparisons: OrderedDict[tuple[str, str, str], Comparison] = OrderedDict()

    def read_document(self, path: str, start: int = 0) -> dict[str, Any]:
        """Read a document: its outline, and up to 20,000 characters of its text from an offset.

        Args:
            path: a file below an allowed folder.
            start: offset of the first character; `next` in the answer is the offset to go on with.
        """
        document = self._read(path)
        start = max(0, start)
        end = min(len(document.text), start + MOST_CHARACTERS)
        sections = [s for s in document.sections if s.heading]
        return {
            "title": document.title,
            "format": document.format,
            "pages": document.pages,
            "language": document.language,
            "reading": str(reading_grade(document)),
            "characters": len(document.text),
            "sections": [
                {"untrusted_text": _cut(s.heading or ""), "level": s.level, "start": s.start, "end": s.end}
                for s in sections[:MOST_ITEMS]
            ],
            "untrusted_text": document.text[start:end],
            "start": start,
            "next": end if end < len(document.text) else None,
        }

    def compare_documents(self, a: str, b: str, model: str = "colde_words") -> dict[str, Any]:
        """Compare two documents: verdict, score, how much of each is in the other, number of passages and changes.

        Args:
            a: a file below an allowed folder. b: another one.
            model: as `colde models` lists them.
        """
        comparison = self._compare(a, b, model)
        score = comparison.results[0]
        return {
            "headline": verdict(comparison).headline,
            "model": score.name,
            "score": round(score.score, 4),
            "threshold": score.threshold,
            "probability": score.probability,
            "says": score.says,
            "split": comparison.split,
            "passages": 0 if comparison.shared is None else len(comparison.shared.passages),
            "changes": len(comparison.changes),
            "warnings": comparison.warnings,
        }

    def list_passages(self, a: str, b: str, offset: int = 0, limit: int = 20) -> dict[str, Any]:
        """List the shared passages of two documents, strongest first, each with kind, certainty, page and offsets."""
        comparison = self._compare(a, b)
        passages = () if comparison.shared is None else comparison.shared.passages
        return _page(
            [
                {"kind": p.kind, "certainty": round(p.certainty, 3), **_sides(comparison, p.a, p.b)}
                for p in _part(passages, offset, limit)
            ],
            len(passages),
            offset,
        )

    def list_changes(self, a: str, b: str, offset: int = 0, limit: int = 20) -> dict[str, Any]:
        """List the changes from a to b, the most important first, each with kind, page and offsets."""
        comparison = self._compare(a, b)
        return _page(
            [
                {"kind": LABELS[c.kind], "importance": round(c.importance, 3), **_sides(comparison, c.a, c.b)}
                for c in _part(comparison.changes, offset, limit)
            ],
            len(comparison.changes),
            offset,
        )

    def find_counterparts(self, a: str, b: str, start: int, end: int) -> dict[str, Any]:
        """Find what in b says the same as a passage of a, given by its offsets, or comes closest to it."""
        comparison = self._compare(a, b)
        counterparts = comparison.counterparts(start, end)
        items = [
            {"kind": c.kind, "certainty": round(c.certainty, 3), "b": _quoted(comparison.b, c.b)}
            for c in counterparts
        ]
        return {"a": _quoted(comparison.a, Span(start, end)), "counterparts": items}

    def _read(self, path: str) -> Document:
        return read(self._folders.file(path))

    def _compare(self, a: str, b: str, model: str = "tfidf") -> Comparison:
        """A comparison; passages and changes are the same for every model, so that any kept one will do for them."""
        from colde.comparison import pipeline
        from colde.comparison.standard_text import prepare_documents

        documents = [self._read(path) for path in (a, b)]
        key = (documents[0].file, documents[1].file, model)
        if key not in self._comparisons:
            one, two = prepare_documents(documents)
            self._comparisons[key] = pipeline.compare(one, two, (model,))
            while len(self._comparisons) > KEPT:
                self._comparisons.popitem(last=False)
        return self._comparisons[key]


def _part(items: Sequence[Any], offset: int, limit: int) -> Sequence[Any]:
    offset = max(0, offset)
    return items[offset : offset + max(1, min(limit, MOST_ITEMS))]


def _page(items: list[dict[str, Any]], total: int, offset: int) -> dict[str, Any]:
    end = max(0, offset) + len(items)
    return {"items": items, "total": total, "next": end if end < total else None}


def _sides(comparison: Comparison, a: Span | None, b: Span | None) -> Mapping[str, Any]:
    return {
        letter: None if span is None else _quoted(document, span)
        for letter, document, span in (("a", comparison.a, a), ("b", comparison.b, b))
    }


def _quoted(document: Document, span: Span) -> dict[str, Any]:
    start, end = max(0, span.start), min(len(document.text), span.end)
    place = Passage.at(document, Span(start, max(start, end)))
    return {
        "start": start,
        "end": end,
        "page": place.page,
        "section": place.section or place.position,
        "untrusted_text": _cut(document.text[start:end]),
    }


def _cut(text: str) -> str:
    return text if len(text) <= MOST_PASSAGE else f"{text[: MOST_PASSAGE - 1]}…"
