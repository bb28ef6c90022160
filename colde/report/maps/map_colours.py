"""Colours of the values of a map on a light ground, as the linked view draws them (map/colour_ramp.js)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.assets import figures
from colde.results.similarity_map import Array, SimilarityMap
from colde.row_blocks import row_blocks

Colours = NDArray[np.uint8]
FIGURES_FILE = "unrelated_cells.json"
"""95th percentiles of the cells of unrelated pairs, by studies/explanations/unrelated_cells.py."""

STOPS: Mapping[str, tuple[str, ...]] = {
    "cosine": ("#f1f5f9", "#d3e2ee", "#9fc3dd", "#5f9bc6", "#2b6ca3", "#123f6d"),
    "attention": ("#f6f3f8", "#e2d6ea", "#c3a8d6", "#9d76bb", "#754a98", "#4a2569"),
    "attribution": ("#faf6f1", "#f3dfc6", "#e8ba86", "#d38c48", "#a65f1f", "#6b3609"),
    "term weight": ("#f2f7f3", "#d3e7d8", "#a2cdb0", "#64a981", "#2f7d57", "#124d33"),
    "diverging": ("#0b3a82", "#3f7cc4", "#a3c6e8", "#f6f6f4", "#f2c08a", "#c9731c", "#7a3a04"),
}
"""Colours from the lowest to the highest value, by the kind of a map, or for values on both sides of zero."""
PALE_SHARE = 0.3
"""Share of a scale, from its pale end, for values that are usual between unrelated texts."""
LEAST_RANGE = 0.5
"""Share of the values above the usual ones that the colours of topic similarity take at least."""
_COPIES = 12
"""Numbers in memory for each value while its colour is computed."""
LOWEST_PERCENTILE = 1.0
"""Per cent of the values below the lower end of a scale that has no fixed limits."""


@dataclass(frozen=True, slots=True)
class ColourScale:
    """Values from `low` to `high` and their colours.

    Attributes:
        stops: colours at equal distances, from the lowest to the highest value.
        usual: 95 of 100 cells between unrelated texts are below it; None where that is not known. Where it is `low`,
            these cells have the palest colour.
    """

    stops: tuple[str, ...]
    low: float
    high: float
    usual: float | None = None

    def position(self, values: Array) -> Array:
        """Positions of values on the scale, in [0, 1]; what is usual takes the pale part. NaN stays NaN."""
        usual = self.usual
        if usual is None or not self.low < usual < self.high:
            share: Array = (values - self.low) / (self.high - self.low)
            return share.clip(0.0, 1.0)
        pale = PALE_SHARE * (values - self.low) / (usual - self.low)
        strong = PALE_SHARE + (1.0 - PALE_SHARE) * (values - usual) / (self.high - usual)
        position: Array = np.where(values <= usual, pale, strong)
        return position.clip(0.0, 1.0)

    def colours(self, values: Array) -> Colours:
        """Red, green and blue of each value: [*values.shape, 3]. NaN has the colour of the lowest value."""
        stops = np.array([[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in self.stops])
        mixed: Colours = np.empty((*values.shape, 3), dtype=np.uint8)
        for part in row_blocks(len(values), _COPIES * values.size // max(1, len(values))):
            positions = np.nan_to_num(self.position(values[part])) * (len(stops) - 1)
            lower = np.minimum(positions.astype(int), len(stops) - 2)
            share = (positions - lower)[..., None]
            mixed[part] = np.rint(stops[lower] + share * (stops[lower + 1] - stops[lower]))
        return mixed


def colour_scale(model: str, m: SimilarityMap) -> ColourScale:
    """The scale of a map: the same for every pair where its values have limits, else from its values.

    Topic similarity is high all over in texts of one field; its colours begin at what is usual between unrelated texts.
    """
    if m.scale == "diverging":
        most = float(np.nanmax(np.abs(m.values), initial=0.0)) or 1.0
        return ColourScale(STOPS["diverging"], -most, most)
    stops = STOPS[m.kind]
    known = m.values[~np.isnan(m.values)]
    if m.kind == "cosine":
        low, high = m.limits or (0.0, 1.0)
        usual = unrelated_percentile(model, m)
        if usual is None or m.role != "topic":
            return ColourScale(stops, low, high, usual)
        top = max(float(known.max(initial=low)), usual + LEAST_RANGE * (high - usual))
        return ColourScale(stops, usual, top, usual)
    if not known.size:
        return ColourScale(stops, 0.0, 1.0)
    high = float(known.max())
    if m.kind == "attention":  # an even spread is pale, however even it is
        return ColourScale(stops, 0.0, max(high, 2.0 * float(known.mean())) or 1.0)
    low = float(np.percentile(known, LOWEST_PERCENTILE))
    return ColourScale(stops, low, high if high > low else low + 1.0)


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
