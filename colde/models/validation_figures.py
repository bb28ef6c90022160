"""Figures of the models on pairs of new documents for the Models page: assets/figures.json.

studies/accuracy/results_pages.py writes them from docs/results/accuracy.json. An entry holds for the weights and
settings that it was measured with (`StoredConfig.fingerprint`), and is not shown for others. Thresholds do not matter:
the figures have thresholds of their own, which other pairs have chosen.
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
ONE_NEW, BOTH_NEW = "one new", "both new"
"""Blocks of pairs: one of the two documents stands in no training pair, or neither does."""
FEWEST_PAIRS = 20
"""Pairs that a figure needs at least."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A measure and its 95 % interval, clustered by both documents of a pair."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ProfileFigures:
    """Figures of a model on documents of one profile.

    Attributes:
        pairs: pairs behind the figures.
        measures: accuracy, f1, roc_auc; all in [0, 1].
        calibration_error: mean distance between stated probability and observed share.
        by_chance: 95 % quantile of the calibration error of exactly right probabilities.
        reliability: of bins of equal size, rising: mean probability, share of similar pairs, share of the pairs.
    """

    pairs: int
    measures: Mapping[str, Interval]
    calibration_error: float
    by_chance: float
    reliability: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one model.

    Attributes:
        blocks: `ONE_NEW` and `BOTH_NEW` → profile → figures; a profile with few pairs has none.
        seconds: of a paper of about ten pages on one core: `document` to encode it, `pair` to compare two.
    """

    blocks: Mapping[str, Mapping[str, ProfileFigures]]
    seconds: Mapping[str, float] = field(default_factory=dict)


def read_figures(folder: Path, name: str) -> Figures | None:
    """Figures of the model in this folder, under this name; None if there are none, or only for other weights."""
    entry = _entries().get(name)
    if entry is None or not (folder / CONFIG).is_file():
        return None
    if entry["made_with"] != read_config(folder).fingerprint(judged=False):
        return None
    blocks = {
        block: {profile: _profile_figures(raw) for profile, raw in profiles.items()}
        for block, profiles in entry["blocks"].items()
    }
    return Figures(blocks, entry["seconds"])


def _profile_figures(raw: Mapping[str, Any]) -> ProfileFigures:
    tables = {
        "measures": {key: Interval(*values) for key, values in raw["measures"].items()},
        "reliability": tuple(tuple(point) for point in raw["reliability"]),
    }
    return ProfileFigures(**{**raw, **tables})


@cache
def _entries() -> dict[str, Any]:
    path = asset(FIGURES)
    entries: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return entries
