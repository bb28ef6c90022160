"""The table of shared text in the HTML report, on the terminal and in the JSON file."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

from rich.console import Console

from colde.explain.text_overlap import shared_text
from colde.report.html_report import to_html
from colde.report.terminal_report import print_report
from colde.results.comparison import Comparison
from colde.results.shared_text import SPLIT_NAMES, Exclusion, SentenceMatches
from tests.schemas import validate


def counted(comparison: Comparison, *leave_out: Exclusion) -> Comparison:
    shared = shared_text(comparison.a, comparison.b, SentenceMatches(()), leave_out)
    return replace(comparison, shared=shared)


def test_each_number_is_a_link_to_its_passages(comparison: Comparison) -> None:
    heading = "<h2>How much is shared</h2>"
    assert heading not in to_html(comparison), "not counted yet"
    page = to_html(counted(comparison))
    assert '<a href="#shared-copied">' in page and 'id="shared-copied"' in page
    section = page[page.index(heading) : page.index('<div id="view">')]
    assert "The lamp turns once a minute" in section


def test_the_terminal_prints_the_table(comparison: Comparison) -> None:
    console = Console(width=80, record=True, file=StringIO())
    print_report(counted(comparison), console)
    text = console.export_text()
    assert "copied" in text and "each is counted once" in " ".join(text.split())


def test_json_validates(comparison: Comparison) -> None:
    data = json.loads(counted(comparison, "small").to_json())
    validate("comparison", data)
    assert data["shared"]["left_out"] == ["small"] and data["shared"]["kinds"][0]["kind"] == "copied"
    for kind in data["shared"]["kinds"]:
        name = SPLIT_NAMES[kind["kind"]]
        assert (kind["a"], kind["b"]) == (data["split"]["a"][name], data["split"]["b"][name])
    assert sum(data["split"]["a"].values()) == 1
