"""The one loop: its schedule, its learning rates, its buffers, and runs that are stopped and resumed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from colde.errors import ModelError
from colde.models.colde_paper.paper_config import PaperConfig
from colde.models.colde_paper.paper_network import PaperNetwork
from colde.models.registry import spec
from colde.results.progress import Progress
from colde.training import colde_fit, colde_paper_fit, colde_words_fit, pair_training, training_loop
from colde.training.colde_corpus import VectorCorpus, corpora_with_vectors
from colde.training.colde_paper_objectives import PaperTraining
from colde.training.colde_words_fit import WordVectorTraining, corpus_word_counts, train_word_vectors
from colde.training.learning_rate import warm_up_then_linear
from colde.training.objective import StepResult
from colde.training.optimiser import build_optimiser
from colde.training.pair_training import PairwiseConfig, train_network
from colde.training.prepared_corpora import prepare_corpus
from colde.training.training_loop import LoopConfig, run_loop
from colde.training.training_run import TrainingRun


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


class Stop(Exception):
    pass


def stop_at(step: int) -> Callable[[Progress], None]:
    def show(progress: Progress) -> None:
        if progress.done == step:
            raise Stop

    return show


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
    assert (again.score, again.step, again.tokens, again.loss) == (
        best.score,
        best.step,
        best.tokens,
        best.loss,
    )
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


# The three trainers --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loaded(corpus: Path) -> VectorCorpus:
    return corpora_with_vectors([corpus], corpus.parent / "sentences", 0.06)[0]


Trainer = Callable[[Path | None, bool, Callable[[Progress], None] | None], dict[str, Tensor]]


def trainers(corpus: Path, loaded: VectorCorpus, nowhere: Path) -> dict[str, Trainer]:
    """The state of what each trains, from a state folder, whether to resume, and a progress function."""
    from colde.training.baseline_fit import build

    def head(folder: Path | None, resume: bool, show: Callable[[Progress], None] | None) -> dict[str, Tensor]:
        torch.manual_seed(4)
        network = PaperNetwork(PaperConfig())
        run = TrainingRun(spec("colde:paper"), [corpus], folder or nowhere, {}, 4, resume, None, show)
        colde_paper_fit.fit_head(run, network, [loaded], PaperTraining(steps=9, pairs=16, validate_every=3))
        return network.state_dict()

    def words(
        folder: Path | None, resume: bool, show: Callable[[Progress], None] | None
    ) -> dict[str, Tensor]:
        counted = corpus_word_counts(loaded, corpus, corpus.parent / "counts")
        settings = WordVectorTraining(steps=9, pairs=16)
        trained = train_word_vectors([counted], settings, 8, 4, state=folder, resume=resume, on_progress=show)
        return trained.state_dict()

    def baseline(
        folder: Path | None, resume: bool, show: Callable[[Progress], None] | None
    ) -> dict[str, Tensor]:
        network = build(spec("arc_i"), {}, 4)
        prepared = prepare_corpus(network, corpus, corpus.parent / "prepared")
        training = PairwiseConfig(
            steps=9, pairs=8, learning_rate=1e-3, validate_every=3, fit_scale=True, tokens=512
        )
        train_network(network, [prepared], training, seed=4, state_in=folder, resume=resume, on_progress=show)
        return dict(network.state_dict())

    return {"head": head, "words": words, "baseline": baseline}


@pytest.mark.parametrize("name", ["head", "words", "baseline"])
def test_each_trainer_resumes_to_the_same_bytes(
    name: str, corpus: Path, loaded: VectorCorpus, tmp_path: Path
) -> None:
    train = trainers(corpus, loaded, tmp_path / "nowhere")[name]
    whole = train(None, False, None)
    with pytest.raises(Stop):
        train(tmp_path, False, stop_at(6))
    seen: list[int] = []
    parts = train(tmp_path, True, lambda progress: seen.append(progress.done))
    assert seen == [7, 8, 9]
    assert parts.keys() == whole.keys()
    for key, value in whole.items():
        assert parts[key].numpy().tobytes() == value.numpy().tobytes(), key


@pytest.mark.parametrize("name", ["head", "words", "baseline"])
def test_each_trainer_follows_the_one_schedule(
    name: str, corpus: Path, loaded: VectorCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def share(step: int, steps: int, warm_up: float) -> float:
        asked.append(step)
        assert (steps, warm_up) == (9, 0.1)
        return warm_up_then_linear(step, steps, warm_up)

    monkeypatch.setattr(training_loop, "warm_up_then_linear", share)
    trainers(corpus, loaded, tmp_path)[name](None, False, None)
    assert asked == list(range(10))
