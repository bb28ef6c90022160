"""Figures of the models on validation pairs for the Models page: assets/figures.json.

studies/accuracy/model_figures.py writes them. An entry holds for the weights, settings and thresholds that it was
measured with (`StoredConfig.fingerprint`), and is not shown for others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from colde.assets import asset
from colde.models.checkpoint import CONFIG, read_config

FIGURES = "figures.json"


@dataclass(frozen=True, slots=True)
class Interval:
    """A measure and its 95 % interval over sources."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ProfileFigures:
    """Figures of a model on documents of one profile.

    Attributes:
        pairs: validation pairs behind the figures.
        measures: accuracy, f1, roc_auc; all in [0, 1].
        calibration_error: mean distance between stated probability and observed share.
        by_chance: 95 % quantile of the calibration error of exactly right probabilities.
        reliability: of bins of equal size, rising: mean probability, share of similar pairs, share of the pairs.
        seeds: measure → its mean and standard deviation over several trainings; empty for one training.
    """

    pairs: int
    measures: Mapping[str, Interval]
    calibration_error: float
    by_chance: float
    reliability: tuple[tuple[float, float, float], ...] = ()
    seeds: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one model.

    Attributes:
        profiles: by name.
        seeds: number of trainings behind the deviations.
        seconds: of a paper of about ten pages on one core: `document` to encode it, `pair` to compare two.
    """

    profiles: Mapping[str, ProfileFigures]
    seeds: int = 1
    seconds: Mapping[str, float] = field(default_factory=dict)


def read_figures(folder: Path, name: str) -> Figures | None:
    """Figures of the model in this folder, under this name; None if there are none, or only for other weights."""
    entry = _entries().get(name)
    if entry is None or not (folder / CONFIG).is_file():
        return None
    if entry["made_with"] != read_config(folder).fingerprint():
        return None
    profiles = {profile: _profile_figures(raw) for profile, raw in entry["profiles"].items()}
    return Figures(profiles, entry.get("seeds", 1), entry.get("seconds", {}))


def _profile_figures(raw: Mapping[str, Any]) -> ProfileFigures:
    tables = {
        "measures": {key: Interval(*values) for key, values in raw["measures"].items()},
        "reliability": tuple(tuple(point) for point in raw["reliability"]),
        "seeds": {key: tuple(values) for key, values in raw.get("seeds", {}).items()},
    }
    return ProfileFigures(**{**raw, **tables})


@cache
def _entries() -> dict[str, Any]:
    path = asset(FIGURES)
    entries: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return entries
