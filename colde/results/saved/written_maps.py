"""How much of the maps of a comparison a file holds, so that no file grows with the product of two long texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from colde.results.similarity_map import STRONGEST, SimilarityMap

MAX_CELLS = 4_000_000
"""Cells of all large maps of a file that are written in full: one map of 2,000 × 2,000 sentences, eight of 700 × 700. A
cell takes two to eight characters, so that these maps take 32 MB at most."""

Maps = Mapping[str, Mapping[str, SimilarityMap]]
"""By model and name."""
_PARTS = {"sum", "reference", "residual"}
_TOGETHER = {part: sorted(_PARTS - {part}) for part in sorted(_PARTS)}
WrittenMap = Annotated[SimilarityMap, Meta(extra_json_schema={"dependentRequired": _TOGETHER})]
"""A map of contributions has all of its parts, other maps have none of them."""


def written_maps(maps: Maps) -> dict[str, dict[str, SimilarityMap]]:
    """The maps as a file has them: in full while `MAX_CELLS` last, the default model's first; then the strongest cells.

    The meaning of a map says so where cells are left out.
    """
    left = MAX_CELLS
    written: dict[str, dict[str, SimilarityMap]] = {}
    for model, named in maps.items():
        written[model] = {}
        for name, similarity_map in named.items():
            size = similarity_map.values.size
            if size > STRONGEST:
                if size > left:
                    similarity_map = _strongest(similarity_map)
                else:
                    left -= size
            written[model][name] = similarity_map
    return written


def _strongest(m: SimilarityMap) -> SimilarityMap:
    rows, columns = m.values.shape
    note = f"The {STRONGEST:,} strongest of {rows:,} × {columns:,} cells are written."
    return replace(m, meaning=f"{m.meaning} {note}", strongest_only=True)
