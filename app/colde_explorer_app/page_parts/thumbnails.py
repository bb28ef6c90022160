"""Pictures and verdicts of the sample cards, and five maps of one pair; `make fresh` makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from colde.corpus.samples import Sample
from colde.results.similarity_map import Level, Role

FOLDER = Path(__file__).resolve().parents[1] / "images"
COLOUR = "#2f8fb0"
CELL, GAP = 14, 2

MAPS: tuple[tuple[Role, str, Level], ...] = (
    ("topic", "colde_words", "section"),
    ("words", "tfidf", "section"),
    ("passages", "colde_words", "chunk"),
    ("contribution", "colde_words", "section"),
    ("attention", "colde_words", "chunk"),
)
"""Role, model and level of the maps on the page How it works."""
MAPS_OF = "lighthouse"
"""Key of the sample pair they are of."""


def map_picture(role: str) -> Path:
    """Path of the picture of the map of this role on the page How it works."""
    return FOLDER / "maps" / f"{role}.svg"


def thumbnail(sample: Sample) -> Path:
    """Path of the picture of a sample's map."""
    return FOLDER / f"{sample.key}.svg"


class SampleVerdict(NamedTuple):
    """What was found in a sample pair, and the sentence on relatedness."""

    headline: str
    related: str


def sample_verdicts() -> dict[str, SampleVerdict]:
    """The verdict on each sample pair, by its key."""
    file = FOLDER / "verdicts.json"
    verdicts = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {key: SampleVerdict(**verdict) for key, verdict in verdicts.items()}


def matrix_svg(values: NDArray[np.floating]) -> str:
    """An SVG with a square for each cell of a matrix, from faint (0 and below) to strong (1 and above)."""
    shares = np.clip(values, 0.0, 1.0)
    rows, columns = shares.shape
    step = CELL + GAP
    size = {"viewBox": f"0 0 {columns * step - GAP} {rows * step - GAP}", "width": str(columns * step - GAP)}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "fill": COLOUR, **size})
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            place = {"x": str(j * step), "y": str(i * step), "width": str(CELL), "height": str(CELL)}
            opacity = f"{0.07 + 0.93 * share:.2f}"
            ElementTree.SubElement(svg, "rect", {**place, "rx": "2", "opacity": opacity})
    return ElementTree.tostring(svg, encoding="unicode")
