"""Paired tests against brute force, scikit-learn and scipy; Holm's adjustment against R."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from colde.evaluation.metrics import expected_calibration_error
from studies.significance import (
    PairedScores,
    calibration_error_by_chance,
    holm,
    paired_bootstrap_auc,
    permutation_test,
)


def corpus(pairs: int, seed: int, gain: float = 0.0) -> PairedScores:
    """Scores with ties; `gain` makes the first model better."""
    random = np.random.default_rng(seed)
    labels = random.integers(2, size=pairs)
    scores = [np.round(labels * (1 + g) + random.normal(0, 1.5, pairs), 1) for g in (gain, 0.0)]
    return PairedScores(labels, scores[0], scores[1], random.integers(pairs // 3, size=pairs).tolist())


@pytest.mark.slow
def test_paired_bootstrap_is_drawing_sources_by_hand() -> None:
    pairs = corpus(60, 1, 0.5)
    draws = 100
    random = np.random.default_rng(7)
    names = np.unique(np.array([str(s) for s in pairs.sources]))
    drawn = []
    for _ in range(draws):
        picked = names[random.integers(len(names), size=len(names))]
        at = [i for name in picked for i, s in enumerate(pairs.sources) if str(s) == name]
        y, first, second = (np.asarray(x)[at] for x in (pairs.labels, pairs.first, pairs.second))
        drawn.append(roc_auc_score(y, first) - roc_auc_score(y, second))
    found = paired_bootstrap_auc(pairs, draws=draws, seed=7)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    below = sum(d <= 1e-12 for d in drawn)
    assert found.p == pytest.approx(min(1, 2 * (min(below, draws - below) + 1) / (draws + 1)), abs=0.01)


def test_the_difference_is_scikit_learns() -> None:
    pairs = corpus(60, 3)
    expected = roc_auc_score(pairs.labels, pairs.first) - roc_auc_score(pairs.labels, pairs.second)
    assert paired_bootstrap_auc(pairs, draws=1).value == pytest.approx(expected)


def test_a_better_model_is_seen_and_an_equal_one_is_not() -> None:
    better = corpus(900, 5, 2.0)
    found = paired_bootstrap_auc(better)
    assert 0 < found.low < found.value < found.high and found.p < 0.01
    turned = paired_bootstrap_auc(PairedScores(better.labels, better.second, better.first, better.sources))
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))
    same = paired_bootstrap_auc(PairedScores(better.labels, better.first, better.first, better.sources))
    assert (same.value, same.p) == (0, 1)


def test_auc_needs_both_classes() -> None:
    with pytest.raises(ValueError, match="both classes"):
        paired_bootstrap_auc(PairedScores([1, 1], [0.1, 0.2], [0.3, 0.4], ["a", "b"]))
    rare = PairedScores([1, 0, 0], [0.9, 0.1, 0.2], [0.1, 0.2, 0.3], ["a", "b", "c"])
    found = paired_bootstrap_auc(rare, draws=50)  # draws without the only similar pair are left out
    assert np.isfinite([found.low, found.high, found.p]).all()


def test_permutation_test_is_every_swap_by_hand_and_scipys() -> None:
    first = np.array([1, 1, 1, 0, 1, 1, 0, 1, 1, 1], bool)
    second = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 0], bool)
    gain = first.astype(int) - second
    value = gain.mean()
    swaps = [np.mean(gain * signs) for signs in product([1, -1], repeat=10)]
    expected = 2 * min(
        np.mean([s >= value - 1e-12 for s in swaps]), np.mean([s <= value + 1e-12 for s in swaps])
    )
    found = permutation_test(first, second)
    assert found.value == pytest.approx(value)
    assert found.p == pytest.approx(min(1, expected))
    theirs = stats.permutation_test(
        (first.astype(float), second.astype(float)),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert found.p == pytest.approx(theirs.pvalue)


def test_permutation_test_swaps_sources_together() -> None:
    first, second = [1, 1, 1, 1, 0, 1], [0, 0, 0, 1, 1, 0]
    sources = ["a", "a", "a", "b", "c", "d"]  # gains 3, 0, −1, 1
    sums = [abs(3 * x + y + z) for x, y, z in product([1, -1], repeat=3)]
    assert permutation_test(first, second, sources).p == pytest.approx(np.mean([s >= 3 for s in sums]))
    assert permutation_test(first, second).p < permutation_test(first, second, sources).p


def test_permutation_test_of_many_pairs_is_near_the_exact_one() -> None:
    random = np.random.default_rng(11)
    first, second = random.random(2000) < 0.83, random.random(2000) < 0.80
    alone, other = (first & ~second).sum(), (second & ~first).sum()
    exact = stats.binomtest(
        alone, alone + other
    ).pvalue  # McNemar's test: with one pair a source it is the same
    found = permutation_test(first, second, seed=3)
    assert found.p == pytest.approx(exact, abs=0.02)
    assert permutation_test(first, second, seed=3).p == found.p


def test_equal_answers_are_no_difference() -> None:
    assert permutation_test([1, 0, 1], [1, 0, 1]).p == 1


def test_holm_is_rs_p_adjust() -> None:
    p = [0.01, 0.02, 0.03, 0.04, 0.001, 0.5]
    np.testing.assert_allclose(holm(p), [0.05, 0.08, 0.09, 0.09, 0.006, 0.5])
    np.testing.assert_allclose(holm([0.9, 0.8]), [1.0, 1.0])
    assert holm([]).shape == (0,)


def test_right_probabilities_stay_below_chance_and_wrong_ones_do_not() -> None:
    random = np.random.default_rng(5)
    right = random.random(500)
    below = [
        expected_calibration_error(random.random(500) < right, right)
        < calibration_error_by_chance(right, draws=200)
        for _ in range(40)
    ]
    assert np.mean(below) > 0.85
    labels, surer = random.random(500) < right, np.where(right > 0.5, 0.99, 0.01)
    assert expected_calibration_error(labels, surer) > calibration_error_by_chance(surer, draws=200)
