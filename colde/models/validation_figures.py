"""Figures of the models on validation pairs, as the Models page shows it: assets/figures.json.

Made by studies/accuracy/model_figures.py. An entry names the weights, settings and thresholds it was measured with
(`StoredConfig.fingerprint`), and is not shown with others.
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
    """Figures of how well a model tells similar pairs from others among documents of one kind.

    Attributes:
        pairs: validation pairs behind the figures.
        measures: accuracy, f1, roc_auc; all in [0, 1].
        calibration_error: mean distance between stated probability and observed share.
        by_chance: the calibration error that exactly right probabilities stay below in 95 of 100 samples.
        reliability: of bins with like many pairs, rising: mean probability, share of similar pairs, share of the pairs.
        seeds: measure → its mean and standard deviation over several trainings; empty where there was one.
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
        seeds: how many trainings the spread comes from.
        seconds: what a paper of about ten pages costs on one core: `document` to read it, `pair` to compare two.
    """

    profiles: Mapping[str, ProfileFigures]
    seeds: int = 1
    seconds: Mapping[str, float] = field(default_factory=dict)


def read_figures(folder: Path, name: str) -> Figures | None:
    """Figures of the model in this folder, under this name; None where there are none, or those of other files."""
    entry = _entries().get(name)
    if entry is None or not (folder / CONFIG).is_file():
        return None
    if entry["made_with"] != read_config(folder).fingerprint():
        return None
    profiles = {
        profile: ProfileFigures(
            pairs=raw["pairs"],
            measures={key: Interval(*values) for key, values in raw["measures"].items()},
            calibration_error=raw["calibration_error"],
            by_chance=raw["by_chance"],
            reliability=tuple(tuple(point) for point in raw["reliability"]),
            seeds={key: tuple(values) for key, values in raw.get("seeds", {}).items()},
        )
        for profile, raw in entry["profiles"].items()
    }
    return Figures(profiles, entry.get("seeds", 1), entry.get("seconds", {}))


@cache
def _entries() -> dict[str, Any]:
    path = asset(FIGURES)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found
