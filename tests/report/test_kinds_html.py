"""The table of shared text in the HTML report, on the terminal and in the JSON file."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

from rich.console import Console

from colde.explain.kinds import shared_text
from colde.report.html import to_html
from colde.report.kinds_html import kinds_html
from colde.report.terminal import print_report
from colde.results.comparison import Comparison
from tests.report.test_schema import validator


def test_each_number_is_a_link_to_its_passages(comparison: Comparison) -> None:
    assert kinds_html(comparison) == "", "not counted yet"
    counted = replace(comparison, shared=shared_text(comparison))
    page = to_html(counted)
    assert '<a href="#shared-copied">' in page and 'id="shared-copied"' in page
    assert "The lamp turns once a minute" in kinds_html(counted)


def test_the_terminal_prints_the_table(comparison: Comparison) -> None:
    console = Console(width=80, record=True, file=StringIO())
    print_report(replace(comparison, shared=shared_text(comparison)), console)
    text = console.export_text()
    assert "copied" in text and "each counted once" in text


def test_json_validates(comparison: Comparison) -> None:
    counted = replace(comparison, shared=shared_text(comparison, ("small",)))
    data = json.loads(counted.to_json())
    validator("comparison").validate(data)
    assert data["shared"]["left_out"] == ["small"] and data["shared"]["kinds"][0]["kind"] == "copied"
    assert data["shared"]["passages"][0]["words"] >= 6
