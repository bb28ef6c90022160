"""The state of a run: one file, of one run; what is kept of a corpus is that corpus's."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from colde.errors import CheckpointError, ModelError
from colde.text.chunks import default_tokenizer
from colde.training.corpora.chunk_ids import cached_chunk_ids
from colde.training.corpora.corpus_cache import cached_word_counts
from colde.training.steps.early_stopping import Best
from colde.training.steps.saved_run import TENSORS, load_state, save_state
from tests.corpora import record, write_corpus


def network() -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(0)
    module = nn.Linear(2, 2)
    optimiser = torch.optim.AdamW(module.parameters())
    module(torch.ones(1, 2)).sum().backward()
    optimiser.step()
    return module, optimiser


RUN = {"seed": 1, "settings": {"rate": 0.1}}


def test_it_is_one_file_and_comes_back(tmp_path: Path) -> None:
    module, optimiser = network()
    save_state(tmp_path, 7, Best(0.5, loss=0.1), module, optimiser, {"a": torch.ones(2)}, RUN)
    assert [p.name for p in tmp_path.iterdir()] == [TENSORS]
    other, fresh = network()
    with torch.no_grad():
        other.weight.zero_()
    found = load_state(tmp_path, other, fresh, {}, RUN)
    assert found is not None and (found[0], found[1]) == (7, Best(0.5, loss=0.1))
    assert torch.equal(other.weight, module.weight) and torch.equal(found[2]["a"], torch.ones(2))
    assert load_state(tmp_path / "none", other, fresh, {}, RUN) is None


def test_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    module, optimiser = network()
    save_state(tmp_path, 7, Best(), module, optimiser, {}, RUN)
    changed = {"seed": 2, "settings": {"rate": 0.2}}
    with pytest.raises(ModelError, match=r"seed 1, now 2, settings\.rate 0\.1, now 0\.2.*without --resume"):
        load_state(tmp_path, module, optimiser, {}, changed)


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "of another network"])
def test_a_damaged_state_is_named(damage: str, tmp_path: Path) -> None:
    module, optimiser = network()
    save_state(tmp_path, 7, Best(), module, optimiser, {}, RUN)
    file = tmp_path / TENSORS
    data = file.read_bytes()
    if damage == "of another network":
        module = nn.Linear(3, 3)
    else:
        file.write_bytes({"empty": b"", "cut": data[:-9], "noise": b"\xff" * len(data)}[damage])
    with pytest.raises(CheckpointError, match=r"state\.safetensors.*without --resume"):
        load_state(tmp_path, module, optimiser, {}, RUN)


def test_what_is_kept_belongs_to_the_corpus(tmp_path: Path) -> None:
    corpus, kept = tmp_path / "toy", tmp_path / "kept"

    def made_of(text: str) -> tuple[float, int]:
        write_corpus(corpus, [record("d", text)])
        return (
            float(cached_word_counts(corpus, kept).sum()),
            len(cached_chunk_ids(corpus, kept, default_tokenizer()).flat),
        )

    first, second = made_of("The keeper wound the clock."), made_of("Fog came in over the bar before dawn.")
    assert all(a != b for a, b in zip(first, second, strict=True))
    for file in kept.iterdir():
        file.write_bytes(file.read_bytes()[:50])
    assert made_of("The keeper wound the clock.") == first
