"""The claim chart as CSV and as a spreadsheet, and on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from colde.comparison.claim_chart import Cell, ChartDocument, ChartPlace, ClaimChart
from colde.report.formatting import clean, counted, hanging, sentence_case, shorten
from colde.report.tables.csv_tables import spreadsheet
from colde.report.tables.spreadsheet_file import spreadsheet_file
from colde.results.verdicts.verdict_words import percent_or_dash

HEADER = (
    "number", "a_section", "a_page", "a_line", "a_text", "document", "found", "probability", "kind", "certainty",
    "b_section", "b_page", "b_line", "b_text", "decision", "note",
)  # fmt: skip
"""Columns of the tables: a row for each counterpart."""
MAX_TEXT = 160
"""Characters of a passage on the terminal."""
FOUND, NOT_FOUND, NOT_SEARCHED = CELL_STATES = "found", "not found", "not searched"


def chart_rows_of(chart: ClaimChart) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the tables, in the order of `HEADER`: of a cell without a counterpart one row."""
    for row in chart.rows:
        for document, cell in zip(chart.documents, row.cells, strict=True):
            about = (row.number, *_place(row.a), document_name(document), cell_state(cell), cell.probability)
            for counterpart in (cell.counterparts if cell.found else ()) or (None,):
                other: tuple[object, ...] = (None,) * 6
                if counterpart is not None:
                    other = (counterpart.kind, round(counterpart.certainty, 4), *_place(counterpart.b))
                yield (*about, *other, cell.decision or "open", cell.note)


def to_csv(chart: ClaimChart) -> str:
    """The chart as RFC 4180 text; texts that begin as a formula get an apostrophe."""
    return spreadsheet(HEADER, chart_rows_of(chart))


def to_xlsx(chart: ClaimChart) -> bytes:
    """The chart as a spreadsheet with a filter in its header; texts stay texts."""
    rows = chart_rows_of(chart)
    return spreadsheet_file(chart_title(chart), "Claim chart", HEADER, rows, chart_notes(chart))


def print_chart(chart: ClaimChart, console: Console) -> None:
    """Print the notes, and each row with what was found."""
    for text in chart_notes(chart):
        console.print(Text(clean(text)))
    for row in chart.rows:
        console.print()
        number = Text(f"{row.number}", "bold")
        console.print(hanging(0, number, Text(shorten(clean(row.a.text), MAX_TEXT), "bold")))
        for document, cell in zip(chart.documents, row.cells, strict=True):
            console.print(Text(f"   {clean(cell_words(cell, document_name(document)))}"))
            for counterpart in cell.counterparts if cell.found else cell.counterparts[:1]:
                quoted = (
                    f"{clean(place_words(counterpart.b))}: {shorten(clean(counterpart.b.text), MAX_TEXT)}"
                )
                kind = counterpart.kind if cell.found else "closest passage"
                console.print(hanging(3, f"{kind} {percent_or_dash(counterpart.certainty)}", quoted))


def chart_title(chart: ClaimChart) -> str:
    """`Claim chart: A and B, C`."""
    return f"Claim chart: {document_name(chart.a)} and {', '.join(map(document_name, chart.documents))}"


def chart_notes(chart: ClaimChart) -> list[str]:
    """Sentences on how many rows have counterparts, and on how often “not found” is wrong."""
    notes = [counted(len(chart.rows), "row") + f" of {document_name(chart.a)}."]
    for k, document in enumerate(chart.documents):
        counts = Counter(cell_state(row.cells[k]) for row in chart.rows)
        words = [f"{counts[name]} {name}" for name in (FOUND, NOT_FOUND)]
        words += [f"{counts[NOT_SEARCHED]} {NOT_SEARCHED}"] if counts[NOT_SEARCHED] else []
        notes.append(f"{document_name(document)}: {', '.join(words)}.")
        if document.not_searched:
            notes.append(document.not_searched)
    return [*notes, *filter(None, [miss_rates_note(chart)])]


def miss_rates_note(chart: ClaimChart) -> str:
    """How often “found” and “not found” are wrong; empty where that was not measured."""
    rates = chart.miss_rates
    if not rates:
        return ""
    missed = ", ".join(
        f"{percent_or_dash(rates[k])} {k}" for k in ("verbatim", "edited", "reworded", "paraphrased")
    )
    return (
        f"Of sentences planted in other documents, these were missed: {missed}. Of sentences that were not there, "
        f"{percent_or_dash(rates['false found'])} were found by mistake."
    )


def document_name(document: ChartDocument) -> str:
    """Its file, else its title."""
    return document.source or document.title or "text"


def cell_words(cell: Cell, name: str) -> str:
    """What a cell says first: `Found in b.pdf (99 %)`, `Not found in b.pdf (97 %)`."""
    if cell.found is None:
        return sentence_case(NOT_SEARCHED)
    words = f"{'Found' if cell.found else 'Not found'} in {name}"
    return words if cell.probability is None else f"{words} ({percent_or_dash(cell.probability)})"


def cell_state(cell: Cell) -> str:
    """`found`, `not found` or `not searched`."""
    return NOT_SEARCHED if cell.found is None else FOUND if cell.found else NOT_FOUND


def _place(place: ChartPlace) -> tuple[object, ...]:
    return place.section or place.position, place.page, place.line, place.text


def place_words(place: ChartPlace) -> str:
    """`Termination · p. 3, line 12`."""
    page = "" if place.page is None else f"p. {place.page}"
    line = "" if place.line is None else f"line {place.line}"
    return " · ".join(filter(None, (place.section or place.position, ", ".join(filter(None, (page, line))))))
