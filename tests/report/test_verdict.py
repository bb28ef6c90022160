"""The verdict in words: it names its model, and counts only what unrelated texts rarely have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from colde.report.disagreement import disagreement
from colde.report.html_report import to_html
from colde.report.verdict import stance, verdict
from tests.report.example import example


def test_the_verdict_names_its_model() -> None:
    whole = example()
    first = replace(whole.results[0], title="SMITH", probability=0.83)
    said = verdict(replace(whole, results=(first,)))
    assert "SMITH" in said.sentence
    assert "83 in 100 were related" in said.sentence
    assert "both chosen" not in said.basis


@pytest.mark.parametrize(
    ("similar", "says", "label"), [(True, "related", "Related"), (False, "unrelated", "Unrelated")]
)
def test_one_vocabulary(similar: bool, says: str, label: str) -> None:
    whole = example()
    first = replace(whole.results[0], probability=None, similar=similar)
    assert stance(first) == says
    assert verdict(replace(whole, results=(first,))).label == label


def test_nothing_is_certain_in_the_report_either() -> None:
    whole = example()
    first = replace(whole.results[0], probability=0.9999, percentile=1.0)
    html = to_html(replace(whole, results=(first,)))
    assert '<td class="number">99 %</td>' in html
    assert html.count('<td class="number">100 %</td>') == 1, "a percentile is a count of pairs"


def test_two_models_of_three_are_named_and_not_called_both() -> None:
    whole = example()
    one, other = whole.results[0], whole.results[1]
    free = replace(other, title="Free", threshold=None, similar=None, probability=None)
    twice = [replace(one, title=title, probability=None, similar=True) for title in ("CoLDE", "TF-IDF")]
    (sides, *_) = disagreement(replace(whole, results=(*twice, free)))
    assert sides == "CoLDE and TF-IDF agree: related."
