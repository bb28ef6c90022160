"""Objectives: the part of a run that differs from model to model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step.

    Attributes:
        loss: mean over the batch.
        tokens: tokens that were read; 0 where kept vectors are.
    """

    loss: float
    tokens: int = 0


class Objective(Protocol):
    """Gradients for a step, and a measure of how good the module has become.

    Implementations put their modules into training or evaluation mode themselves.
    """

    def gradients(self, step: int) -> StepResult:
        """Add the gradients of a step's loss to the parameters.

        What is drawn depends on seed and step alone: torch's generator is seeded by both before the call, others are
        to be made of both.
        """
        ...

    def validate(self) -> float:
        """Measure on the validation set; higher is better. The best weights by this measure are kept.

        Not a number where nothing is measured: then the last weights are.
        """
        ...
