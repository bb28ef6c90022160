"""What encoders run on: cores of a container, precision asked for, products that torch may take back."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from colde.assets import packaged_encoder
from colde.encoders import cores as cores_module
from colde.encoders import runtime
from colde.encoders.bert import prepacked_linear
from colde.encoders.bert.packed_bert import Bert, length_runs

RUNS = length_runs(np.array([3, 3, 7]))


@pytest.fixture
def fresh():
    runtime.runtime.cache_clear()
    prepacked_linear.prepacked_available.cache_clear()
    yield
    runtime.runtime.cache_clear()
    prepacked_linear.prepacked_available.cache_clear()


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "max 100000\n"}, 8),
        ({"cpu.max": "nonsense\n"}, 8),
        ({"quota": "300000", "period": "100000"}, 3),
        ({"quota": "-1", "period": "100000"}, 8),
        ({}, 8),
    ],
)
def test_a_containers_quota_bounds_the_cores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: dict[str, str], cores: int
) -> None:
    """`cpu.max` of control groups; `quota` and `period` of their first version."""
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(cores_module, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(cores_module, "QUOTA_V1", (tmp_path / "quota", tmp_path / "period"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    assert cores_module.usable_cores() == cores


def test_the_precision_asked_for_is_taken(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setenv("COLDE_PRECISION", "float32")
    found = runtime.runtime()
    assert (found.precision, found.prepacked) == ("float32", False)
    assert runtime.compute_dtype() == torch.float32
    assert found.to_dict()["precision"] == "float32" and "float32" in str(found)


def test_prepacked_weights_give_what_plain_ones_give(monkeypatch: pytest.MonkeyPatch) -> None:
    bert = Bert.load(packaged_encoder()).to(torch.bfloat16)
    ids = torch.arange(2000, 2013)
    with torch.inference_mode():
        fast = bert(ids, RUNS).float()
    with torch.no_grad():  # no inference mode: torch's own products
        plain = bert(ids, RUNS).float()
    assert torch.nn.functional.cosine_similarity(fast, plain).min() > 0.999


@pytest.mark.skipif(
    not prepacked_linear.prepacked_available(), reason="this processor lays out no weights in bf16"
)
def test_new_weights_are_laid_out_anew() -> None:
    linear = prepacked_linear.Linear(32, 8)
    x = torch.randn(5, 32).to(torch.bfloat16)
    with torch.no_grad():
        linear.weight.fill_(0.5)
        linear.bias.zero_()
    with torch.inference_mode():
        before = linear.packed(x)
    with torch.no_grad():
        linear.weight.mul_(2)
    with torch.inference_mode():
        after = linear.packed(x)
    torch.testing.assert_close(after.float(), 2 * before.float(), rtol=0.02, atol=0.02)


def test_torch_without_these_products_is_no_fault(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    def gone(*args: object) -> torch.Tensor:
        raise AttributeError("_linear_pointwise")

    monkeypatch.setattr(prepacked_linear, "_product", gone)
    assert not prepacked_linear.prepacked_available()
    bert = Bert.load(packaged_encoder()).to(torch.bfloat16)
    with torch.inference_mode():
        assert bert(torch.arange(2000, 2013), RUNS).isfinite().all()


def test_products_that_are_wrong_are_not_taken(monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setattr(prepacked_linear, "_product", lambda x, w, b, plus: torch.zeros(len(x), 64))
    assert not prepacked_linear.prepacked_available()
