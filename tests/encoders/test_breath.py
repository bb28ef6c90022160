"""Long work hears in the middle of a step that it shall stop, and is not changed by listening."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
import torch
from torch import nn

import colde
from colde import models
from colde.encoders import breath
from colde.errors import Cancelled
from colde.results.progress import Progress

WORDS = "The keeper trimmed the lamp before the fog came in over the bar and the boats were out. "
COUNTING = ("tfidf", "bm25")  # no network: counting words takes no time
NETWORKS = [name for name in models.cards() if models.is_trained(name) and name not in COUNTING]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breath, "EVERY", 0.0)


def network() -> nn.Module:
    torch.manual_seed(1)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    return nn.Sequential(nn.Linear(4, 8), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)).eval()


def test_a_network_breathes_and_computes_the_same() -> None:
    heard: list[int] = []
    x = torch.ones(2, 3, 4)
    with torch.inference_mode():
        plain = network()(x)
        with breath.listening(lambda: heard.append(1)):
            assert torch.equal(breath.breathing(breath.breathing(network()))(x), plain)
    assert len(heard) == 3, "once a module, and not inside the layers of a Transformer"


def test_nobody_hears_what_nobody_listens_to_and_another_thread_neither() -> None:
    breath.breathe()
    heard: list[int] = []
    with breath.listening(lambda: heard.append(1)):
        thread = threading.Thread(target=breath.breathe)
        thread.start()
        thread.join()
        assert heard == []
        breath.breathe()
        assert heard == [1]
    breath.breathe()
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


def test_listening_needs_no_torch() -> None:
    code = "import sys, colde.match.pipeline, colde.encoders.breath; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["False"], done.stderr
