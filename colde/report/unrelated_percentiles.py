"""Usual values between unrelated texts: the 95th percentile of a map's cells.

Measured by studies/explanations/unrelated_cells.py on pairs of validation documents that nobody calls related.
"""

from __future__ import annotations

import json
from functools import cache

from colde.assets import asset
from colde.results.similarity_map import SimilarityMap

FIGURES_FILE = "unrelated_cells.json"


def figure_key(m: SimilarityMap) -> str | None:
    """Key of a map among the figures; None for one whose values have no scale that two pairs of texts share."""
    if m.kind != "cosine" or m.side != "across" or m.form != "matrix" or m.scale != "sequential":
        return None
    return "/".join(filter(None, (m.role, m.level, m.label)))


def unrelated_percentile(model: str, m: SimilarityMap) -> float | None:
    """The value below which 95 of 100 cells of unrelated pairs stay; None where it was not measured, or is 0."""
    key = figure_key(m)
    found = None if key is None else _measured().get(model, {}).get(key)
    return found or None  # a map whose cells are nearly all 0 has no pale part


@cache
def _measured() -> dict[str, dict[str, float]]:
    try:
        whole = json.loads(asset(FIGURES_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:  # not measured; then no map has a tick
        return {}
    found: dict[str, dict[str, float]] = whole["models"]
    return found
