"""A map as a drawing with labels, legend and scale on a light ground, and as an SVG file."""

from __future__ import annotations

import base64
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import radians, sin
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from colde.report.formatting import document_title, printable, section_name, sentence_case, shorten
from colde.report.maps.map_colours import Colours, ColourScale, colour_scale
from colde.report.maps.map_names import map_title
from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span

INK, FAINT = "#20292e", "#5c6b73"
FONT_SIZE = 11.0
LONGEST_SIDE = 640.0
"""Pixels of the longer side of the cells."""
LARGEST_CELL, ROOM_FOR_VALUE = 40.0, 26.0
"""Pixels a side: of a cell at most, and from which its value is written in it."""
MOST_SHAPES = 5_000
"""Cells that are drawn as shapes; more become pixels of a picture."""
LABEL_WIDTH = 30
"""Width of a label in Latin letters; a Chinese one is twice as wide."""
LEFT, TOP, RIGHT, BOTTOM = 200.0, 200.0, 130.0, 92.0
"""Pixels around the cells: for labels of rows, for title and labels of columns, for slanted labels, for the legend."""
SLANT = 40.0
"""Degrees by which labels of columns rise."""
LEGEND_WIDTH, LEGEND_HEIGHT = 240.0, 12.0
DEFAULT_MAPS = ("section", "chunk")

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Label:
    """A text of a drawing: position of its anchor on its base line in pixels, and turn in degrees."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    size: float = FONT_SIZE
    colour: str = INK
    angle: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes and labels.

    Attributes:
        width, height: in pixels.
        shapes: SVG elements without text.
        labels: the texts, which each format draws with its own fonts.
        description: for readers who do not see it.
    """

    width: float
    height: float
    shapes: str
    labels: tuple[Label, ...]
    description: str

    def to_svg(self, *, labels: bool = True) -> str:
        """The drawing as an SVG file; fonts are those of the program that shows it."""
        texts = "".join(map(_svg_label, self.labels)) if labels else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" height="{self.height:g}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" role="img" font-family="Noto Sans, Arial, sans-serif">\n'
            f"<title>{escape(self.description)}</title>\n{self.shapes}{texts}</svg>\n"
        )


def _svg_label(label: Label) -> str:
    turn = f' transform="rotate({label.angle:g} {label.x:.1f} {label.y:.1f})"' if label.angle else ""
    weight = ' font-weight="bold"' if label.bold else ""
    return (
        f'<text x="{label.x:.1f}" y="{label.y:.1f}" font-size="{label.size:g}" text-anchor="{label.anchor}" '
        f'fill="{label.colour}"{weight}{turn}>{escape(label.text)}</text>\n'
    )


def drawable_maps(comparison: Comparison, model: str) -> dict[str, SimilarityMap]:
    """The matrices of a model by name; those of sections and of chunks, if they have more than one cell, come first."""
    maps = {
        name: m
        for name, m in comparison.maps.get(model, {}).items()
        if m.form == "matrix" and m.values.size and not np.isnan(m.values).all()
    }
    first = [name for name in DEFAULT_MAPS if name in maps and maps[name].values.size > 1]
    return {name: maps[name] for name in dict.fromkeys((*first, *maps))}


def draw_matrix(comparison: Comparison, name: str | None = None, model: str | None = None) -> Drawing:
    """Draw a map of a comparison.

    Args:
        name: of the map, such as `section` or `chunk`; by default the map of sections, or of chunks where the texts
            have only one section.
        model: by default the first that has maps.

    Raises:
        KeyError: there is no such map; the message lists those there are.
    """
    model = model or next((n for n in comparison.maps if drawable_maps(comparison, n)), "")
    maps = drawable_maps(comparison, model)
    name = name or next(iter(maps), "")
    if name not in maps:
        available = f"there are: {', '.join(maps)}" if maps else "it has no matrix"
        raise KeyError(f"the model {model!r} has no matrix {name!r} of this pair; {available}")
    title = next((score.title for score in comparison.models if score.name == model), model)
    return _draw(comparison, maps[name], title, colour_scale(model, maps[name]))


