"""Long work hears in the middle of a step that it shall stop, and is not changed by listening."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

import colde
from colde import models
from colde.encoders import cancellation
from colde.errors import Cancelled
from colde.results.progress import Progress
from tests.programs import run_python

WORDS = "The keeper trimmed the lamp before the fog came in over the bar and the boats were out. "
NETWORKS = [n for n, card in models.cards().items() if models.is_trained(n) and card.cost != "instant"]
"""Models with a network; the others count words, which takes no time."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "POLL_SECONDS", 0.0)


def network() -> nn.Module:
    torch.manual_seed(1)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return nn.Sequential(nn.Linear(4, 8), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)).eval()


def test_a_network_breathes_and_computes_the_same() -> None:
    heard: list[int] = []
    x = torch.ones(2, 3, 4)
    with torch.inference_mode():
        plain = network()(x)
        with cancellation.cancel_check(lambda: heard.append(1)):
            assert torch.equal(cancellation.interruptible(cancellation.interruptible(network()))(x), plain)
    assert len(heard) == 3, "once a module, and not inside the layers of a Transformer"


def test_nobody_hears_what_nobody_listens_to_and_another_thread_neither() -> None:
    cancellation.poll_cancel()
    heard: list[int] = []
    with cancellation.cancel_check(lambda: heard.append(1)):
        thread = threading.Thread(target=cancellation.poll_cancel)
        thread.start()
        thread.join()
        assert heard == []
        cancellation.poll_cancel()
        assert heard == [1]
    cancellation.poll_cancel()
    assert heard == [1]


class Work(TorchDispatchMode):
    """Counts the approximate multiplications of all operations of torch between two checks."""

    def __init__(self) -> None:
        super().__init__()
        self.since = self.longest = 0.0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        first = out[0] if isinstance(out, tuple | list) and out else out
        if isinstance(first, torch.Tensor):
            tensors = [a for a in args if isinstance(a, torch.Tensor) and a.dim() > 1]
            inner = 1
            if "attention" in str(func):
                inner = 2 * args[1].shape[-2]
            elif len(tensors) > 1 and any(
                name in str(func) for name in ("mm", "linear", "conv", "lstm", "gru")
            ):
                inner = tensors[0].shape[-1]
            self.since += first.numel() * inner
        return out

    def check(self, progress: Progress | None = None) -> None:
        self.longest = max(self.longest, self.since)
        self.since = 0.0


MOST = 4e9
"""Multiplications: 0.4 seconds of a core a quarter as fast as the slower one of docs/log/speed.md (87 GFLOPS)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_can_be_cancelled_within_a_second_of_work(name: str) -> None:
    """Progress is reported again within a step, with little work between two reports, and may raise there."""
    a, b = (colde.read_text(f"# {title}\n\n" + WORDS * 8) for title in ("One", "Two"))
    load = cache(models.load)
    load(name).encode([colde.read_text(WORDS * 4)], explain=False)  # loading does not count
    with Work() as work:
        colde.compare(a, b, models=[name], loader=load, on_progress=work.check)
        work.check()
    assert work.longest < MOST
    seen: list[Progress] = []

    def stop_within_a_step(progress: Progress) -> None:
        if progress in seen:
            raise Cancelled("heard")
        seen.append(progress)

    # texts that share no frame, since sentences that may be standard are encoded before
    backwards = " ".join(reversed(WORDS.split())).replace(".", "") + ". "
    c, d = (colde.read_text("# One\n\n" + words * 12) for words in (WORDS, backwards))
    with pytest.raises(Cancelled, match="heard"):
        colde.compare(c, d, models=[name], loader=load, on_progress=stop_within_a_step)


def test_cancellation_checks_need_no_torch() -> None:
    code = "import sys, colde.comparison.pipeline, colde.encoders.cancellation; print('torch' in sys.modules)"
    assert run_python("-c", code).split() == ["False"]
