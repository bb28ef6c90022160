"""A matrix as an image: its cells, labels, legend and scale, as SVG and as PNG."""

from __future__ import annotations

import io
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from colde.report.maps.map_colours import STOPS, ColourScale, colour_scale
from colde.report.maps.matrix_drawing import MOST_SHAPES, draw_matrix, drawable_maps
from colde.report.printed.pdf_report import to_png
from colde.results.comparison import Comparison
from colde.row_blocks import limit_cells_per_block
from colde.text.document import Span
from tests.report.example import drawn, example

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def cells(svg: str) -> list[ElementTree.Element]:
    group = ElementTree.fromstring(svg).find(f"{SVG}g")
    return [] if group is None else list(group)


def test_an_image_has_a_cell_for_each_value_with_labels_and_a_scale(comparison: Comparison) -> None:
    section = comparison.maps["colde"]["section"]
    svg = draw_matrix(comparison).to_svg()
    assert len(cells(svg)) == section.values.size == 6
    fills = [cell.get("fill") for cell in cells(svg)]
    assert fills.count("url(#none)") == 1, "a value that does not exist is hatched"
    words = texts(svg)
    for expected in ("Introduction", "Background", "=Lenses", "0.91", "0.41", "Cosine", "No value"):
        assert expected in words, expected
    assert any(text.startswith("Rows: A, a.txt") for text in words)
    assert any(text.startswith("Columns: B, b.txt") for text in words)
    assert any(text.endswith("…") for text in words), "the long heading"
    assert not re.search(r"\x1b|href=\"http", svg)


def test_another_map_can_be_asked_for_and_an_unknown_one_is_named(comparison: Comparison) -> None:
    svg = draw_matrix(comparison, "within_a_section").to_svg()
    assert any(text.startswith("Columns: A, a.txt") for text in texts(svg))
    with pytest.raises(KeyError, match="there are: section, within_a_section"):
        draw_matrix(comparison, "chunk")
    with pytest.raises(KeyError, match="it has no matrix"):
        draw_matrix(replace(comparison, maps={}))


def test_a_text_of_one_section_is_drawn_by_chunks() -> None:
    maps = example().maps["colde"]
    one = drawn([[0.5]], maps["section"].rows[:1], maps["section"].columns[:1], "topic", "How alike.")
    flat = replace(example(), maps={"colde": {"section": one, "chunk": maps["chunk"]}})
    assert list(drawable_maps(flat, "colde")) == ["chunk", "section"]


def test_a_large_map_is_a_picture(comparison: Comparison) -> None:
    side = 80
    assert side * side > MOST_SHAPES
    spans = [Span(i, i + 1) for i in range(side)]
    values = np.random.default_rng(0).random((side, side))
    large = drawn(values, spans, spans, "topic", "How alike.", level="sentence")
    drawing = draw_matrix(replace(comparison, maps={"colde": {"sentence": large}}))
    (image,) = ElementTree.fromstring(drawing.to_svg()).iter(f"{SVG}image")
    assert image.get("href", "").startswith("data:image/png;base64,")
    assert not cells(drawing.to_svg())
    assert len(Image.open(io.BytesIO(to_png(drawing))).convert("RGB").getcolors(1 << 24) or []) > 100


def test_a_png_is_twice_as_large_as_the_drawing_and_light(comparison: Comparison) -> None:
    drawing = draw_matrix(comparison)
    with Image.open(io.BytesIO(to_png(drawing))) as image:
        assert image.size == pytest.approx((1.5 * drawing.width, 1.5 * drawing.height), abs=2)
        assert image.convert("RGB").getpixel((5, 5)) == (255, 255, 255)


def test_colours_are_those_of_the_page() -> None:
    script = (ROOT / "colde/report/linked_view/map/colour_ramp.js").read_text(encoding="utf-8")
    light = re.findall(r'"?([\w ]+)"?: \{\s*light: \[([^\]]+)\]', script)
    assert {name.strip(): tuple(re.findall("#[0-9a-f]{6}", stops)) for name, stops in light} == STOPS


def test_usual_values_are_pale_and_contributions_have_two_sides(comparison: Comparison) -> None:
    scale = ColourScale(("#ffffff", "#000000"), 0.0, 1.0, usual=0.5)
    assert scale.position(np.array([0.0, 0.5, 0.75, 1.0, 2.0])).tolist() == pytest.approx(
        [0.0, 0.3, 0.65, 1.0, 1.0]
    )
    assert scale.colours(np.array([0.0, 1.0])).tolist() == [[255] * 3, [0] * 3]
    section = comparison.maps["colde"]["section"]
    signed = colour_scale("colde", replace(section, scale="diverging", kind="attribution"))
    assert (signed.low, signed.high) == pytest.approx((-0.91, 0.91))


def test_colours_of_a_large_map_take_little_memory_beside_it() -> None:
    """About 100 bytes a cell where all are computed at once."""
    values = np.linspace(-0.2, 1.2, 1_000_000, dtype=np.float32).reshape(1_000, 1_000)
    scale = ColourScale(("#000000", "#ff8000", "#ffffff"), 0.0, 1.0, usual=0.3)
    with limit_cells_per_block(1):
        row_by_row = scale.colours(values[:100])
    tracemalloc.start()
    colours = scale.colours(values)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(colours[:100], row_by_row)
    assert peak < 3 * values.size + 40_000_000
