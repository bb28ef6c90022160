"""What every system that ships as a recipe must hold. Networks are small, their weights random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from colde import models
from colde.errors import ModelError
from colde.evaluation.model_contract import (
    CHECKS,
    Subject,
    handles_short_and_long_texts,
    sample_pair,
    subject,
)
from colde.ingest import read_text
from colde.models.registry import spec, specs
from colde.models.shared.bi_cross_encoder import BaselineNetwork, BiEncoder, CrossEncoder, checkpoint_tensors
from colde.models.shared.network_input import ModelInput
from colde.training.baseline_fit import build

SMALL: Mapping[str, Mapping[str, Any]] = {
    "rnn": {"words": 8, "hidden": 6, "tokens": 40},
    "cnn": {"words": 8, "features": 7, "hidden": 12, "tokens": 60},
    "c_dssm": {"buckets": 512, "rank": 8, "features": 20, "out": 10, "words": 90},
    "simnet": {},
    "deepqa": {"words": 8, "features": 6, "hidden": 7, "tokens": 40},
    "match_pyramid": {"words": 8, "hidden": 9, "tokens": 60},
    "arc_ii": {"words": 8, "maps": 8, "hidden": 9, "tokens": 32},
    "duet": {"words": 8, "maps": 6, "places": 5, "hidden": 7, "field": 8, "tokens": 32},
    "re2": {"words": 8, "hidden": 6, "tokens": 40},
    "gru_han": {"words": 8, "hidden": 5, "attention": 7, "tokens": 60},
    "cig": {"words": 8, "features": 5, "hidden": 6, "sentences": 12},
    "transformer_xl": {"width": 8, "heads": 2, "inner": 9, "layers": 2, "segment": 5, "tokens": 40},
    "longformer": {"tokens": 64, "window": 8},
    "bert_han": {"hidden": 5, "attention": 7, "sentences": 4},
}
FOLDER = "studies.papers."
FITS = ("colde.training.baseline_fit:fit", "studies.papers.bert_han_fit:fit")
NAMES = [n for n, s in specs().items() if s.module.startswith(FOLDER) and s.fit in FITS]
LONG = ("rnn", "duet", "c_dssm", "gru_han", "cig")
"""Of the others a long document is cut by the same lines."""

LAST_WINDOW = ".layer.5.attention.self."
"""The Longformer's head reads [CLS] alone, with projections of its own: those of the last window change nothing."""


def network_of(name: str) -> Any:
    """Small, its numbers as a checkpoint keeps them."""
    network = build(spec(name), {**spec(name).model, **SMALL[name.partition(":")[0]]}, seed=1).eval()
    for key, value in checkpoint_tensors(network).items():
        if key.endswith(".up"):  # of low-rank updates; at zero nothing below them learns at first
            value.copy_(torch.full_like(value, 0.01))
        value.copy_(value.half())
    return network


@pytest.fixture(scope="module", params=NAMES)
def under_test(request: pytest.FixtureRequest) -> Subject:
    chosen = spec(request.param)
    return subject(chosen.matcher_class()(network_of(request.param), card=chosen.card))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(under_test: Subject, check: Any) -> None:
    if check is handles_short_and_long_texts and under_test.model.card.name not in LONG:
        pytest.skip("a long document is cut by the same lines")
    check(under_test)


def inputs_of(network: BaselineNetwork) -> list[ModelInput]:
    texts = ["Tide.", "Harbour pilots read tide and wind before they bring a ship in. They wait."]
    return [network.prepare(d) for d in (*map(read_text, texts), *sample_pair())]


@pytest.mark.parametrize("name", NAMES)
def test_padding_changes_nothing_and_every_parameter_learns(name: str) -> None:
    network = network_of(name)
    inputs = inputs_of(network)
    pairs = torch.tensor([[0, 1], [1, 2], [2, 3], [3, 0]])
    if isinstance(network, BiEncoder):
        together = network.vectors(inputs)
        torch.testing.assert_close(
            together, torch.cat([network.vectors([i]) for i in inputs]), atol=1e-5, rtol=1e-4
        )
        network.init_from_data(together.detach(), pairs)
        logits = network.pair_logits(together[pairs[:, 0]], together[pairs[:, 1]])
    else:
        assert isinstance(network, CrossEncoder)
        joined = [network.join(inputs[i], inputs[j]) for i, j in pairs.tolist()]
        logits = network.logits(joined)
        alone = torch.cat([network.logits([one]) for one in joined])
        torch.testing.assert_close(logits, alone, atol=1e-5, rtol=1e-4)
    binary_cross_entropy_with_logits(logits, torch.tensor([1.0, 0, 1, 0])).backward()
    for key, parameter in network.named_parameters():
        if parameter.requires_grad and not (name == "longformer" and LAST_WINDOW in key):
            assert parameter.grad is not None and np.any(parameter.grad.numpy()), key


def test_systems_are_listed_on_request_alone() -> None:
    assert set(NAMES) <= set(models.recipes())
    assert not set(NAMES) & set(models.cards())
    with pytest.raises(ModelError, match="not trained"):
        models.resolve("rnn")
