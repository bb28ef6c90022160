"""Makes the pictures and verdicts of the sample cards, and five maps of one pair, with the weights that ship."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from colde_explorer_app.page_parts.thumbnails import (
    FOLDER,
    MAPS,
    MAPS_OF,
    SampleVerdict,
    map_picture,
    matrix_svg,
    thumbnail,
)

import colde
from colde.corpus.samples import Sample, sample_named, samples
from colde.models import DEFAULTS
from colde.report.maps.map_colours import unrelated_percentile
from colde.report.wording.verdict import verdict
from colde.results.similarity_map import SimilarityMap

FAINT_SHARE = 0.3
"""Share of the scale for values that are usual between unrelated texts, as in the linked view (map/colour_ramp.js)."""


def map_svg(similarity: SimilarityMap, unrelated_percentile: float | None = None) -> str:
    """An SVG of a map, with a square for each cell, from faint (0) to strong (1).

    Values up to `unrelated_percentile` stay in the faint part, as they do in the linked view.
    """
    shares = np.clip(np.nan_to_num(similarity.values), 0.0, 1.0)
    if unrelated_percentile is not None:
        shares = np.interp(shares, (0.0, unrelated_percentile, 1.0), (0.0, FAINT_SHARE, 1.0)).astype(
            np.float32
        )
    return matrix_svg(shares)


def sample_map_svgs(sample: Sample) -> dict[Path, str]:
    """Five maps of one pair by path, each on its own scale from zero to its strongest cell."""
    models = list(dict.fromkeys(model for _, model, _ in MAPS))
    comparison = colde.compare(colde.read(sample.a), colde.read(sample.b), models=models)
    drawn = {}
    for role, model, level in MAPS:
        wanted = (role, level, "across")
        similarity_map = next(
            m for m in comparison.maps[model].values() if (m.role, m.level, m.side) == wanted
        )
        values = np.nan_to_num(similarity_map.values)
        drawn[map_picture(role)] = matrix_svg(values / max(float(values.max()), 1e-9))
    return drawn


def make_all() -> tuple[dict[str, SampleVerdict], dict[Path, str]]:
    """The verdict on each sample pair by its key, and every picture by its path."""
    verdicts = {}
    pictures = sample_map_svgs(sample_named(MAPS_OF))
    model = DEFAULTS[0]
    for sample in samples():
        comparison = colde.compare(colde.read(sample.a), colde.read(sample.b), models=[model])
        maps = comparison.maps[model].values()
        shared = next(m for m in maps if (m.role, m.level) == ("passages", "chunk"))
        pictures[thumbnail(sample)] = map_svg(shared, unrelated_percentile(model, shared))
        judged = verdict(comparison)
        verdicts[sample.key] = SampleVerdict(judged.headline, judged.related)
    return verdicts, pictures


def main() -> None:
    """Compare every sample pair, and write its picture and its verdict."""
    verdicts, pictures = make_all()
    for path, picture in pictures.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    written = {key: made._asdict() for key, made in verdicts.items()}
    (FOLDER / "verdicts.json").write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
