"""Thresholds, probabilities and percentiles against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, roc_auc_score

from colde.calibration import best_threshold, fit_profile, judge, percentile, probability
from colde.models.base import Calibration, Profile


def pairs(count: int = 2_000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores whose true probability of being similar is known: logistic with slope 6, offset −3."""
    random = np.random.default_rng(seed)
    scores = random.uniform(0, 1, count)
    return scores, (random.uniform(size=count) < 1 / (1 + np.exp(-(6 * scores - 3)))).astype(int)


def test_recovers_a_known_calibration() -> None:
    scores, labels = pairs(40_000)
    profile = fit_profile("papers", scores.tolist(), labels.tolist(), scores.tolist())
    assert profile.calibration is not None
    assert profile.calibration.slope == pytest.approx(6, rel=0.05)
    assert profile.calibration.offset == pytest.approx(-3, rel=0.05)
    assert profile.threshold == pytest.approx(0.5, abs=0.03)
    assert profile.measured["auc"] == pytest.approx(roc_auc_score(labels, scores))
    assert profile.measured["accuracy"] == pytest.approx(accuracy_score(labels, scores >= profile.threshold))


def test_the_threshold_is_within_half_a_standard_error_of_the_best() -> None:
    scores, labels = pairs(300, 3)
    found = best_threshold(scores, labels, np.ones(300))
    best = max(accuracy_score(labels, scores >= t) for t in [*scores, 2.0])
    got = accuracy_score(labels, scores >= found)
    assert best >= got >= best - np.sqrt(best * (1 - best) / 300)


def test_weights_pool_corpora_evenly() -> None:
    scores, labels = pairs(500, 1)
    doubled = fit_profile("x", np.r_[scores, scores].tolist(), np.r_[labels, labels].tolist(), [0.0, 1.0])
    weighted = fit_profile("x", scores.tolist(), labels.tolist(), [0.0, 1.0], [2.0] * 500)
    assert doubled.calibration is not None and weighted.calibration is not None
    assert doubled.calibration.slope == pytest.approx(weighted.calibration.slope, rel=1e-3)


@given(st.floats(-5, 5), st.floats(0.1, 500), st.floats(-500, 500))
def test_a_probability_is_one_whatever_the_score(score: float, slope: float, offset: float) -> None:
    assert 0 <= probability(score, Calibration(slope, offset)) <= 1


def test_percentile_by_hand() -> None:
    quantiles = [0.0, 0.1, 0.2, 0.4, 1.0]
    assert percentile(0.2, quantiles) == pytest.approx(0.5)
    assert percentile(0.3, quantiles) == pytest.approx(0.625)
    assert percentile(-1, quantiles) == 0 and percentile(2, quantiles) == 1


def test_a_missing_profile_falls_back_to_papers_and_says_so() -> None:
    papers = Profile("papers", 0.5)
    assert judge(0.6, {"papers": papers}, "proposals").profile == "papers"
    assert judge(0.6, {}, "proposals").threshold is None
    assert judge(0.5, {"papers": papers}, "papers").similar is True
