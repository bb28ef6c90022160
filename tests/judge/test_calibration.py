"""Thresholds, probabilities and percentiles against scikit-learn and by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score

from colde import models
from colde.judge.calibration import (
    Background,
    Calibration,
    Judgement,
    Profile,
    judge,
    percentile,
    probability,
)
from colde.judge.log_odds import from_log_odds, log_odds
from colde.judge.profile_fit import CorpusScores, best_threshold, fit_calibration, fit_profile
from colde.models.checkpoint import profile_from_json, profile_to_json, read_config, write_checkpoint
from colde.results.model_score import ScoreKind
from colde.results.verdicts.prior import prior_weights


def pairs(count: int = 2_000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores whose true probability of being similar is known: logistic with slope 6, offset −3."""
    random = np.random.default_rng(seed)
    scores = random.uniform(0, 1, count)
    return scores, (random.uniform(size=count) < 1 / (1 + np.exp(-(6 * scores - 3)))).astype(int)


def fitted(scores: np.ndarray, labels: np.ndarray, kind: ScoreKind = "cosine") -> Profile:
    return fit_profile("papers", [CorpusScores("acl", scores, labels, np.array([0.1, 0.2]))], kind)


def test_recovers_a_known_calibration() -> None:
    scores, labels = pairs(40_000)
    profile = fitted(scores, labels)
    assert profile.calibration is not None
    assert profile.calibration.slope == pytest.approx(6, rel=0.05)
    assert profile.calibration.offset == pytest.approx(-3, rel=0.05)
    assert profile.threshold == pytest.approx(0.5, abs=0.03)
    weights = prior_weights(labels, 0.5)
    correct = accuracy_score(labels, scores >= profile.threshold, sample_weight=weights)
    assert profile.measured["auc"] == pytest.approx(roc_auc_score(labels, scores))
    assert profile.measured["accuracy"] == pytest.approx(correct)


@pytest.mark.parametrize("name", [name for name in models.cards() if models.is_trained(name)])
def test_the_thresholds_that_ship_have_a_probability_of_a_half(name: str) -> None:
    for profile in read_config(models.checkpoint(name)).profiles.values():
        assert profile.calibration is not None and profile.calibration.slope > 0
        assert probability(profile.threshold, profile.calibration) == pytest.approx(0.5), profile.name


def test_the_threshold_is_within_half_a_standard_error_of_the_best() -> None:
    scores, labels = pairs(300, 3)
    found = best_threshold(scores, labels, np.ones(300))
    best = max(accuracy_score(labels, scores >= t) for t in [*scores, 2.0])
    got = accuracy_score(labels, scores >= found)
    assert best >= got >= best - np.sqrt(best * (1 - best) / 300)


def test_a_pooled_profile_weighs_corpora_and_labels_evenly() -> None:
    """A corpus of ten times as many pairs pulls the threshold no more than a small one."""
    random = np.random.default_rng(1)
    corpora = []
    for name, middle, count, related in (("small", 0.3, 600, 0.5), ("large", 0.7, 6_000, 0.1)):
        labels = (random.random(count) < related).astype(int)
        scores = random.normal(middle + 0.2 * (labels - 0.5), 0.1)
        corpora.append(CorpusScores(name, scores, labels, scores[labels == 0], ("en",)))
    pooled = fit_profile("general", corpora)
    assert pooled.threshold == pytest.approx(0.5, abs=0.02)
    assert (pooled.corpora, pooled.languages) == (("small", "large"), ("en",))
    assert pooled.measured["pairs"] == 6_600


