"""The sources of a document as tables for spreadsheets and scripts (CSV)."""

from __future__ import annotations

from collections.abc import Iterator

from colde.index.sources.counted_sources import Sources
from colde.report.tables.csv_tables import placed_text, spreadsheet
from colde.results.shared_text import DIGITS


def sources_tables(sources: Sources) -> Iterator[tuple[str, str]]:
    """File name and content of sources.csv, passages.csv and, where there are any, versions.csv."""
    yield "sources.csv", _ranking(sources)
    yield "passages.csv", _passages(sources)
    if sources.versions:
        rows = ((v.id, v.name, v.title, round(v.share, DIGITS), v.counted) for v in sources.versions)
        yield "versions.csv", spreadsheet(("id", "name", "title", "share", "counted"), rows)


def _ranking(sources: Sources) -> str:
    header = ("number", "id", "name", "title", "share", "words", "own_words", "longest", "passages")
    rows = (
        (
            s.number,
            s.id,
            s.name,
            s.title,
            round(s.share, DIGITS),
            s.words,
            s.own_words,
            s.longest,
            len(s.passages),
        )
        for s in sources
    )
    return spreadsheet(header, rows)


def _passages(sources: Sources) -> str:
    header = ["source", "name", "kind", "words", "certainty", "standard", "also", "decision", "note"]
    for side in "ab":
        header += [f"{side}_start", f"{side}_end", f"{side}_section", f"{side}_page", f"{side}_text"]
    rows = (
        [
            source.number,
            source.name,
            p.kind,
            p.words,
            round(p.certainty, DIGITS),
            p.standard,
            " ".join(map(str, p.also)),
            p.decision,
            p.note,
            *placed_text(sources.document, p.a),
            *placed_text(source.text, p.b),
        ]
        for source in sources
        for p in source.passages
    )
    return spreadsheet(header, rows)
