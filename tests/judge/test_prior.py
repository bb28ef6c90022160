"""What a probability becomes where another share of pairs is related."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colde.evaluation.metrics import measure
from colde.judge.calibration import Judgement
from colde.report.wording.verdict import stance, verdict
from colde.results.verdicts.prior import prior_weights, shift_prior
from colde.results.verdicts.verdict_words import as_ratio
from tests.report.example import example

shares = st.floats(0.001, 0.999)


def test_a_case_worked_by_hand() -> None:
    # 100 related and 1,900 unrelated pairs; of balanced ones 83 in 100 with this score are related
    assert shift_prior(0.83, 0.05) == pytest.approx(0.83 * 100 / (0.83 * 100 + 0.17 * 1_900))


@given(shares, shares, shares)
def test_there_and_back(probability: float, prior: float, other: float) -> None:
    there = shift_prior(probability, prior, other)
    assert shift_prior(there, other, prior) == pytest.approx(probability, abs=1e-9)
    assert (there > probability) == (prior > other) or there == pytest.approx(probability)


def test_it_is_what_a_pile_of_that_make_holds() -> None:
    random = np.random.default_rng(0)
    related = random.random(400_000) < 0.05
    scores = random.normal(np.where(related, 1.0, -1.0), 1.0)
    near = np.abs(scores - 0.7) < 0.05
    balanced = 1 / (1 + np.exp(-2 * 0.7))  # of two normals of mean ±1, with as many of each
    assert shift_prior(balanced, 0.05) == pytest.approx(related[near].mean(), abs=0.02)


@pytest.mark.parametrize("prior", [0.0, 1.0, -0.1, 2.0])
def test_no_prior_is_certain(prior: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        shift_prior(0.5, prior)


def test_a_prior_moves_the_probability_and_nothing_else() -> None:
    judged = Judgement("papers", 0.4, True, 0.8, 0.97).at_prior(0.1)
    assert judged == Judgement("papers", 0.4, True, pytest.approx(0.8 * 0.1 / (0.8 * 0.1 + 0.2 * 0.9)), 0.97)
    assert Judgement().at_prior(0.1).probability is None


def test_the_verdict_says_which_pairs_are_counted() -> None:
    whole = example()
    score = replace(whole.models[0], probability=0.83, percentile=0.97, similar=True)
    balanced = replace(whole, models=(score,))
    said = verdict(balanced)
    assert said.related == "Probably related: 83 in 100 such pairs are related."
    assert "83 of 100 validation pairs with a similar score were related (half of all were)" in said.means
    assert "Higher than 97 % of unrelated pairs" in said.means
    assert "does not record" in said.basis and "half were related" in said.basis
    one = verdict(replace(whole, models=(replace(score, probability=0.011, similar=False),)))
    assert one.related.endswith(": 1 in 100 such pairs is related.")
    assert "1 of 100 validation pairs with a similar score was related" in one.means
    rare = balanced.at_prior(0.05)
    assert verdict(rare).label == "Probably unrelated"
    assert verdict(rare).related == "Probably unrelated: 20 in 100 such pairs are related."
    assert (
        "If 5 in 100 pairs are related, 20 of 100 pairs with a similar score are related"
        in verdict(rare).means
    )
    assert "if half are related: 83 of 100" in verdict(rare).means
    assert stance(rare.models[0]) == "related", "what a model says is for balanced pairs"
    assert json.loads(rare.to_json())["models"][0]["prior"] == 0.05
    assert rare.at_prior(0.5).models[0].probability == pytest.approx(0.83)


def test_priors_are_said_as_counts() -> None:
    assert [as_ratio(p) for p in (0.5, 0.05, 0.005, 0.0002)] == [
        "50 in 100", "5 in 100", "5 in 1,000", "2 in 10,000",
    ]  # fmt: skip


def test_weights_make_a_pile_of_that_share() -> None:
    labels = [1, 1, 0, 0, 0]
    weights = prior_weights(labels, 0.1)
    assert weights.mean() == pytest.approx(1)
    assert weights[:2].sum() / weights.sum() == pytest.approx(0.1)
    found = measure(labels, [0.9, 0.1, 0.8, 0.2, 0.3], 0.5, weights=weights)
    # half of the related tenth is found, and a third of the other nine tenths with it
    assert found["precision"] == pytest.approx(0.05 / (0.05 + 0.3))
    assert found["recall"] == pytest.approx(0.5)
    assert np.array_equal(prior_weights([1, 1], 0.1), [1, 1])
