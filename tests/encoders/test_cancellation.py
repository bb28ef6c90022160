"""Long work hears in the middle of a step that it shall stop, and is not changed by listening."""

from __future__ import annotations

import subprocess
import sys
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
from tests.patience import PATIENCE

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


@pytest.mark.parametrize("name", NETWORKS)
def test_every_model_can_be_stopped_in_the_middle_of_a_step(name: str) -> None:
    """The same progress comes again within a step; raising there ends the comparison."""
    a, b = (colde.read_text(f"# {title}\n\n" + WORDS * 60) for title in ("One", "Two"))
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        if progress in seen:
            raise Cancelled("heard")
        seen.append(progress)

    with pytest.raises(Cancelled, match="heard"):
        colde.compare(a, b, models=[name], on_progress=watch)


class Work(TorchDispatchMode):
    """Counts multiplications of all operations of torch, about, and how many lie between two signs."""

    def __init__(self) -> None:
        super().__init__()
        self.all = self.since = self.longest = 0.0
        self.signs = 0

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

    def sign(self) -> None:
        self.all += self.since
        self.longest = max(self.longest, self.since)
        self.since = 0.0
        self.signs += 1


SECOND = 1e10
"""Multiplications in a second of a core a quarter as fast as the slower one of docs/performance.md (87 GFLOPS)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_whenever_it_is_cancelled_less_than_a_second_of_work_follows(name: str) -> None:
    """Whoever cancels waits for the next sign: so much work lies between two signs at most, of whatever model."""
    a, b = (colde.read_text(f"# {title}\n\n" + WORDS * 40) for title in ("One", "Two"))
    load = cache(models.load)
    short = colde.read_text(WORDS * 4)
    colde.compare(short, short, models=[name], loader=load)  # loading is not what is counted
    with Work() as work:
        colde.compare(a, b, models=[name], loader=load, on_progress=lambda progress: work.sign())
        work.sign()
    assert work.longest < SECOND


def test_listening_needs_no_torch() -> None:
    code = "import sys, colde.comparison.pipeline, colde.encoders.cancellation; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == ["False"], done.stderr
