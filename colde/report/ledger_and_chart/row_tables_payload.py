"""The ledger and the claim chart as the linked view has them: places are `[start, end]`, texts are not repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from colde.comparison.claim_chart import ChartRow, ClaimChart
from colde.comparison.ledger import Ledger
from colde.report.formatting import counted
from colde.report.ledger_and_chart.chart_tables import (
    CELL_STATES,
    NOT_FOUND,
    cell_state,
    cell_words,
    miss_rates_note,
    place_words,
)
from colde.results.shared_text import DIGITS
from colde.serialise import to_value
from colde.text.clauses_and_requirements.requirements import Rows
from colde.text.document import Span

NO_ROWS = (
    "{} Choose which passages are rows, or click a sentence of A and press “Add to chart” below the text."
)
NO_REQUIREMENTS = "A has no numbered paragraphs, and no sentences with words such as “shall”."
NO_LONG_PASSAGES = "A has no passage of four words or more."


def ledger_payload(ledger: Ledger) -> dict[str, Any]:
    """The rows of the ledger, the number of each kind, and a sentence above the table."""
    rows = counted(len(ledger.rows), "row")
    note = f"{rows}. Every sentence of both texts stands in one of them. Press a row to see it in both texts."
    return {
        "note": " ".join(filter(None, (note, ledger.not_searched))),
        "counts": to_value(ledger.counts),
        "rows": [
            {
                "number": row.number,
                "kind": row.kind,
                "certainty": row.certainty,
                "reason": row.reason,
                "a": _ends(row.a),
                "b": _ends(row.b),
                "also": _ends(row.also),
            }
            for row in ledger.rows
        ],
    }


def chart_payload(chart: ClaimChart, rows: Rows, added: Collection[Span]) -> dict[str, Any]:
    """The rows of the claim chart of one other document, with the decisions left out, which the view knows.

    Args:
        rows: which passages of A are rows.
        added: those that the reviewer has added.
    """
    states = Counter(cell_state(row.cells[0]) for row in chart.rows)
    counts = {state: states[state] for state in CELL_STATES}
    numbers = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    note = f"{counted(len(chart.rows), 'row')}: {numbers}. Press a row to see it in both texts."
    if not chart.rows:
        note = NO_ROWS.format(NO_REQUIREMENTS if rows == "requirements" else NO_LONG_PASSAGES)
    return {
        "note": " ".join(filter(None, (note, chart.documents[0].not_searched))),
        "counts": counts,
        "measured": miss_rates_note(chart) if counts[NOT_FOUND] else "",
        "rows": [_chart_row(row, added) for row in chart.rows],
    }


def _chart_row(row: ChartRow, added: Collection[Span]) -> dict[str, Any]:
    (cell,) = row.cells
    return {
        "number": row.number,
        "kind": cell_state(cell),
        "certainty": cell.probability,
        "reason": cell_words(cell, "B"),
        "a": _ends(row.a),
        "b": next((_ends(c.b) for c in cell.counterparts), None),
        "also": None,
        "place": place_words(row.a),
        "added": Span(row.a.start, row.a.end) in added,
        "counterparts": [
            {
                "b": _ends(c.b),
                "kind": c.kind,
                "certainty": round(c.certainty, DIGITS),
                "place": place_words(c.b),
            }
            for c in cell.counterparts
        ],
    }


def _ends(place: Span | None) -> list[int] | None:
    return None if place is None else [place.start, place.end]
