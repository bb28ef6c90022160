"""The pictures on the sample cards: `python -m colde_explorer_app.thumbnails` draws what both texts share.

Run it again when the model or a sample changes.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import colde
from colde.data.samples import Sample, samples
from colde.models import DEFAULTS
from colde.results.maps import SimilarityMap

FOLDER = Path(__file__).resolve().parent / "images"
COLOUR = "#2f8fb0"
CELL, GAP = 14, 2


def thumbnail(sample: Sample) -> Path:
    """Where the picture of a sample's map is."""
    return FOLDER / f"{sample.key}.svg"


def draw(similarity: SimilarityMap) -> str:
    """An SVG of the matrix: a square a cell, from faint (0) to strong (1); readable on light and dark."""
    rows, columns = similarity.values.shape
    shares = np.clip(np.nan_to_num(similarity.values), 0.0, 1.0)
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


def main() -> None:
    """Compare every sample pair and write its picture."""
    for sample in samples():
        model = DEFAULTS[0]
        comparison = colde.compare(colde.read(sample.a), colde.read(sample.b), models=[model])
        shared = next(
            m for m in comparison.maps[model].values() if (m.role, m.level) == ("passages", "chunk")
        )
        thumbnail(sample).write_text(draw(shared), encoding="utf-8")


if __name__ == "__main__":
    main()
