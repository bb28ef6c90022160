"""Objectives: the part of a training that differs between models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from torch import Tensor, nn

from colde.training.corpora.labelled_pairs import Batch, TrainedOn, draw_batch


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step.

    Attributes:
        loss: mean over the batch.
        tokens: tokens that were encoded; 0 where stored vectors are used.
    """

    loss: float
    tokens: int = 0


class Objective(Protocol):
    """The gradients of a step, and a validation measure. Both set training or evaluation mode themselves."""

    def gradients(self, step: int) -> StepResult:
        """Add the gradients of a step's loss to the parameters.

        Random draws depend on seed and step only. torch's generator is seeded with both before the call.
        """
        ...

    def validate(self) -> float:
        """The measure on the validation set, higher is better; not a number where nothing is measured.

        The best weights by this measure are kept, or the last ones where there is none.
        """
        ...


class ContrastiveObjective(ABC):
    """An `Objective` that draws labelled pairs of all corpora in each step.

    Args:
        module: set to training mode in each step.
        training: its settings `pairs` and `unlabelled` are those of `draw_batch`.
    """

    def __init__(self, module: nn.Module, corpora: Sequence[TrainedOn], training: Any, seed: int) -> None:
        self._module, self._corpora, self._settings, self.seed = module, corpora, training, seed

    def gradients(self, step: int) -> StepResult:
        random = np.random.default_rng((self.seed, step))
        batch = draw_batch(self._corpora, self._settings.pairs, self._settings.unlabelled, random)
        self._module.train()
        loss = self.loss(batch, random)
        loss.backward()  # type: ignore[no-untyped-call]
        return StepResult(loss.item())

    @abstractmethod
    def loss(self, batch: Batch, random: np.random.Generator) -> Tensor:
        """The loss of a batch, a scalar; `random` is for other draws of the step."""

    @abstractmethod
    def validate(self) -> float:
        """As in `Objective`."""
