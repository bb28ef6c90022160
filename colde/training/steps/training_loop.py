"""The training loop of all models: steps, schedule, running means of weights, validation, early stopping, resuming.

An `Objective` gives each step's gradients and the validation measure. Every random draw depends on seed and step only,
so a run that was stopped and resumed ends with the same bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from colde.results.progress import OnProgress, Progress, Stage
from colde.training.steps.early_stopping import Best
from colde.training.steps.objective import Objective
from colde.training.steps.optimiser import build_optimiser, warm_up_then_linear
from colde.training.steps.saved_run import load_state, save_state
from colde.training.steps.seeding import seeded
from colde.training.steps.weight_averaging import AveragedWeights, changing_tensors


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """Settings of a run of the loop.

    Attributes:
        steps: length; the learning rate has come down to zero by then.
        learning_rate: at its peak.
        rates: prefix of parameter names → factor of their learning rate (`build_optimiser`).
        warm_up: share of the steps until the peak.
        clip: norm gradients are clipped to.
        ema: decay of running means of the weights, which are then validated and kept; 0: off.
        validate_every: steps; validate_minutes: or so many minutes after the last validation.
        patience: validations without a better one before the run ends.
        minutes: an upper bound that ends a run; the learning rate knows nothing of it.
        save_minutes: between two saved states; one is saved after each validation, too.
    """

    steps: int
    learning_rate: float
    weight_decay: float = 0.01
    rates: Mapping[str, float] = field(default_factory=dict)
    warm_up: float = 0.1
    clip: float = 1.0
    ema: float = 0.0
    validate_every: int = 50
    validate_minutes: float | None = None
    patience: int = 8
    minutes: float | None = None
    save_minutes: float = 3.0

    @classmethod
    def of(cls, training: Any, **changes: Any) -> LoopConfig:
        """The settings of a training that have the same names here, and `changes`."""
        shared = {f.name: getattr(training, f.name) for f in fields(cls) if hasattr(training, f.name)}
        return cls(**{**shared, **changes})


def run_loop(
    module: nn.Module,
    objective: Objective,
    config: LoopConfig,
    *,
    seed: int = 0,
    state: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    stage: Stage = Stage.TRAINING,
    subject: str = "",
    run: Mapping[str, Any] | None = None,
) -> Best:
    """Train a module in place on its device. It is left with its best validated weights, else with its last ones.

    Args:
        module: its parameters and buffers are trained, except parameters with `requires_grad=False`.
        state: folder of the run's state; None: it is not saved.
        resume: continue from the state in that folder, if there is one.
        stage, subject: of the progress that is reported after each step.
        run: what else the result depends on (settings, corpora); a run that is resumed must have the same.
    """
    loop = _Loop(module, objective, config, {"seed": seed, "loop": asdict(config), **(run or {})}, state)
    for step in range(loop.begin(resume), config.steps):
        loop.step(step)
        last = step + 1 == config.steps or _passed(loop.best.seconds, config.minutes)
        validated = last or loop.is_validation_due(step)
        if validated:
            loop.validate(step)
            last = last or loop.best.stale >= config.patience
        loop.save_if_due(config.steps if last else step + 1, due=validated)
        if on_progress is not None:
            figures = _figures(loop.best)
            on_progress(Progress(stage, step + 1, config.steps, subject=subject, figures=figures))
        if last:
            break
    return loop.finish()


class _Loop:
    """The state of a run of `run_loop`."""

    def __init__(
        self,
        module: nn.Module,
        objective: Objective,
        config: LoopConfig,
        identity: Mapping[str, Any],
        folder: Path | None,
    ) -> None:
        self.module, self.objective, self.config = module, objective, config
        self.identity, self.folder = identity, folder
        self.weights = AveragedWeights(changing_tensors(module), config.ema)
        self.optimiser = build_optimiser(module, config.learning_rate, config.weight_decay, config.rates)
        self.best, self.kept = Best(), self.weights.snapshot()
        self.clock = thread_seconds_clock(module)

    def begin(self, resume: bool) -> int:
        """Restore the saved state if there is one and it is asked for; start schedule and clocks; returns the step."""
        first = 0
        if resume and self.folder is not None:
            saved = load_state(self.folder, self.weights, self.optimiser, self.kept, self.identity)
            first, self.best, self.kept = saved or (0, self.best, self.kept)
        share = partial(warm_up_then_linear, steps=self.config.steps, warm_up=self.config.warm_up)
        self.schedule = LambdaLR(self.optimiser, share, last_epoch=first - 1)
        self.begun = self.clock() - self.best.seconds
        self.validated, self.saved = self.clock(), time.monotonic()
        return first

    def step(self, step: int) -> None:
        """One step of the optimiser."""
        self.optimiser.zero_grad(set_to_none=True)
        with seeded((self.identity["seed"] << 32) + step):
            result = self.objective.gradients(step)
        trained = [p for group in self.optimiser.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(trained, self.config.clip)
        self.optimiser.step()
        self.schedule.step()
        self.weights.update(step)
        self.best.count(result)
        self.best.seconds = self.clock() - self.begun

    def is_validation_due(self, step: int) -> bool:
        """Whether it is time to validate after this step."""
        minutes_due = _passed(self.clock() - self.validated, self.config.validate_minutes)
        return (step + 1) % self.config.validate_every == 0 or minutes_due

    def validate(self, step: int) -> None:
        """Validate the running means of the weights, and keep them if they are the best."""
        with self.weights.averaged():
            if self.best.improves(self.objective.validate(), step + 1):
                self.kept = self.weights.snapshot()
        self.validated = self.clock()

    def save_if_due(self, next_step: int, due: bool) -> None:
        """Save the state if `due`, or if the last time is long ago."""
        if self.folder is None:
            return
        if due or _passed(time.monotonic() - self.saved, self.config.save_minutes):
            self.best.seconds = self.clock() - self.begun
            save_state(
                self.folder, next_step, self.best, self.weights, self.optimiser, self.kept, self.identity
            )
            self.saved = time.monotonic()

    def finish(self) -> Best:
        """Leave the module as it was at its best validation, in evaluation mode."""
        if self.best.step >= 0:
            self.weights.restore(self.kept)
        self.module.eval()
        return self.best


def thread_seconds_clock(module: nn.Module) -> Callable[[], float]:
    """Seconds that count towards a run's minutes, each thread busy: what else a machine does costs a run no steps."""
    if next(module.parameters()).is_cuda:
        return time.monotonic
    return lambda: time.process_time() / torch.get_num_threads()


def _passed(seconds: float, minutes: float | None) -> bool:
    return minutes is not None and seconds >= 60 * minutes


def _figures(best: Best) -> str:
    parts = [f"loss {best.loss:.3f}"]
    if best.step >= 0:
        parts.append(f"best validation {best.score:.4f} at step {best.step}")
    if best.tokens:
        parts.append(f"{best.tokens / max(best.seconds, 1e-9):,.0f} tokens/s")
    return ", ".join(parts)
