"""The 95th percentile of a map's cells between unrelated texts.

Measured by studies/explanations/unrelated_cells.py on unrelated pairs of validation documents.
"""

from __future__ import annotations

from colde.assets import figures
from colde.results.similarity_map import SimilarityMap

FIGURES_FILE = "unrelated_cells.json"


def figure_key(m: SimilarityMap) -> str | None:
    """Key of a map among the figures; None for a map whose values are not on a common scale."""
    if m.kind != "cosine" or m.side != "across" or m.form != "matrix" or m.scale != "sequential":
        return None
    return "/".join(filter(None, (m.role, m.level, m.label)))


def unrelated_percentile(model: str, m: SimilarityMap) -> float | None:
    """The value below which 95 of 100 cells of unrelated pairs stay; None where it was not measured, or is 0."""
    key = figure_key(m)
    measured = figures(FIGURES_FILE).get("models", {}).get(model, {})
    return measured.get(key) or None  # a map whose cells are nearly all 0 has no pale part
