"""The verdict in words, and the position of a score against its threshold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from colde.report.html_report import to_html
from colde.report.score_position import score_position
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


@pytest.mark.parametrize(
    ("score", "threshold", "position"),
    [
        (0.2, 0.2, 0.5),
        (0.1, 0.2, 0.25),
        (0.6, 0.2, 0.75),
        (1.0, 0.2, 1.0),
        (0.0, 0.2, 0.0),
        (-0.4, 0.2, 0.0),
        (1.7, 0.2, 1.0),
        (-1.5, -1.0, 0.25),
        (15.0, 10.0, 0.75),
        (0.5, None, None),
    ],
)
def test_the_threshold_is_the_middle_and_each_side_has_its_scale(
    score: float, threshold: float | None, position: float | None
) -> None:
    found = score_position(replace(example().results[0], score=score, threshold=threshold))
    assert found == (None if position is None else pytest.approx(position))
