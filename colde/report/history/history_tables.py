"""A version history as tables for spreadsheets and scripts (CSV)."""

from __future__ import annotations

from collections.abc import Iterator

from colde.comparison.version_history import VersionHistory
from colde.report.history.history_summary import KIND_ORDER
from colde.report.tables.csv_tables import spreadsheet


def history_tables(history: VersionHistory) -> Iterator[tuple[str, str]]:
    """File name and content of versions.csv, sentences.csv and steps.csv.

    Sentences are numbered from 1: those of the last version in reading order, then those that were removed.
    """
    kinds = [kind for kind in KIND_ORDER if any(kind in version.changes for version in history.versions)]
    versions = (
        (v.number, v.name, v.title, v.source, *(v.changes.get(kind, 0) for kind in kinds))
        for v in history.versions
    )
    yield "versions.csv", spreadsheet(("number", "name", "title", "source", *kinds), versions)
    every = list(enumerate((*history.sentences, *history.removed), 1))
    sentences = (
        (n, s.version, s.first, s.last, s.removed, s.heading, s.text.section, s.text.page, s.text.start, s.text.end,
         s.text.text)
        for n, s in every
    )  # fmt: skip
    header = (
        "number",
        "version",
        "first",
        "last",
        "removed",
        "heading",
        "section",
        "page",
        "start",
        "end",
        "text",
    )
    yield "sentences.csv", spreadsheet(header, sentences)
    steps = (
        (n, step.version, step.kind, step.before and step.before.text, step.after and step.after.text)
        for n, sentence in every
        for step in sentence.steps
    )
    yield "steps.csv", spreadsheet(("sentence", "version", "kind", "before", "after"), steps)
