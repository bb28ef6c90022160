"""Pictures and verdicts of the sample cards, and five maps of one pair.

`make fresh` makes them: it compares every sample pair with the weights that ship.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

import colde
from colde.corpus.samples import Sample, samples
from colde.models import DEFAULTS
from colde.report.unrelated_percentiles import unrelated_percentile
from colde.report.verdict import verdict
from colde.results.similarity_map import Level, Role, SimilarityMap

FOLDER = Path(__file__).resolve().parent / "images"
COLOUR = "#2f8fb0"
CELL, GAP = 14, 2
FAINT_SHARE = 0.3
"""Share of the scale for what is usual between unrelated texts, as in the linked view (map/colour_ramp.js)."""


MAPS: tuple[tuple[Role, str, Level], ...] = (
    ("topic", "colde_words", "section"),
    ("words", "tfidf", "section"),
    ("passages", "colde_words", "chunk"),
    ("contribution", "colde_words", "section"),
    ("attention", "colde_words", "chunk"),
)
"""Role, model and level of the maps of the first sample that the page How it works shows."""


def map_picture(role: str) -> Path:
    """Where the picture of the first sample's map of this role is."""
    return FOLDER / "maps" / f"{role}.svg"


def thumbnail(sample: Sample) -> Path:
    """Where the picture of a sample's map is."""
    return FOLDER / f"{sample.key}.svg"


def sample_verdicts() -> dict[str, str]:
    """The verdict on each sample pair, by its key."""
    file = FOLDER / "verdicts.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def map_svg(similarity: SimilarityMap, unrelated_percentile: float | None = None) -> str:
    """An SVG of the matrix: a square a cell, from faint (0) to strong (1); readable on light and dark.

    What is `unrelated_percentile` between unrelated texts stays in the faint part, as it does in the map itself.
    """
    shares = np.clip(np.nan_to_num(similarity.values), 0.0, 1.0)
    if unrelated_percentile is not None:
        shares = np.interp(shares, (0.0, unrelated_percentile, 1.0), (0.0, FAINT_SHARE, 1.0)).astype(
            np.float32
        )
    return matrix_svg(shares)


def matrix_svg(values: NDArray[np.floating]) -> str:
    """An SVG of a matrix of shares: a square a cell, faint (0 and below) to strong (1 and above)."""
    shares = np.clip(values, 0.0, 1.0)
    rows, columns = shares.shape
    step = CELL + GAP
    size = {"viewBox": f"0 0 {columns * step - GAP} {rows * step - GAP}", "width": str(columns * step - GAP)}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "fill": COLOUR, **size})
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            place = {
                "x": str(j * step),
                "y": str(i * step),
                "width": str(CELL),
                "height": str(CELL),
                "rx": "2",
            }
            ElementTree.SubElement(svg, "rect", {**place, "opacity": f"{0.07 + 0.93 * share:.2f}"})
    return ElementTree.tostring(svg, encoding="unicode")


def sample_map_svgs(sample: Sample) -> dict[Path, str]:
    """Five maps of one pair as SVG, each on its own scale from nothing to its strongest cell."""
    models = list(dict.fromkeys(model for _, model, _ in MAPS))
    comparison = colde.compare(colde.read(sample.a), colde.read(sample.b), models=models)
    drawn = {}
    for role, model, level in MAPS:
        found = next(
            m for m in comparison.maps[model].values() if (m.role, m.level, m.side) == (role, level, "across")
        )
        values = np.nan_to_num(found.values)
        drawn[map_picture(role)] = matrix_svg(values / max(float(values.max()), 1e-9))
    return drawn


def make_all() -> tuple[dict[str, str], dict[Path, str]]:
    """The verdict on each sample pair by its key, and every picture as SVG by its path, with the weights that ship."""
    verdicts = {}
    pictures = sample_map_svgs(samples()[0])
    for sample in samples():
        model = DEFAULTS[0]
        comparison = colde.compare(colde.read(sample.a), colde.read(sample.b), models=[model])
        shared = next(
            m for m in comparison.maps[model].values() if (m.role, m.level) == ("passages", "chunk")
        )
        pictures[thumbnail(sample)] = map_svg(shared, unrelated_percentile(model, shared))
        verdicts[sample.key] = verdict(comparison).headline
    return verdicts, pictures


def main() -> None:
    """Compare every sample pair and write its picture and its verdict."""
    verdicts, pictures = make_all()
    for path, picture in pictures.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    (FOLDER / "verdicts.json").write_text(json.dumps(verdicts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