def overconfident(count: int, seed: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities of a network whose logits are three times too great, the labels, and the true probabilities."""
    random = np.random.default_rng(seed)
    true = expit(random.normal(0.4, 1.5, count))
    return expit(3 * logit(true)), (random.uniform(size=count) < true).astype(int), true


def test_probabilities_are_calibrated_as_scikit_learn_does_their_logits() -> None:
    scores, labels, _ = overconfident(600)
    weights = np.random.default_rng(0).uniform(0.5, 2, 600)
    calibration = fit_calibration(scores, labels, weights, probabilities=True)
    assert calibration.log_odds
    sure = np.where(labels == 1, (labels == 1).sum() + 1, (labels == 0).sum() + 1)
    sure = sure / (sure + 1)  # Platt's targets
    theirs = LogisticRegression(C=np.inf).fit(
        np.r_[logit(scores), logit(scores)][:, None],
        np.r_[labels, 1 - labels],
        sample_weight=np.r_[weights * sure, weights * (1 - sure)],
    )
    expected = theirs.predict_proba(logit(scores)[:, None])[:, 1]
    given = [probability(float(s), calibration) for s in scores]
    np.testing.assert_allclose(given, expected, atol=1e-3)


def test_log_odds_are_right_near_0_and_1_where_the_probability_itself_is_not() -> None:
    scores, labels, true = overconfident(40_000)
    even = np.ones(len(scores))
    worst = {}
    for probabilities in (True, False):
        calibration = fit_calibration(scores, labels, even, probabilities)
        given = [probability(float(s), calibration) for s in scores]
        worst[probabilities] = np.abs(np.array(given) - true).max()
    assert worst[True] < 0.02 < 0.1 < worst[False]
    right = fit_calibration(true, labels, even, probabilities=True)
    assert right.slope == pytest.approx(1, abs=0.03)
    assert right.offset == pytest.approx(0, abs=0.03)


@given(st.floats(0, 1))
def test_log_odds_are_finite_and_scipys(p: float) -> None:
    assert log_odds(p, 1e-7) == pytest.approx(logit(min(max(p, 1e-7), 1 - 1e-7)))
    assert from_log_odds(log_odds(p, 1e-7)) == pytest.approx(min(max(p, 1e-7), 1 - 1e-7))
    assert abs(float(log_odds(p, 1e-4))) <= logit(1 - 1e-4) * (1 + 1e-9)  # the clip is the caller's
    assert probability(p, Calibration(1.0, 0.0, True)) == pytest.approx(p, abs=2e-7)


def test_a_config_without_the_field_means_the_score_itself(tmp_path: Path) -> None:
    profiles = {"papers": Profile("papers", 0.5, Calibration(3.0, -1.5, True))}
    write_checkpoint(
        tmp_path, name="tfidf", settings={}, profiles=profiles, parameters=0, training={}, base=False
    )
    assert read_config(tmp_path).profiles["papers"] == profiles["papers"]
    raw = json.loads((tmp_path / "config.json").read_text())
    del raw["profiles"]["papers"]["calibration"]["log_odds"]
    (tmp_path / "config.json").write_text(json.dumps(raw))
    old = read_config(tmp_path).profiles["papers"].calibration
    assert old == Calibration(3.0, -1.5)
    assert probability(0.9, old) == pytest.approx(expit(3 * 0.9 - 1.5))


@given(st.floats(-5, 5), st.floats(0.1, 500), st.floats(-500, 500))
def test_a_probability_is_one_whatever_the_score(score: float, slope: float, offset: float) -> None:
    assert 0 <= probability(score, Calibration(slope, offset)) <= 1


def test_percentile_by_hand() -> None:
    quantiles = [0.0, 0.1, 0.2, 0.4, 1.0]
    assert percentile(0.2, quantiles) == pytest.approx(0.5)
    assert percentile(0.3, quantiles) == pytest.approx(0.625)
    assert percentile(-1, quantiles) == 0 and percentile(2, quantiles) == 1


def test_without_the_profile_nothing_is_judged_and_the_reason_is_given() -> None:
    papers = Profile("papers", 0.5, Calibration(1.0, 0.0), (0.0, 1.0), corpora=("acl",))
    missing = judge(0.6, {"papers": papers}, "proposals")
    assert missing == Judgement(no_verdict="the model has no profile proposals")
    assert judge(0.6, {}, "proposals") == Judgement(no_verdict="the model has no thresholds")
    known = judge(0.5, {"papers": papers}, "papers")
    assert known.similar is True and known.corpora == ("acl",) and not known.no_verdict
    reference = Background("mine", 20, 0.1, (0.0, 1.0))
    assert judge(0.25, {"papers": papers}, "proposals", reference).percentile == 0.25


@pytest.mark.parametrize("spread", [1e-9, 1e-4, 1.0])
@pytest.mark.parametrize("informative", [True, False])
def test_what_was_fitted_can_be_read_again(spread: float, informative: bool) -> None:
    """Also where scores hardly differ, or tell nothing about the labels."""
    random = np.random.default_rng(1)
    labels = np.arange(40) % 2
    scores = 0.5 + spread * (labels * informative + random.random(40))
    profile = fit_profile("letters", [CorpusScores("mine", scores, labels, scores[labels == 0])])
    again = profile_from_json("letters", json.loads(json.dumps(profile_to_json(profile))))
    assert (again.threshold, again.calibration) == (profile.threshold, profile.calibration)


def separated(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores that tell related pairs from others without an error."""
    order = np.arange(count)
    return 0.3 + 0.4 * (order % 2) + 0.001 * order / count, order % 2


def test_few_pairs_give_a_threshold_and_no_probability() -> None:
    few = fitted(*separated(11))
    assert few.calibration is None and 0.3 < few.threshold < 0.7 and few.measured["pairs"] == 11
    judged = judge(0.9, {"papers": few}, "papers")
    assert judged.similar and judged.probability is None and judged.fit is not None and judged.fit.pairs == 11


def test_pairs_that_scores_separate_give_no_certainty() -> None:
    profile = fitted(*separated(100))
    assert profile.calibration is not None
    assert 0.9 < probability(0.7, profile.calibration) < 0.99  # (50 + 1) / (50 + 2) is 0.98
