"""The one loop: its schedule, its learning rates, its buffers, and runs that are stopped and resumed."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from colde.errors import ModelError
from colde.training.colde_models import colde_fit, colde_paper_fit, colde_words_fit
from colde.training.colde_models.colde_corpus import corpora_with_vectors
from colde.training.colde_models.colde_words_fit import (
    CorpusWordCounts,
    WordVectorTraining,
    corpus_word_counts,
    train_word_vectors,
)
from colde.training.pair_networks import pair_training
from colde.training.steps import training_loop
from colde.training.steps.objective import StepResult
from colde.training.steps.optimiser import build_optimiser, warm_up_then_linear
from colde.training.steps.training_loop import LoopConfig, run_loop
from tests.training.stopping import Stop, stop_at


class Line(nn.Module):
    """y = slope · x + shift behind a batch normalisation, which counts its batches in an integer."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(1, momentum=None)
        self.head = nn.Linear(1, 1)
        self.frozen = nn.Linear(1, 1).requires_grad_(False)


class LineObjective:
    """Squares of random targets; validated by how near the slope is to 2."""

    def __init__(self, module: Line) -> None:
        self.module, self.rates = module, [0.0]

    def gradients(self, step: int) -> StepResult:
        self.module.train()
        x = torch.rand(8, 1)  # by seed and step: the loop has seeded the generator
        loss = ((self.module.head(self.module.norm(x)) - 2 * x) ** 2).mean()
        loss.backward()
        return StepResult(loss.item(), 8)

    def validate(self) -> float:
        return -abs(float(self.module.head.weight.detach()) - 2)


def line() -> Line:
    torch.manual_seed(0)
    return Line()


CONFIG = LoopConfig(steps=20, learning_rate=0.1, validate_every=4, ema=0.8, save_minutes=0)


def test_the_schedule_rises_and_falls_in_straight_lines() -> None:
    shares = [warm_up_then_linear(step, 100, 0.2) for step in range(101)]
    assert shares[0] == 0.02 and shares[20] == 1.0 == max(shares) and shares[100] == 0.0
    assert shares[10] == pytest.approx(0.5) and shares[60] == pytest.approx(0.5)
    assert [warm_up_then_linear(s, 4, 0.0) for s in range(5)] == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert warm_up_then_linear(3, 3, 1.0) == 0.0


def test_parts_have_their_own_learning_rates() -> None:
    module = line()
    optimiser = build_optimiser(module, 0.5, 0.0, {"head": 0.1, "head.bias": 0.01})
    rates = {id(p): g["lr"] for g in optimiser.param_groups for p in g["params"]}
    found = {n: rates.get(id(p)) for n, p in module.named_parameters()}
    assert found["head.weight"] == pytest.approx(0.05) and found["head.bias"] == pytest.approx(0.005)
    assert found["norm.weight"] == 0.5 and found["frozen.weight"] is None
    with pytest.raises(ModelError, match=r"'frozen'.*head, norm"):
        build_optimiser(module, 0.5, 0.0, {"frozen": 1.0})


def test_every_part_follows_the_one_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[float]] = []
    module = line()

    class Watching(LineObjective):
        def gradients(self, step: int) -> StepResult:
            seen.append([group["lr"] for group in optimisers[0].param_groups])
            return super().gradients(step)

    optimisers: list[torch.optim.Optimizer] = []

    def build(*args: object) -> torch.optim.Optimizer:
        optimisers.append(build_optimiser(*args))  # type: ignore[arg-type]
        return optimisers[0]

    monkeypatch.setattr(training_loop, "build_optimiser", build)
    run_loop(module, Watching(module), replace(CONFIG, rates={"head": 0.1}))
    shares = [warm_up_then_linear(step, 20, 0.1) for step in range(20)]
    assert seen == [[pytest.approx(0.1 * s), pytest.approx(0.01 * s)] for s in shares]


def test_the_clock_does_not_shape_the_learning_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, fast = line(), line()
    run_loop(fast, LineObjective(fast), CONFIG)
    run_loop(slow, LineObjective(slow), replace(CONFIG, minutes=60.0))
    assert all(
        torch.equal(a, b) for a, b in zip(fast.state_dict().values(), slow.state_dict().values(), strict=True)
    )
    seen: list[int] = []
    ended = line()
    run_loop(
        ended,
        LineObjective(ended),
        replace(CONFIG, minutes=0.0),
        on_progress=lambda progress: seen.append(progress.done),
    )
    assert seen == [1]


@pytest.mark.parametrize("at", [3, 8, 19])
def test_buffers_of_any_type_resume_to_the_same_bytes(at: int, tmp_path: Path) -> None:
    whole = line()
    best = run_loop(whole, LineObjective(whole), CONFIG, seed=3)
    stopped = line()
    with pytest.raises(Stop):
        run_loop(stopped, LineObjective(stopped), CONFIG, seed=3, state=tmp_path, on_progress=stop_at(at))
    torch.manual_seed(9)
    parts = Line()
    parts.frozen.load_state_dict(whole.frozen.state_dict())
    again = run_loop(parts, LineObjective(parts), CONFIG, seed=3, state=tmp_path, resume=True)
    assert replace(again, seconds=best.seconds, stale=best.stale) == best
    assert int(parts.norm.num_batches_tracked) == best.step
    for name, value in whole.state_dict().items():
        assert torch.equal(parts.state_dict()[name], value), name


def test_what_is_drawn_elsewhere_does_not_depend_on_the_loop() -> None:
    module = line()
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    run_loop(module, LineObjective(module), CONFIG)
    assert torch.equal(torch.rand(3), expected)


def test_there_is_no_second_loop() -> None:
    """Who trains, calls `run_loop`; nobody else builds an optimiser, a schedule or saves a state."""
    for module in (colde_fit, colde_words_fit, colde_paper_fit, pair_training):
        text = inspect.getsource(module)
        assert "run_loop(" in text
        for word in ("optim", "zero_grad", "save_state", "LambdaLR", "AveragedWeights", "class Best"):
            assert word not in text, f"{module.__name__}: {word}"


# A trainer -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def counts(corpus: Path) -> CorpusWordCounts:
    (loaded,) = corpora_with_vectors([corpus], corpus.parent / "sentences", 0.06)
    return corpus_word_counts(loaded, corpus, corpus.parent / "counts")


def trained(counts: CorpusWordCounts, **more: Any) -> dict[str, Tensor]:
    """The word vectors after 9 steps."""
    return train_word_vectors([counts], WordVectorTraining(steps=9, pairs=16), 8, 4, **more).state_dict()


def test_a_trainer_resumes_to_the_same_bytes(counts: CorpusWordCounts, tmp_path: Path) -> None:
    whole = trained(counts)
    with pytest.raises(Stop):
        trained(counts, state=tmp_path, on_progress=lambda p: stop_at(6)(replace(p, subject="")))
    seen: list[int] = []
    parts = trained(counts, state=tmp_path, resume=True, on_progress=lambda p: seen.append(p.done))
    assert seen == [7, 8, 9]
    assert parts.keys() == whole.keys()
    for key, value in whole.items():
        assert parts[key].numpy().tobytes() == value.numpy().tobytes(), key
