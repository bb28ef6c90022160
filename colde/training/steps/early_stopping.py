"""Early stopping: the best validation of a run, and the number of validations since."""

from __future__ import annotations

import math
from dataclasses import dataclass

from colde.training.steps.objective import StepResult


@dataclass(slots=True)
class Best:
    """The best validation so far, and totals of the run.

    Attributes:
        score: of the best validation, from `Objective.validate`; step: steps trained before it, -1 without one.
        stale: validations since then.
        seconds: time spent (`training_loop.thread_seconds_clock`); tokens: trained on; loss: running mean.
    """

    score: float = -math.inf
    step: int = -1
    stale: int = 0
    seconds: float = 0.0
    tokens: int = 0
    loss: float = math.nan

    def count(self, result: StepResult) -> None:
        """Add a step to loss and tokens."""
        self.tokens += result.tokens
        self.loss = result.loss if math.isnan(self.loss) else 0.95 * self.loss + 0.05 * result.loss

    def improves(self, score: float, step: int) -> bool:
        """Count a validation; True if it is the best so far."""
        self.stale += 1
        if not score > self.score:
            return False
        self.score, self.step, self.stale = score, step, 0
        return True
