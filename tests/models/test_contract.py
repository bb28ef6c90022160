"""One contract for all models: whatever is registered must hold it, and what ships was really trained."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import pytest

from colde import models
from colde.evaluation.model_contract import (
    CHECKS,
    Check,
    Subject,
    card_is_complete,
    deterministic,
    encoding_is_independent,
    handles_short_and_long_texts,
    long_document,
    reports_progress_and_cancels,
    row_blocks_change_nothing,
    saves_and_loads,
    score_is_the_same_without_explanation,
)
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher, CrossEncoderMatcher, checkpoint_tensors
from colde.text.chunks import default_tokenizer
from colde.training.baseline_fit import build
from tests.models.block_sizes import any_size_in_any_blocks
from tests.models.groups import OF_CARD_AND_RESULT, SHIPPED, marked, reads_documents_once, shipped, subject_of

NAMES = shipped()
BASELINES = [n for n in NAMES if spec(n).fit == "colde.training.baseline_fit:fit"]
MOVED = 1e-3  # change of a tensor, as a share of its length at the start
WHATEVER_THE_WEIGHTS = (
    encoding_is_independent,
    deterministic,
    handles_short_and_long_texts,
    row_blocks_change_nothing,
    score_is_the_same_without_explanation,
    saves_and_loads,
    reports_progress_and_cancels,
)
"""Checks that test_small_networks.py runs for baselines: they depend on the code of a model, not on its weights."""


@pytest.fixture(scope="module", params=SHIPPED)
def under_test(request: pytest.FixtureRequest) -> Subject:
    return subject_of(request.param)


def test_contract_of_card_and_result(under_test: Subject) -> None:
    for check in OF_CARD_AND_RESULT:
        check(under_test)


@pytest.mark.parametrize(
    "check",
    [c for c in CHECKS if c not in (*WHATEVER_THE_WEIGHTS, *OF_CARD_AND_RESULT)],
    ids=lambda check: check.__name__,
)
def test_contract(under_test: Subject, check: Check) -> None:
    check(under_test)


@pytest.mark.parametrize("check", WHATEVER_THE_WEIGHTS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", [marked(name) for name in NAMES if name not in BASELINES])
def test_contract_whatever_the_weights(name: str, check: Check) -> None:
    check(subject_of(name))


def test_what_no_pair_of_passages_adds_is_at_most_a_hundredth_of_the_score(under_test: Subject) -> None:
    result = under_test.result
    residuals = [m.residual or 0.0 for m in result.maps.values() if m.role == "contribution"]
    assert all(abs(r) <= 0.01 * abs(result.score) + 1e-4 for r in residuals)


@pytest.mark.parametrize("name", [marked(name) for name in NAMES if name not in BASELINES])
def test_any_size_in_any_blocks(name: str) -> None:
    any_size_in_any_blocks(subject_of(name).model, 1 if explains_in_seconds(subject_of(name)) else 8)


def explains_in_seconds(subject: Subject) -> bool:
    """Whether the model explains a pair by derivatives, which leave a residual, or by many passes of its network."""
    maps = subject.result.maps.values()
    return subject.model.card.cost == "slow" or any(abs(m.residual or 0) > 1e-6 for m in maps)


def test_every_default_is_trained_with_the_profiles_that_ship() -> None:
    assert set(models.DEFAULTS) <= set(NAMES)
    for name in NAMES:
        assert {"general", "papers"} <= set(models.stored(name).profiles)


def test_only_a_profile_of_fewer_than_a_hundred_pairs_has_no_calibration() -> None:
    fitted = subject_of("tfidf")
    general = replace(fitted.model.profiles["general"], calibration=None)

    def with_pairs(pairs: int) -> Subject:
        model = copy(fitted.model)
        model.profiles = {"general": replace(general, measured={"pairs": float(pairs)})}
        return replace(fitted, model=model)

    card_is_complete(with_pairs(99))
    with pytest.raises(AssertionError, match="calibration"):
        card_is_complete(with_pairs(100))


def test_the_long_document_is_as_long_as_it_says() -> None:
    (tokens,) = default_tokenizer()([long_document(9).text])
    assert 9 * 512 <= len(tokens.ids) < 10.5 * 512


def test_cross_encoders_run_their_network_once_a_pair(under_test: Subject) -> None:
    model, encoded = under_test.model, under_test.encoded
    if not isinstance(model, CrossEncoderMatcher):
        pytest.skip("no cross-encoder")
    runs: list[int] = []
    hook = model.network.encoder.embeddings.register_forward_hook(
        lambda module, read, states: runs.append(len(states))
    )
    try:
        model.match(*encoded, explain=False)
        assert runs == [2], "both orders go through the network together, once"
    finally:
        hook.remove()


@pytest.mark.parametrize("name", [marked(name) for name in NAMES if name not in BASELINES])
def test_a_document_is_read_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads_documents_once(subject_of(name).model, monkeypatch)


@pytest.mark.parametrize("name", [marked(name) for name in BASELINES])
def test_every_trained_tensor_has_moved(name: str) -> None:
    """A part that ships is not the random numbers it began as."""
    model = models.load(name)
    assert isinstance(model, BaselineMatcher)
    begun = checkpoint_tensors(build(spec(name), models.stored(name).settings, model.training["seed"]))
    for key, value in checkpoint_tensors(model.network).items():
        start = begun[key].float()
        moved = float((value.float() - start).norm() / max(float(start.norm()), 1e-3))
        assert moved >= MOVED, f"{name}: {key} has changed by {moved:.1e} of its length"
