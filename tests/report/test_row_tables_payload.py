"""The claim chart as the linked view gets it."""

from __future__ import annotations

from colde.comparison.claim_chart import (
    Cell,
    ChartCounterpart,
    ChartDocument,
    ChartPlace,
    ChartRow,
    ClaimChart,
)
from colde.report.ledger_and_chart.row_tables_payload import chart_payload
from colde.text.document import Span

FOUND = ChartPlace(4, 13, "Keys", 2, "", 3, "Keys are kept.")
CELLS = (
    Cell(True, 0.99, (ChartCounterpart(FOUND, "edited", 0.98765),), "accepted", "As agreed."),
    Cell(False, 0.97, (ChartCounterpart(FOUND, "same topic", 0.2),)),
    Cell(None, None, ()),
)


def chart(*cells: Cell) -> ClaimChart:
    rows = [
        ChartRow(
            number, ChartPlace(10 * number, 10 * number + 9, "Rules", None, "", None, "A rule."), (cell,)
        )
        for number, cell in enumerate(cells, 1)
    ]
    rates = dict.fromkeys(("verbatim", "edited", "reworded", "paraphrased", "false found"), 0.01)
    return ClaimChart(ChartDocument("A", "a.md"), (ChartDocument("B", "b.md"),), tuple(rows), rates)


def test_a_row_has_its_counterparts_or_the_closest_passage_and_no_decision() -> None:
    payload = chart_payload(chart(*CELLS), "requirements", (Span(30, 39),))
    assert payload["note"].startswith("3 rows: 1 found, 1 not found, 1 not searched.")
    assert payload["counts"] == {"found": 1, "not found": 1, "not searched": 1}
    assert "were missed" in payload["measured"]
    found, absent, unknown = payload["rows"]
    assert (found["kind"], found["reason"], found["place"]) == ("found", "Found in B (99 %)", "Rules")
    assert found["counterparts"] == [
        {"b": [4, 13], "kind": "edited", "certainty": 0.9877, "place": "Keys · p. 2, line 3"}
    ]
    assert (absent["kind"], absent["reason"]) == ("not found", "Not found in B (97 %)")
    assert absent["b"] == [4, 13], "the closest passage"
    assert (unknown["reason"], unknown["b"], unknown["counterparts"]) == ("Not searched", None, [])
    assert [row["added"] for row in payload["rows"]] == [False, False, True]
    assert not any("decision" in row for row in payload["rows"])


def test_an_empty_chart_says_what_was_looked_for_and_what_to_do() -> None:
    assert "“shall”" in chart_payload(chart(), "requirements", ())["note"]
    assert "four words" in chart_payload(chart(), "sentences", ())["note"]
    assert chart_payload(chart(CELLS[0]), "clauses", ())["measured"] == ""