def _draw(comparison: Comparison, m: SimilarityMap, model: str, scale: ColourScale) -> Drawing:
    documents: Mapping[str, Document] = {"a": comparison.a, "b": comparison.b}
    row_document, column_document = documents[m.row_side], documents[m.column_side]
    count, across = m.values.shape
    cell_width, cell_height = (
        min(LARGEST_CELL, LONGEST_SIDE / across),
        min(LARGEST_CELL, LONGEST_SIDE / count),
    )
    width = LEFT + max(cell_width * across + RIGHT, 2 * LEGEND_WIDTH)
    bottom = TOP + cell_height * count
    title = f"{model}: {map_title(m)}"
    names = [
        f"{what}: {m_side.upper()}, {shorten(printable(document_title(d)), 100)}"
        for what, m_side, d in (
            ("Rows", m.row_side, row_document),
            ("Columns", m.column_side, column_document),
        )
    ]
    labels = [
        Label(16, 26, shorten(title, 90), size=15, bold=True),
        *(Label(16, 46 + 16 * k, text, size=12, colour=FAINT) for k, text in enumerate(names)),
        *_row_labels(row_document, m.rows, cell_height),
        *_column_labels(column_document, m.columns, cell_width),
        *_value_labels(m, scale, cell_width, cell_height),
        *_legend_labels(m, scale, bottom + 30),
    ]
    shapes = [
        _HATCHING,
        f'<rect width="{width:g}" height="{bottom + BOTTOM:g}" fill="#fff"/>\n',
        *_cells(m, scale, cell_width, cell_height),
        *_legend(m, scale, bottom + 30),
    ]
    description = f"{title}. {'. '.join(names)}. {count} × {across} cells; the darker, the higher."
    return Drawing(width, bottom + BOTTOM, "".join(shapes), tuple(labels), description)


_HATCHING = (
    '<defs><pattern id="none" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    'fill="#fff"/><path d="M0 6L6 0" stroke="#98a6ad" stroke-width="1"/></pattern></defs>\n'
)


def _hex(colour: Colours) -> str:
    red, green, blue = colour.tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _cells(m: SimilarityMap, scale: ColourScale, width: float, height: float) -> Iterator[str]:
    """A rectangle for each cell; a picture with a pixel for each cell where there are many."""
    colours = scale.colours(m.values)
    missing = np.isnan(m.values)
    if m.values.size > MOST_SHAPES:
        yield _picture(colours, missing, width, height)
        return
    yield '<g shape-rendering="crispEdges">\n'
    for (row, column), is_missing in np.ndenumerate(missing):
        fill = "url(#none)" if is_missing else _hex(colours[row, column])
        yield (
            f'<rect x="{LEFT + column * width:.2f}" y="{TOP + row * height:.2f}" width="{width:.2f}" '
            f'height="{height:.2f}" fill="{fill}"/>\n'
        )
    yield "</g>\n"


def _picture(colours: Colours, missing: NDArray[np.bool_], width: float, height: float) -> str:
    from PIL import Image

    pixels = np.where(missing[..., None], np.uint8(255), colours)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    rows, columns = missing.shape
    return (
        f'<image x="{LEFT:g}" y="{TOP:g}" width="{columns * width:.2f}" height="{rows * height:.2f}" '
        'preserveAspectRatio="none" image-rendering="optimizeSpeed" style="image-rendering: pixelated" '
        f'href="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode("ascii")}"/>\n'
    )


def _named(document: Document, spans: Sequence[Span], side: float, room: float) -> Iterator[tuple[int, str]]:
    """Numbers and names of the passages that have room for a label; a name that repeats is written once.

    Args:
        side, room: pixels of a cell, and of a label.
    """
    free_from, last = 0.0, ""
    for number, span in enumerate(spans):
        name = section_name(document, span)
        if name != last and number * side >= free_from:
            yield number, _fit(printable(name))
            free_from, last = number * side + room, name


def _fit(text: str) -> str:
    """The beginning of a text that is as wide as `LABEL_WIDTH` Latin letters, with an ellipsis."""
    width = 0
    for end, character in enumerate(text):
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if width > LABEL_WIDTH:
            return text[: end - 1].rstrip() + "…"
    return text


