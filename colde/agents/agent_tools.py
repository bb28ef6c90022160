"""What an agent may ask: read a document, compare two, chart requirements, search an index. Answers are short."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from colde import models
from colde.agents.allowed_folders import AllowedFolders
from colde.comparison.claim_chart import Cell, claim_chart
from colde.errors import ColdeError
from colde.index import Index
from colde.index.index_results import Level
from colde.index.sources.counted_sources import Sources
from colde.ingest import read
from colde.report.wording.verdict import verdict
from colde.results.change import LABELS
from colde.results.comparison import Comparison
from colde.results.passage import Passage
from colde.text.clauses_and_requirements.requirements import Rows
from colde.text.document import Document, Span
from colde.text.reading_grade import reading_grade

MOST_CHARACTERS = 20_000
"""Characters of a document in one answer."""
MOST_PASSAGE = 600
"""Characters of a quoted passage."""
MOST_ITEMS = 50
"""Items of a list in one answer."""
MOST_OTHERS = 4
"""Documents that one chart compares with the first one."""
KEPT = MOST_OTHERS
"""Comparisons that are kept for further questions."""


class ToolUseError(ColdeError):
    """Arguments that a tool does not take."""


class AgentTools:
    """The tools. Every text of a document is in a field named `untrusted_text`."""

    def __init__(self, folders: AllowedFolders) -> None:
        self._folders = folders
        self._comparisons: OrderedDict[tuple[str, str, str], Comparison] = OrderedDict()
        self._sources: tuple[tuple[str, str], Sources] | None = None
        self._load = cache(models.load)

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
        score = comparison.models[0]
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

    def chart_requirements(
        self, a: str, others: list[str], rows: Rows = "requirements", offset: int = 0, limit: int = 20
    ) -> dict[str, Any]:
        """Chart the requirements of a: for each one its counterparts in other documents, or that none was found.

        Args:
            a: a file below an allowed folder. others: one to four other ones.
            rows: requirements (numbered paragraphs, and sentences with words such as shall), clauses, or sentences.
        """
        if not 1 <= len(others) <= MOST_OTHERS:
            raise ToolUseError(f"name 1 to {MOST_OTHERS} other documents")
        comparisons = [self._compare(a, other) for other in others]
        chart = claim_chart(comparisons, rows)
        one = comparisons[0].a
        items = [
            {
                "number": row.number,
                "a": _quoted(one, Span(row.a.start, row.a.end)),
                "cells": [_cell(c, cell) for c, cell in zip(comparisons, row.cells, strict=True)],
            }
            for row in _part(chart.rows, offset, limit)
        ]
        not_searched = {d.source: d.not_searched for d in chart.documents if d.not_searched}
        return {"others": others, "not_searched": not_searched, **_page(items, len(chart.rows), offset)}

    def search_index(self, path: str, index: str, by: Level = "document", limit: int = 10) -> dict[str, Any]:
        """Find the documents of an index that are most like a document, best first, with the passages they share.

        Args:
            path: a file below an allowed folder. index: a folder below one, which `colde index add` made.
            by: document compares whole documents; passage finds documents with a passage like a part of the file.
        """
        document, held = self._read(path), self._index(index)
        hits = held.search(document, limit=max(1, min(limit, MOST_ITEMS)), level=by)
        items = []
        for hit in hits:
            text = held.read(hit.document.id)
            items.append(
                {
                    "name": hit.document.name,
                    "title": {"untrusted_text": _cut(hit.document.title)},
                    "score": round(hit.score, 4),
                    "probability": hit.probability,
                    "says": hit.says,
                    "passages": [
                        {"query": _quoted(document, p.query), "found": _quoted(text, p.span)}
                        for p in hit.passages
                    ],
                }
            )
        return {"items": items}

    def list_sources(self, path: str, index: str, offset: int = 0, limit: int = 20) -> dict[str, Any]:
        """List the passages of a document that documents of an index share, in reading order, with their sources.

        Versions of the document itself are named, and do not count.

        Args:
            path: a file below an allowed folder. index: a folder below one, which `colde index add` made.
        """
        sources = self._find_sources(path, index, anew=offset <= 0)
        passages = sorted(
            ((source, passage) for source in sources for passage in source.passages),
            key=lambda one: (one[1].a.start, one[0].number),
        )
        items = [
            {
                "source": source.number,
                "kind": passage.kind,
                "words": passage.words,
                "a": _quoted(sources.document, passage.a),
                "b": _quoted(source.text, passage.b),
            }
            for source, passage in _part(passages, offset, limit)
        ]
        return {
            "words": sources.words,
            "shared_words": sources.shared_words,
            "sources": [
                {"number": s.number, "name": s.name, "words": s.words, "share": round(s.share, 4)}
                for s in sources.sources[:MOST_ITEMS]
            ],
            "versions": [v.name for v in sources.versions[:MOST_ITEMS]],
            **_page(items, len(passages), offset),
        }

    def _index(self, folder: str) -> Index:
        return Index(self._folders.folder(folder), loader=self._load)

    def _find_sources(self, path: str, folder: str, anew: bool) -> Sources:
        """The sources of a document; the last ones are kept for the next parts of their list."""
        document, index = self._read(path), self._index(folder)
        key = (document.file, str(index.folder))
        if anew or self._sources is None or self._sources[0] != key:
            self._sources = key, index.sources(document)
        return self._sources[1]

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
            self._comparisons[key] = pipeline.compare(one, two, models.registered_models(model)[:1])
            while len(self._comparisons) > KEPT:
                self._comparisons.popitem(last=False)
        return self._comparisons[key]


def _part(items: Sequence[Any], offset: int, limit: int) -> Sequence[Any]:
    offset = max(0, offset)
    return items[offset : offset + max(1, min(limit, MOST_ITEMS))]


def _page(items: list[dict[str, Any]], total: int, offset: int) -> dict[str, Any]:
    end = max(0, offset) + len(items)
    return {"items": items, "total": total, "next": end if end < total else None}


def _cell(comparison: Comparison, cell: Cell) -> dict[str, Any]:
    return {
        "found": cell.found,
        "probability": cell.probability,
        "counterparts": [
            {"kind": c.kind, "certainty": c.certainty, "b": _quoted(comparison.b, Span(c.b.start, c.b.end))}
            for c in cell.counterparts
        ],
    }


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
