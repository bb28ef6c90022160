"""Where scores stand against their thresholds: all thresholds on one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from colde.report.score_position import score_position
from tests.report.example import example

SCORE = example().results[0]


@pytest.mark.parametrize(
    ("score", "threshold", "at"),
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
    ],
)
def test_the_threshold_is_the_middle_and_each_side_has_its_scale(
    score: float, threshold: float, at: float
) -> None:
    assert score_position(replace(SCORE, score=score, threshold=threshold)) == pytest.approx(at)


def test_without_a_threshold_there_is_no_place() -> None:
    assert score_position(replace(SCORE, threshold=None)) is None
