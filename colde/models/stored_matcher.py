"""What every model with a checkpoint shares: its card, thresholds and training record, and how they are saved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, write_checkpoint

if TYPE_CHECKING:
    from torch import Tensor


class StoredMatcher(ABC):
    """A matcher that can be saved to a folder. A subclass names its settings and tensors, and has a `load`.

    Attributes:
        uses_encoder: whether the checkpoint depends on the weights of the packaged encoder.
    """

    uses_encoder: ClassVar[bool] = True

    def __init__(
        self,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.card = card
        self.profiles = profiles or {}
        self.training = training or {}

    @property
    @abstractmethod
    def parameters(self) -> int:
        """Number of parameters, those of the encoder included."""

    def settings(self) -> Mapping[str, Any]:
        """The fields of the model's config."""
        return {}

    def tensors(self) -> Mapping[str, Tensor]:
        """The trained weights by name; none for a model without weights."""
        return {}

    def save(self, folder: Path) -> None:
        """Write a checkpoint; see `Matcher`."""
        write_checkpoint(
            folder,
            name=self.card.name,
            settings=self.settings(),
            tensors=self.tensors(),
            profiles=self.profiles,
            parameters=self.parameters,
            training=self.training,
            base=self.uses_encoder,
        )


class Untrained(StoredMatcher):
    """A matcher without trained weights: its checkpoint holds thresholds only."""

    @classmethod
    def load(cls, folder: Path, card: Card) -> Self:
        """The model with the thresholds in the folder."""
        return cls(card, read_config(folder).profiles)
