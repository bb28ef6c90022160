"""The step that all contrastive training shares: draw a batch of labelled pairs, compute a loss, take its gradient."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from torch import Tensor, nn

from colde.training.labelled_pairs import Batch, TrainedOn, draw_batch
from colde.training.objective import StepResult


class BatchSettings(Protocol):
    """Settings of a training that draws batches with `draw_batch`."""

    @property
    def pairs(self) -> int: ...
    @property
    def unlabelled(self) -> float: ...


class ContrastiveObjective(ABC):
    """An `Objective` whose steps draw pairs of all corpora; a subclass gives loss and validation.

    Args:
        module: set to training mode in each step.
    """

    def __init__(
        self, module: nn.Module, corpora: Sequence[TrainedOn], training: BatchSettings, seed: int
    ) -> None:
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
        """The loss of a batch, a scalar; `random` is for whatever else the step draws."""

    @abstractmethod
    def validate(self) -> float:
        """As in `Objective`."""
