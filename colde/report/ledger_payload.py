"""The ledger as the linked view has it: places are `[start, end]`, texts are not repeated."""

from __future__ import annotations

from typing import Any

from colde.comparison.ledger import Ledger
from colde.report.formatting import counted
from colde.serialise import to_value
from colde.text.document import Span


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


def _ends(place: Span | None) -> list[int] | None:
    return None if place is None else [place.start, place.end]
