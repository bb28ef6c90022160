"""What all training has in common: train, fit profiles on pairs that were held out, save a checkpoint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from colde.judge.calibration import Profile
from colde.judge.profiles import GENERAL
from colde.training.corpora.held_out import HeldOutPairs
from colde.training.profile_scores import UNRELATED, Scorings, fit_profiles
from colde.training.training_run import TrainingRun


class Trainer(ABC):
    """One training of a model. A subclass says how; its `fit` is the model's fit function (`FitFunction`).

    Attributes:
        unrelated: random pairs of each corpus for the background of a profile.
        has_untrained_view: whether the model judges kinds of documents that it was not trained on in another way.
    """

    unrelated: int = UNRELATED
    has_untrained_view: ClassVar[bool] = False

    def __init__(self, run: TrainingRun) -> None:
        self.run = run

    @abstractmethod
    def train(self) -> dict[str, Any]:
        """Train; returns what the checkpoint records of the training."""

    @abstractmethod
    def held_out(self) -> Sequence[HeldOutPairs]:
        """The pairs that profiles are fitted on, after `train`."""

    @abstractmethod
    def scorings(self) -> Scorings:
        """How the trained model scores them."""

    @abstractmethod
    def model(self) -> Any:
        """The trained model, a `Matcher` without profiles."""

    def profiles(self) -> dict[str, Profile]:
        """The profiles of the trained model."""
        run = self.run
        kind = run.spec.card.score_kind
        profiles = fit_profiles(self.scorings(), self.held_out(), run.corpora, run.seed, self.unrelated, kind)
        if not self.has_untrained_view:
            return profiles
        return {name: replace(p, trained_on=name != GENERAL) for name, p in profiles.items()}

    @classmethod
    def fit(cls, run: TrainingRun) -> Path:
        """Train, fit profiles and save; returns the folder of the checkpoint."""
        trainer = cls(run)
        record = trainer.train()
        profiles = trainer.profiles()
        model = trainer.model()
        model.profiles = profiles
        if record:
            model.training = record
        model.save(run.output)
        return run.output
