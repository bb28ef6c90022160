"""`colde train`: the fit function of a registered model and its arguments.

A run can be stopped at any step and resumed with the same result: every random draw depends on seed and step only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from colde import strict_json
from colde.errors import ModelError
from colde.judge.profiles import profile_of
from colde.models.registry import ModelSpec, import_code, spec
from colde.results.progress import OnProgress
from colde.strict_json import JsonError


class _SettingsFile(Struct):
    """The settings of a settings file that every fit function knows; a fit function may know others."""

    model: dict[str, Any] = {}
    training: dict[str, Any] = {}
    work: str | None = None
    counts: str | None = None
    network: str | None = None
    sentences: str | None = None
    prepared: str | None = None
    start: str | None = None


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """Arguments of a fit function.

    Attributes:
        spec: the model, with the settings of its TOML file.
        corpora: folders with documents.jsonl.gz, train.tsv and valid.tsv.
        output: folder of the checkpoint and of the run's state.
        settings: the settings file: `{"model": {…}, "training": {…}, "work": folder, …}`.
        seed: of all random draws.
        resume: continue the run in `output`, if there is one.
        profile: name of the profile that is fitted; None: the one that profiles.toml names for each corpus.
    """

    spec: ModelSpec
    corpora: Sequence[Path]
    output: Path
    settings: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    resume: bool = False
    profile: str | None = None
    on_progress: OnProgress | None = None

    @property
    def model(self) -> dict[str, Any]:
        """Settings of the model's config: those of its TOML file, then those of the settings file."""
        return {**self.spec.model, **self.settings.get("model", {})}

    @property
    def training(self) -> dict[str, Any]:
        """Settings of the training: those of the model's TOML file, then those of the settings file."""
        return {**self.spec.training, **self.settings.get("training", {})}

    @property
    def work(self) -> Path:
        """Folder that keeps vectors and prepared documents for the next run, beside the checkpoint."""
        return Path(self.settings.get("work") or self.output.with_name(f"{self.output.name}.work"))

    def identity(self, config: Any, training: Any, corpora: Sequence[Any]) -> dict[str, Any]:
        """Settings that the result depends on beside the loop's; a run that is resumed must have the same."""
        return {"model": asdict(config), "training": asdict(training), "corpora": [c.name for c in corpora]}

    def record(self, training: Any) -> dict[str, Any]:
        """What every checkpoint records of its training."""
        return {"corpora": [c.name for c in self.corpora], "seed": self.seed, "settings": asdict(training)}

    def profile_of(self, corpus: Path) -> str:
        """The profile that is fitted on a corpus."""
        return self.profile or profile_of(corpus.name)


FitFunction = Callable[[TrainingRun], Path]
"""Trains a model or fits its thresholds, and writes a checkpoint; returns the folder."""


def train(
    model: str,
    corpora: Sequence[Path],
    output: Path,
    config: Path | None = None,
    seed: int = 0,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    profile: str | None = None,
    encoder: str | None = None,
) -> Path:
    """Train a model on one or several corpora and write its checkpoint; arguments as in `TrainingRun`.

    Args:
        model: a registered name, of a model or a variant.
        config: a JSON file of settings.
        encoder: name of the encoder, for a model over one; the setting `encoder` of its `model`.

    Raises:
        ModelError: an unknown model or setting, or a named profile for several corpora.
    """
    if profile is not None and len(corpora) != 1:
        raise ModelError(
            f"one corpus fits one profile, {len(corpora)} are named; leave --profile out, or train on one corpus"
        )
    chosen = spec(model)
    module, _, function = chosen.fit.partition(":")
    fit: FitFunction = getattr(import_code(module, chosen.card.name), function)
    settings = read_settings(config)
    if encoder is not None:
        settings["model"] = {**settings.get("model", {}), "encoder": encoder}
    return fit(TrainingRun(chosen, corpora, output, settings, seed, resume, profile, on_progress))


def read_settings(config: Path | None) -> dict[str, Any]:
    """A settings file as a dictionary.

    Raises:
        ModelError: not a JSON file with an object in it.
    """
    if config is None:
        return {}
    try:
        data = strict_json.read_limited(config)
        strict_json.decode(data, _SettingsFile)
        return strict_json.decode_object(data)
    except (OSError, JsonError) as error:
        raise ModelError(f"{config}: not a readable JSON file of settings ({error})") from None
