"""The one training loop: steps, one schedule, running means of the weights, validation, early stopping, resuming.

An `Objective` gives each step's gradients and the validation measure. Every draw depends on seed and step alone, so
that a run that was stopped goes on to the same bytes.
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
from colde.training.early_stopping import Best
from colde.training.learning_rate import warm_up_then_linear
from colde.training.objective import Objective
from colde.training.optimiser import build_optimiser
from colde.training.saved_run import load_state, save_state
from colde.training.seeding import seeded
from colde.training.weight_averaging import AveragedWeights, changing_tensors


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
    """Train a module in place, on the device it is on; it is left as it was at its best validation,
    or as it is at the end where nothing was measured.

    Args:
        module: holds all that changes; what has `requires_grad=False` stays.
        state: folder of the run's state; None for nowhere.
        resume: go on from the state in that folder, if there is one.
        stage, subject: of the progress that is reported after each step.
        run: what else the result depends on (settings, corpora); a run that goes on must have the same.
    """
    weights = AveragedWeights(changing_tensors(module), config.ema)
    optimiser = build_optimiser(module, config.learning_rate, config.weight_decay, config.rates)
    trained = [p for group in optimiser.param_groups for p in group["params"]]
    best, kept, first = Best(), weights.snapshot(), 0
    identity = {"seed": seed, "loop": asdict(config), **(run or {})}
    if resume and state is not None:
        first, best, kept = load_state(state, weights, optimiser, kept, Best, identity) or (0, best, kept)
    share = partial(warm_up_then_linear, steps=config.steps, warm_up=config.warm_up)
    schedule = LambdaLR(optimiser, share, last_epoch=first - 1)
    clock = thread_seconds_clock(module)
    begun = clock() - best.seconds
    validated, saved = clock(), time.monotonic()
    for step in range(first, config.steps):
        optimiser.zero_grad(set_to_none=True)
        with seeded((seed << 32) + step):
            result = objective.gradients(step)
        nn.utils.clip_grad_norm_(trained, config.clip)
        optimiser.step()
        schedule.step()
        weights.update(step)
        best.count(result)
        best.seconds = clock() - begun
        last = step + 1 == config.steps or _passed(best.seconds, config.minutes)
        due = (step + 1) % config.validate_every == 0 or _passed(clock() - validated, config.validate_minutes)
        if due or last:
            with weights.averaged():
                if best.improves(objective.validate(), step + 1):
                    kept = weights.snapshot()
            last = last or best.stale >= config.patience
            validated = clock()
        if state is not None and (due or last or _passed(time.monotonic() - saved, config.save_minutes)):
            best.seconds = clock() - begun
            save_state(state, config.steps if last else step + 1, best, weights, optimiser, kept, identity)
            saved = time.monotonic()
        if on_progress is not None:
            on_progress(Progress(stage, step + 1, config.steps, subject=subject, figures=_figures(best)))
        if last:
            break
    if best.step >= 0:
        weights.restore(kept)
    module.eval()
    return best


def thread_seconds_clock(module: nn.Module) -> Callable[[], float]:
    """Seconds that count towards a run's minutes, each thread busy: what else a machine does costs a run no steps."""
    if next(module.parameters()).is_cuda:
        return time.monotonic
    return lambda: time.process_time() / torch.get_num_threads()


def _passed(seconds: float, minutes: float | None) -> bool:
    return minutes is not None and seconds >= 60 * minutes


def _figures(best: Best) -> str:
    found = [f"loss {best.loss:.3f}"]
    if best.step >= 0:
        found.append(f"best validation {best.score:.4f} at step {best.step}")
    if best.tokens:
        found.append(f"{best.tokens / max(best.seconds, 1e-9):,.0f} tokens/s")
    return ", ".join(found)
