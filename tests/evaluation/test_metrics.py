"""Measures against scikit-learn, against literal loops, and against cases worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve

from colde.evaluation.metrics import (
    MEASURES,
    bootstrap,
    expected_calibration_error,
    measure,
    reliability,
)


@pytest.fixture
def pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, scores and probabilities of 400 pairs; the scores know something of the labels."""
    generator = np.random.default_rng(3)
    labels = generator.integers(0, 2, 400)
    scores = 0.4 * labels + generator.normal(0, 0.3, 400)
    return labels, scores, 1 / (1 + np.exp(-3 * scores))


@pytest.mark.parametrize("digits", [9, 1])
def test_measures_are_those_of_scikit_learn(pairs, digits: int) -> None:
    """Also where many scores are equal."""
    labels, scores, probabilities = pairs
    scores = scores.round(digits)
    found = measure(labels, scores, 0.25, probabilities)
    predicted = scores >= 0.25
    expected = {
        "precision": sk.precision_score(labels, predicted),
        "recall": sk.recall_score(labels, predicted),
        "f1": sk.f1_score(labels, predicted),
        "accuracy": sk.accuracy_score(labels, predicted),
        "roc_auc": sk.roc_auc_score(labels, scores),
        "average_precision": sk.average_precision_score(labels, scores),
        "brier": sk.brier_score_loss(labels, probabilities),
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name
    assert tuple(found) == MEASURES


def test_a_case_worked_by_hand() -> None:
    # predicted: 1 1 1 0 0 against 1 1 0 1 0 → 2 true positives, 1 false positive, 1 false negative
    found = measure([1, 1, 0, 1, 0], [0.9, 0.5, 0.7, 0.2, 0.1], 0.5, [0.9, 0.5, 0.7, 0.2, 0.1])
    assert found["precision"] == pytest.approx(2 / 3)
    assert found["recall"] == pytest.approx(2 / 3)
    assert found["accuracy"] == pytest.approx(3 / 5)
    # of 3 × 2 positive–negative pairs, .9 beats both, .5 beats one, .2 beats one
    assert found["roc_auc"] == pytest.approx(4 / 6)
    assert found["brier"] == pytest.approx((0.01 + 0.25 + 0.49 + 0.64 + 0.01) / 5)


def test_threshold_and_missing_measures() -> None:
    assert measure([1, 0], [0.5, 0.4], 0.5)["accuracy"] == 1.0  # a score on the threshold is similar
    assert all(math.isnan(value) for value in measure([1, 1], [0.1, 0.2], None).values())
    none = measure([1, 0], [0.1, 0.2], 0.9)  # no positive prediction, without a warning
    assert (none["precision"], none["recall"], none["f1"], none["accuracy"]) == (0, 0, 0, 0.5)


def test_calibration_error_is_the_literal_loop(pairs) -> None:
    labels, _, probabilities = pairs
    edges = [np.percentile(probabilities, 100 * i / 15) for i in range(1, 15)]
    bins: dict[int, list[tuple[float, int]]] = {}
    for p, y in zip(probabilities, labels, strict=True):
        bins.setdefault(sum(p > edge for edge in edges), []).append((p, y))
    loop = 0.0
    for members in bins.values():
        confidence = sum(p for p, _ in members) / len(members)
        frequency = sum(y for _, y in members) / len(members)
        loop += len(members) / len(labels) * abs(confidence - frequency)
    assert {len(members) for members in bins.values()} <= {26, 27}  # 400 pairs in 15 bins of equal mass
    assert expected_calibration_error(labels, probabilities) == pytest.approx(loop)


def test_calibration_error_and_plot_are_those_of_scikit_learn(pairs) -> None:
    labels, _, probabilities = pairs
    frequency, confidence = calibration_curve(labels, probabilities, n_bins=10, strategy="quantile")
    # 400 pairs in 10 bins are 40 each, so the weighted mean is the plain one
    error = expected_calibration_error(labels, probabilities, bins=10)
    assert error == pytest.approx(float(np.mean(np.abs(frequency - confidence))))
    for column, expected in enumerate((confidence, frequency, 0.1)):
        assert reliability(labels, probabilities)[:, column] == pytest.approx(expected)


def test_a_pair_of_weight_two_counts_as_two_pairs(pairs) -> None:
    labels, scores, probabilities = pairs
    weights = np.arange(400) % 3
    repeated = np.repeat(np.arange(400), weights)
    weighed = measure(labels, scores, 0.25, probabilities, weights)
    plain = measure(labels[repeated], scores[repeated], 0.25, probabilities[repeated])
    for measured in (weighed, plain):
        del measured["calibration_error"]  # bins hold as many pairs, not as much weight
    assert weighed == pytest.approx(plain)


def test_a_constant_guess_is_one_bin_whatever_the_order() -> None:
    labels = [1] * 30 + [0] * 70
    assert expected_calibration_error(labels, [0.3] * 100) == pytest.approx(0.0)
    assert expected_calibration_error(labels, [0.5] * 100) == pytest.approx(0.2)


def test_bootstrap_is_seeded_and_holds_the_value(pairs) -> None:
    labels, scores, probabilities = pairs
    documents = [(f"source {i // 4}", f"target {i % 97}") for i in range(400)]
    first = bootstrap(labels, scores, 0.25, probabilities, documents, draws=60, seed=1)
    again = bootstrap(labels, scores, 0.25, probabilities, documents, draws=60, seed=1)
    other = bootstrap(labels, scores, 0.25, probabilities, documents, draws=60, seed=2)
    assert first == again
    assert first != other
    at_once = measure(labels, scores, 0.25, probabilities)
    for name in MEASURES:
        assert first[name].value == at_once[name]
        assert first[name].low < at_once[name] < first[name].high, name


@pytest.mark.parametrize("place", [0, 1])
def test_pairs_of_one_document_count_as_one_in_either_place(place: int) -> None:
    """Ten documents whose pairs are all right or all wrong: the interval is that of 10 values, not of 1,000."""
    right = np.repeat([1, 0, 1, 0, 1, 1, 0, 1, 0, 1], 100)
    labels = np.tile([1, 0], 500)
    scores = np.where(right == 1, labels, 1 - labels).astype(float)
    shared = [(f"shared {i // 100}", f"other {i}")[:: 1 - 2 * place] for i in range(1000)]
    clustered = bootstrap(labels, scores, 0.5, None, shared, draws=300)["accuracy"]
    alone = [(f"one {i}", f"other {i}") for i in range(1000)]
    independent = bootstrap(labels, scores, 0.5, None, alone, draws=300)["accuracy"]
    ten = stats.binomtest(6, 10).proportion_ci(method="wilson")
    assert clustered.high - clustered.low == pytest.approx(ten.high - ten.low, rel=0.15)
    assert independent.high - independent.low == pytest.approx(
        2 * 1.96 * math.sqrt(0.6 * 0.4 / 1000), rel=0.15
    )


def wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927), from its formula."""
    z, share = 1.959964, right / count
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2)) / (1 + z**2 / count)
    return middle - half, middle + half


def test_few_pairs_that_are_all_right_have_an_interval() -> None:
    labels = [1, 0] * 10
    documents = [(f"one {i}", f"other {i}") for i in range(20)]
    measured = bootstrap(labels, labels, 0.5, None, documents, draws=50)
    assert (measured["accuracy"].low, measured["accuracy"].high) == pytest.approx(wilson(20, 20))
    for name in ("precision", "recall", "f1", "roc_auc", "average_precision"):
        assert measured[name].low == pytest.approx(wilson(10, 10)[0]), name
        assert measured[name].high == pytest.approx(1)


def test_an_interval_of_a_share_is_that_of_the_pairs_it_is_a_share_of() -> None:
    """Three pairs of a thousand are called similar, all rightly; five are similar: precision is 3 of 3."""
    labels = [1] * 5 + [0] * 995
    scores = [1.0] * 3 + [0.0] * 997
    documents = [(f"one {i}", f"other {i}") for i in range(1000)]
    measured = bootstrap(labels, scores, 0.5, None, documents, draws=200)
    assert measured["precision"].low == pytest.approx(wilson(3, 3)[0])
    assert measured["precision"].value == 1
    none_right = bootstrap(labels, [-s for s in scores], -0.5, None, documents, draws=50)["precision"]
    assert none_right.value == pytest.approx(2 / 997)
    missed = bootstrap(labels, [0.0] * 5 + [1.0] + [0.0] * 994, 0.5, None, documents, draws=50)
    assert (missed["recall"].low, missed["recall"].high) == pytest.approx(wilson(0, 5))


@pytest.mark.parametrize("place", [0, 1])
def test_many_pairs_of_few_documents_that_are_all_right_are_few(place: int) -> None:
    """A thousand pairs of ten documents with a hundred others each: no more than ten are independent."""
    labels = [1, 0] * 500
    documents = [(f"shared {i // 100}", f"other {i}")[:: 1 - 2 * place] for i in range(1000)]
    accuracy = bootstrap(labels, labels, 0.5, None, documents, draws=20)["accuracy"]
    assert (accuracy.low, accuracy.high) == pytest.approx(wilson(10, 10))


def test_draws_measure_what_scikit_learn_does(pairs) -> None:
    """Repeating pairs is the same as drawing them; the interval of independent pairs is that of scipy's bootstrap."""
    labels, scores, _ = pairs
    documents = [(f"one {i}", f"other {i}") for i in range(400)]
    ours = bootstrap(labels, scores, 0.25, None, documents, draws=1000)
    statistics = {"accuracy": sk.accuracy_score, "f1": sk.f1_score, "recall": sk.recall_score}
    for name, statistic in statistics.items():
        theirs = stats.bootstrap(
            (labels, scores >= 0.25),
            statistic,
            paired=True,
            vectorized=False,
            n_resamples=500,
            rng=0,
            method="basic",
        )
        width = ours[name].high - ours[name].low
        assert width == pytest.approx(2 * 1.96 * theirs.standard_error, rel=0.15), name


