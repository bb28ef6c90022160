"""The ledger as CSV and as a spreadsheet, and on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from colde.comparison.ledger import Ledger, LedgerDocument, LedgerKind, LedgerPlace, LedgerRow
from colde.report.formatting import clean, counted, hanging, passage_place, shorten
from colde.report.tables.csv_tables import spreadsheet
from colde.report.tables.spreadsheet_file import spreadsheet_file
from colde.results.shared_text import DIGITS

HEADER = (
    "number", "kind", "certainty", "a_section", "a_page", "a_text", "b_section", "b_page", "b_text", "reason",
    "also_section", "also_page", "also_text", "a_start", "a_end", "b_start", "b_end",
)  # fmt: skip
"""Columns of the tables."""
MEANINGS: Mapping[LedgerKind, str] = {
    "same": "both texts have it with the same words; form may differ",
    "reworded": "both have it with other words, numbers or names",
    "moved": "it stands in another place",
    "merged": "several sentences of one text are fewer in the other",
    "opposite": "the two disagree",
    "repeated": "the other text has it, but beside another sentence of this one",
    "dropped": "only A has it",
    "new": "only B has it",
}
LONGEST = 160
"""Characters of a sentence on the terminal."""


def ledger_rows(ledger: Ledger) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the tables, in the order of `HEADER`."""
    for row in ledger.rows:
        certainty = None if row.certainty is None else round(row.certainty, DIGITS)
        ends = (x for place in (row.a, row.b) for x in ((place.start, place.end) if place else (None, None)))
        places = (*_place(row.a), *_place(row.b), row.reason, *_place(row.also))
        yield (row.number, row.kind, certainty, *places, *ends)


def to_csv(ledger: Ledger) -> str:
    """The ledger as RFC 4180 text; texts that begin as a formula get an apostrophe."""
    return spreadsheet(HEADER, ledger_rows(ledger))


def to_xlsx(ledger: Ledger) -> bytes:
    """The ledger as a spreadsheet with a filter in its header; texts stay texts."""
    title = f"Ledger: {_name(ledger.a)} and {_name(ledger.b)}"
    return spreadsheet_file(title, "Ledger", HEADER, ledger_rows(ledger), ledger_notes(ledger))


def ledger_notes(ledger: Ledger) -> list[str]:
    """Sentences on the number of rows of each kind, and on what has none."""
    counts = ledger.counts
    notes = [f"{counted(len(ledger.rows), 'row')} of {_name(ledger.a)} (A) and {_name(ledger.b)} (B)."]
    notes += [f"{counts[kind]:,} {kind}: {meaning}." for kind, meaning in MEANINGS.items() if counts[kind]]
    for letter, document in (("A", ledger.a), ("B", ledger.b)):
        if document.left_out:
            notes.append(f"{counted(document.left_out, 'sentence')} of {letter} left out, without a row.")
    return [*notes, *filter(None, [ledger.not_searched])]


def print_ledger(ledger: Ledger, console: Console) -> None:
    """Print the notes, and each row that is not the same in both texts."""
    for text in ledger_notes(ledger):
        console.print(Text(clean(text)))
    for row in ledger.rows:
        if row.kind != "same":
            _print_row(row, console)


def _print_row(row: LedgerRow, console: Console) -> None:
    certainty = "" if row.certainty is None else f" ({row.certainty:.0%})".replace("%", " %")
    console.print()
    console.print(Text(f"{row.number}  {row.kind}{certainty}  {clean(row.reason)}", style="bold"))
    for letter, place in (("A", row.a), ("B", row.b)):
        if place is not None:
            console.print(hanging(3, letter, _placed(place)))
    if row.also is not None:
        console.print(hanging(3, "also", _placed(row.also)))


def _placed(place: LedgerPlace) -> str:
    return f"{passage_place(place)}: {shorten(clean(place.text), LONGEST)}"


def _place(place: LedgerPlace | None) -> tuple[object, ...]:
    return (None, None, None) if place is None else (place.section or place.position, place.page, place.text)


def _name(document: LedgerDocument) -> str:
    """Its file, else its title."""
    return document.source or document.title or "text"
