"""Differences between two texts as rows, on the terminal and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from colde.report.csv_tables import spreadsheet
from colde.report.formatting import clean, counted, quote, shorten
from colde.results.change import ChangeKind
from colde.results.comparison import Comparison

SHOWN = 10
"""Changes that the terminal prints."""
MAX_SENTENCE = 300
"""Characters of a sentence on the terminal."""
LABELS: Mapping[ChangeKind, str] = {
    "negation": "negation",
    "opposite": "opposite word",
    "roles": "roles exchanged",
    "number": "number or date",
    "name": "name",
    "obligation": "obligation",
    "only in a": "only in A",
    "only in b": "only in B",
    "table": "table",
    "moved and changed": "moved and changed",
    "moved": "moved",
    "wording": "wording",
}


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change with the text of its sentences, empty where a side has none, and the description of one in a table."""

    number: int
    kind: ChangeKind
    label: str
    a: str
    b: str
    importance: float
    description: str


def change_rows(comparison: Comparison) -> Iterator[ChangeRow]:
    """Yield every change, the most important first."""
    for number, change in enumerate(comparison.changes, 1):
        a, b = (
            "" if span is None else quote(document, span)
            for document, span in ((comparison.a, change.a), (comparison.b, change.b))
        )
        yield ChangeRow(number, change.kind, LABELS[change.kind], a, b, change.importance, change.description)


def print_changes(comparison: Comparison, console: Console) -> None:
    """Print the number of changes and the most important ones; nothing where there are none."""
    rows = list(change_rows(comparison))
    if not rows:
        return
    first = "" if len(rows) <= SHOWN else f", the {SHOWN} most important"
    console.print()
    console.print(Text(f"{counted(len(rows), 'change')}{first}", style="bold"))
    for row in rows[:SHOWN]:
        console.print(Text(f"{row.number}  {row.label}", style="bold"))
        if row.description:
            console.print(Text(f"   {shorten(clean(row.description), MAX_SENTENCE)}"))
        for letter, sentence in (("A", row.a), ("B", row.b)):
            if sentence and not row.description:
                console.print(Text(f"   {letter}  {shorten(clean(sentence), MAX_SENTENCE)}"))


def changes_table(comparison: Comparison) -> str:
    """All changes as CSV, with the offsets of their sentences; cells of a side without a sentence are empty."""
    rows = []
    for row, change in zip(change_rows(comparison), comparison.changes, strict=True):
        places = [(s.start, s.end) if s is not None else (None, None) for s in (change.a, change.b)]
        texts = (*places[0], row.a, *places[1], row.b, row.description)
        rows.append((row.number, row.kind, round(row.importance, 3), *texts))
    header = (
        "number", "kind", "importance", "a_start", "a_end", "a_text", "b_start", "b_end", "b_text", "description",
    )  # fmt: skip
    return spreadsheet(header, rows)