def _row_labels(document: Document, rows: Sequence[Span], height: float) -> Iterator[Label]:
    for number, name in _named(document, rows, height, FONT_SIZE + 2):
        yield Label(LEFT - 8, TOP + (number + 0.5) * height + 0.35 * FONT_SIZE, name, "end")


def _column_labels(document: Document, columns: Sequence[Span], width: float) -> Iterator[Label]:
    for number, name in _named(document, columns, width, (FONT_SIZE + 2) / sin(radians(SLANT))):
        yield Label(LEFT + (number + 0.5) * width + 4, TOP - 8, name, angle=-SLANT)


def _value_labels(m: SimilarityMap, scale: ColourScale, width: float, height: float) -> Iterator[Label]:
    if min(width, height) < ROOM_FOR_VALUE:
        return
    digits = _digits(scale)
    positions = scale.position(m.values)
    both_sides = m.scale == "diverging"
    for (row, column), value in np.ndenumerate(m.values):
        if not np.isnan(value):
            position = float(positions[row, column])
            dark = abs(position - 0.5) > 0.3 if both_sides else position > 0.55
            x, y = LEFT + (column + 0.5) * width, TOP + (row + 0.5) * height + 3
            yield Label(x, y, _number(float(value), digits), "middle", 9, "#ffffff" if dark else INK)


def _digits(scale: ColourScale) -> int:
    """Decimals with which the values of a scale can be told apart."""
    most = max(abs(scale.low), abs(scale.high))
    return 2 if most >= 0.095 else min(6, 1 + int(np.ceil(-np.log10(most or 1.0))))


def _number(value: float, digits: int) -> str:
    return f"{value:z.{digits}f}".replace("-", "−")


def _legend(m: SimilarityMap, scale: ColourScale, y: float) -> Iterator[str]:
    """A band of all colours with a mark for what is usual, and a hatched box where values are missing."""
    values = np.linspace(scale.low, scale.high, 41, dtype=np.float32)
    stops = "".join(
        f'<stop offset="{k / 40:g}" stop-color="{_hex(colour)}"/>'
        for k, colour in enumerate(scale.colours(values))
    )
    yield (
        f'<linearGradient id="scale">{stops}</linearGradient>\n<rect x="{LEFT:g}" y="{y:g}" width="{LEGEND_WIDTH:g}" '
        f'height="{LEGEND_HEIGHT:g}" fill="url(#scale)" stroke="{FAINT}" stroke-width="0.5"/>\n'
    )
    if (x := _usual_position(scale)) is not None:
        yield f'<path d="M{x:.1f} {y - 4:g}v{LEGEND_HEIGHT + 8:g}" stroke="{INK}" stroke-width="1.5"/>\n'
    if np.isnan(m.values).any():
        yield (
            f'<rect x="{LEFT + LEGEND_WIDTH + 24:g}" y="{y:g}" width="20" height="{LEGEND_HEIGHT:g}" '
            f'fill="url(#none)" stroke="{FAINT}" stroke-width="0.5"/>\n'
        )


def _usual_position(scale: ColourScale) -> float | None:
    if scale.usual is None or not scale.low <= scale.usual < scale.high:
        return None
    return LEFT + LEGEND_WIDTH * (scale.usual - scale.low) / (scale.high - scale.low)


def _legend_labels(m: SimilarityMap, scale: ColourScale, y: float) -> Iterator[Label]:
    digits = _digits(scale)
    below = y + LEGEND_HEIGHT + 14
    yield Label(LEFT, below, _number(scale.low, digits))
    yield Label(LEFT + LEGEND_WIDTH, below, _number(scale.high, digits), "end")
    if m.scale == "diverging":
        yield Label(LEFT + LEGEND_WIDTH / 2, below, "0", "middle")
    yield Label(LEFT, below + 16, sentence_case(m.unit), colour=FAINT)
    if scale.usual is not None and (x := _usual_position(scale)) is not None:
        text = f"up to {_number(scale.usual, digits)}: usual between unrelated texts"
        yield Label(x, y - 8, text, size=10, colour=FAINT)
    if np.isnan(m.values).any():
        yield Label(LEFT + LEGEND_WIDTH + 50, y + LEGEND_HEIGHT - 2, "No value", colour=FAINT)