def test_the_interval_is_as_wide_as_the_value_varies_from_sample_to_sample() -> None:
    """Documents that are hard or easy to judge, each in about four pairs, in either place."""
    random = np.random.default_rng(5)

    def sample() -> tuple[np.ndarray, np.ndarray, list[tuple[int, int]]]:
        ease = random.normal(0, 0.8, 150)
        first = random.integers(150, size=300)
        second = (first + random.integers(1, 150, size=300)) % 150
        labels = random.integers(0, 2, 300)
        margin = 1.2 + ease[first] + ease[second] + random.normal(0, 1, 300)
        return (
            labels,
            np.where(labels == 1, margin, -margin),
            list(zip(first.tolist(), second.tolist(), strict=True)),
        )

    samples = [sample() for _ in range(300)]
    spread = np.std([np.mean((scores >= 0) == labels) for labels, scores, _ in samples])
    widths = [
        measured.high - measured.low
        for labels, scores, documents in samples[:20]
        if (measured := bootstrap(labels, scores, 0.0, None, documents, draws=200)["accuracy"])
    ]
    assert np.mean(widths) == pytest.approx(2 * 1.96 * spread, rel=0.2)


def test_the_interval_of_a_share_is_wilsons() -> None:
    """One of 21 calls is wrong: a normal interval would reach 1."""
    labels = np.r_[np.ones(20), np.zeros(20)].astype(int)
    scores = np.where(np.arange(40) < 21, 1.0, 0.0)
    documents = [(f"a{i}", f"b{i}") for i in range(40)]
    precision = bootstrap(labels, scores, 0.5, None, documents, draws=4_000)["precision"]
    wilson = stats.binomtest(20, 21).proportion_ci(method="wilson")
    assert precision.value == pytest.approx(20 / 21)
    assert precision.low == pytest.approx(wilson.low, abs=0.03)
    assert precision.high == pytest.approx(wilson.high, abs=0.01) and precision.high < 1
