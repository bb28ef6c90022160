"""Scores that need no training: their checkpoint is a profile's thresholds, no weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Self

from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, write_checkpoint


class Untrained:
    """A matcher without weights: loading and saving."""

    parameters: ClassVar[int] = 0  # of the pretrained encoder, where there is one

    def __init__(self, card: Card, profiles: Mapping[str, Profile] | None = None) -> None:
        self.card = card
        self.profiles = profiles or {}

    @classmethod
    def load(cls, folder: Path, card: Card) -> Self:
        """The thresholds in the folder; everything else comes with the program."""
        return cls(card, read_config(folder).profiles)

    def save(self, folder: Path) -> None:
        write_checkpoint(
            folder,
            name=self.card.name,
            settings={},
            profiles=self.profiles,
            parameters=self.parameters,
            training={},
            base=self.parameters > 0,
        )
