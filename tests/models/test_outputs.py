"""Every model through every output: terminal, JSON, CSV, HTML, and the payload of the page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from rich.console import Console

from colde.comparison.pipeline import compare
from colde.evaluation.model_contract import Subject
from colde.models.base import Matcher
from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.tables.csv_tables import tables
from colde.report.terminal.terminal_report import print_report
from colde.results.comparison import Comparison
from colde.results.encoding import Encoding
from colde.results.pair_result import PairResult
from colde.text.document import Document
from tests.models.groups import SHIPPED, subject_of


class Answered:
    """A model that gives the answer it gave to the contract: tested here is what becomes of an answer."""

    def __init__(self, known: Subject) -> None:
        self.known, self.card, self.profiles = known, known.model.card, known.model.profiles

    def encode(self, documents: Sequence[Document], **options: object) -> tuple[Encoding, Encoding]:
        assert [d.text for d in documents] == [d.text for d in self.known.pair]
        return self.known.encoded

    def match(self, a: Encoding, b: Encoding) -> PairResult:
        return self.known.result


@pytest.fixture(scope="module", params=SHIPPED)
def comparison(request: pytest.FixtureRequest) -> Comparison:
    known = subject_of(request.param)
    return compare(*known.pair, [request.param], loader=lambda name: cast(Matcher, Answered(known)))


def test_terminal(comparison: Comparison) -> None:
    console = Console(file=io.StringIO(), width=100, record=True)
    print_report(comparison, console)
    assert comparison.models[0].title in console.export_text()


def test_json(comparison: Comparison) -> None:
    found = json.loads(comparison.to_json())
    (result,) = found["models"]
    assert result["score"] == comparison.models[0].score
    for name, values in found["maps"][result["name"]].items():
        again = np.array([[np.nan if v is None else v for v in row] for row in values["values"]])
        np.testing.assert_allclose(again, comparison.maps[result["name"]][name].values, atol=1e-6)
        assert {"role", "level", "side", "unit", "scale"} <= values.keys()


def test_csv(comparison: Comparison) -> None:
    found = dict(tables(comparison))
    maps = comparison.maps[comparison.models[0].name]
    assert len(found) == len(maps) + len(["scores", "passages", "set_aside", "split"])
    for name, text in found.items():
        rows = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1 or name in ("set_aside.csv", "passages.csv")  # nothing set aside, nothing shared


def test_html(comparison: Comparison) -> None:
    page = to_html(comparison)
    assert comparison.models[0].title in page and page.count("<script") == page.count("</script>")


def test_payload(comparison: Comparison) -> None:
    payload = view_payload(comparison)
    json.dumps(payload, allow_nan=False)
    name = comparison.models[0].name
    (model,) = [m for m in payload["models"] if m["name"] == name]
    drawn = len(model["maps"]) + sum(sum(s[x] is not None for x in "ab") for s in model["shadings"])
    by_section = "passages_section" in model["maps"]  # made of the map of chunks
    assert drawn == len(comparison.maps[name]) + by_section
