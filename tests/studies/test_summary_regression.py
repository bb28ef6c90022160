"""The regression of summaries: what a candidate adds to the measures decides how much it counts."""

from __future__ import annotations

import pytest

from colde.passages.fitted_limits import fitted_limits
from colde.passages.summaries import SummaryFeatures
from studies.passages.detection_measures import Case
from studies.passages.summary_regression import added, fitted

CASE: Case = ((100, 200), (500, 900))
PIECES: list[Case] = [((100, 150), (500, 550)), ((150, 200), (850, 900))]


def test_a_candidate_adds_what_its_pieces_miss() -> None:
    assert added(CASE, PIECES, [CASE]) == pytest.approx(1 - 200 / 500)
    assert added(CASE, [], [CASE]) == 1
    assert added(CASE, [CASE], [CASE]) == 0


def test_a_candidate_takes_away_what_no_case_has() -> None:
    assert added(CASE, [], []) == -1
    wide: Case = ((100, 200), (100, 900))
    small: Case = ((100, 200), (500, 600))
    assert added(wide, [small], [small]) == pytest.approx(-(1 - 200 / 900))


def test_the_regression_follows_the_examples_that_count() -> None:
    def example(together: float, value: float) -> tuple[SummaryFeatures, float]:
        return SummaryFeatures(together, 1.0, 10.0, 2.0, 1.0), value

    some = [example(0.1 * k, 1.0 if k < 5 else -1.0) for k in range(10)]
    limits = fitted([*some, example(0.0, -0.001)], fitted_limits().summaries)
    assert limits.weights.together < 0
    assert limits.intercept + limits.weights.values() @ example(0.1, 0)[0].values() > 0
    assert limits.intercept + limits.weights.values() @ example(0.9, 0)[0].values() < 0
    assert (limits.gap, limits.reach) == (fitted_limits().summaries.gap, fitted_limits().summaries.reach)
