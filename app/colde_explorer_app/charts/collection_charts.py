"""Charts of a collection: the ordered matrix beside its tree, and a map in two dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from colde.report.collection.collection_html import tree_lines
from colde.report.formatting import clean, shorten_apart
from colde.results.collection import Collection
from colde_explorer_app.charts.palette import Palette, palette, row_axis

MAX_LABEL_LENGTH = 28
MAX_CLICKABLE_CELLS = 60
"""Documents up to which each cell is a marker that can be clicked; Plotly's heat maps report no clicks."""

MAX_SVG_POINTS = 1_000
"""Points up to which the map is drawn without WebGL, which not every browser has."""

MATRIX_PIXELS = 560
"""Width of the matrix."""
CELL_SHARE = 0.72
"""Share of the width of the matrix that its cells take; names stand beside them."""
MAP_PIXELS = 360
"""Width of the map on a screen of usual size, without its margins."""
ROOM_FOR_LABELS = 0.3
"""Share of the width of the map that is kept free at each side for the names of its points."""
LETTER_PIXELS, LABEL_PIXELS, POINT_PIXELS = 6.0, 12.0, 5.0
"""Width of a letter and height of a name in the map; half the size of a point."""
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")


def matrix(collection: Collection) -> go.Figure:
    """The scores of the first model, rows and columns in the order of the tree, which is drawn on the left."""
    colours = palette()
    order = _strongest_first(collection)
    scores = collection.scores[collection.models[0]][np.ix_(order, order)]
    labels = _labels(collection)
    names = [labels[i] for i in order]
    chart = make_subplots(1, 2, column_widths=[0.14, 0.86], horizontal_spacing=0.0, shared_yaxes=True)
    lines = np.array(tree_lines(collection.merges, order)).reshape(-1, 4)
    x = np.column_stack([-lines[:, 0], -lines[:, 2], np.full(len(lines), np.nan)]).ravel()
    y = np.column_stack([lines[:, 1], lines[:, 3], np.full(len(lines), np.nan)]).ravel() * len(order) - 0.5
    chart.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line={"color": colours.faint, "width": 1}, hoverinfo="skip"), 1, 1
    )
    cells = _cell_markers if len(order) <= MAX_CLICKABLE_CELLS else _heatmap
    full = [clean(collection.names[i]) for i in order]
    chart.add_trace(cells(order, scores, full), 1, 2)
    chart.update_layout(colours.layout(), height=MATRIX_PIXELS + 40, clickmode="event+select")
    chart.update_layout(coloraxis=_colour_axis(scores, colours))
    chart.update_xaxes(visible=False)
    chart.update_xaxes(range=[-0.5, len(order) - 0.5], col=2)
    chart.update_yaxes(visible=False, range=[len(order) - 0.5, -0.5])
    if len(order) <= MAX_CLICKABLE_CELLS:
        axis = row_axis(names) | {
            "visible": True,
            "showticklabels": True,
            "zeroline": False,
            "side": "right",
        }
        chart.update_yaxes(axis, col=2)
    return chart


def _strongest_first(collection: Collection) -> tuple[int, ...]:
    """The order of the tree, or its reverse, with the strongest pair in the upper half."""
    order = collection.order
    strongest = collection.pairs[:1]
    places = [order.index(i) for pair in strongest for i in (pair.a, pair.b)]
    return order[::-1] if sum(places) > len(order) - 1 else order


def _colour_axis(scores: NDArray[np.float32], colours: Palette) -> dict[str, Any]:
    """Colours from the lowest to the highest score of two different documents, with a legend below the matrix."""
    pairs = scores[~np.eye(len(scores), dtype=bool)]
    low, high = float(pairs.min()), float(pairs.max())
    return {
        "colorscale": list(colours.ramp),
        "cmin": low,
        "cmax": high if high > low else low + 0.01,
        "colorbar": {
            "orientation": "h",
            "title": {
                "text": "Score: the stronger the colour, the more similar",
                "side": "top",
                "font": {"size": 13},
            },
            "thickness": 10,
            "len": 0.5,
            "x": 0.14,
            "xanchor": "left",
            "y": 0,
            "yanchor": "top",
            "tickformat": ".2f",
            "nticks": 5,
            "outlinewidth": 0,
        },
    }


def _cell_markers(order: tuple[int, ...], scores: NDArray[np.float32], names: list[str]) -> go.Scatter:
    rows, columns = np.nonzero(~np.eye(len(order), dtype=bool))
    values = scores[rows, columns]
    return go.Scatter(
        x=columns,
        y=rows,
        mode="markers",
        marker={
            "symbol": "square",
            "size": max(4.0, CELL_SHARE * MATRIX_PIXELS / len(order)),
            "color": values,
            "coloraxis": "coloraxis",
        },
        customdata=[[order[r], order[c], names[r], names[c]] for r, c in zip(rows, columns, strict=True)],
        text=[f"{value:.2f}" for value in values],
        hovertemplate="%{customdata[2]}<br>%{customdata[3]}<br>%{text}<extra></extra>",
    )


def _heatmap(order: tuple[int, ...], scores: NDArray[np.float32], names: list[str]) -> go.Heatmap:
    return go.Heatmap(
        z=np.where(np.eye(len(order), dtype=bool), np.nan, scores),
        x=list(range(len(names))),
        y=list(range(len(names))),
        coloraxis="coloraxis",
        hovertemplate="row %{y}, column %{x}: %{z:.2f}<extra></extra>",
    )


def layout_2d(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """[documents, 2], with distances as near to 1 − score as two dimensions allow (classical scaling)."""
    distance = np.clip(1.0 - scores.astype(np.float64), 0.0, None) ** 2
    centred = distance - distance.mean(0) - distance.mean(1)[:, None] + distance.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    points = vectors[:, -2:] * np.sqrt(np.clip(values[-2:], 0.0, None))
    return np.asarray(points[:, ::-1], np.float64)


def labelled_points(points: NDArray[np.float64], names: Sequence[str]) -> set[int]:
    """The points whose names can be drawn above them, covering no other name and no point: as many as fit."""
    low, span = points.min(0), np.ptp(points, axis=0).max() or 1.0
    pixels = (points - low) / span * MAP_PIXELS
    labels: dict[int, NDArray[np.float64]] = {}
    for i, ((x, y), name) in enumerate(zip(pixels.tolist(), names, strict=True)):
        half = LETTER_PIXELS * len(name) / 2
        box = np.array([x - half, y + POINT_PIXELS, x + half, y + POINT_PIXELS + LABEL_PIXELS])
        over_point = (
            (pixels[:, 0] > box[0] - POINT_PIXELS)
            & (pixels[:, 0] < box[2] + POINT_PIXELS)
            & (pixels[:, 1] > box[1] - POINT_PIXELS)
            & (pixels[:, 1] < box[3] + POINT_PIXELS)
        )
        over_point[i] = False
        taken = (b for b in labels.values() if (box[:2] < b[2:]).all() and (b[:2] < box[2:]).all())
        if not over_point.any() and next(taken, None) is None:
            labels[i] = box
    return set(labels)


def document_map(collection: Collection) -> go.Figure:
    """Each document as a point, coloured by its cluster; documents without a cluster are grey."""
    colours = palette()
    points = layout_2d(collection.scores[collection.models[0]])
    names = _labels(collection)
    full = [clean(name) for name in collection.names]
    labelled = labelled_points(points, names)
    scatter = go.Scatter if len(points) <= MAX_SVG_POINTS else go.Scattergl
    chart = go.Figure()
    alone = tuple(cluster[0] for cluster in collection.clusters if len(cluster) == 1)
    for number, group in enumerate([alone, *collection.groups]):
        if not group:
            continue
        marker_style = {"color": colours.weak}
        if number:
            turn, hue = divmod(number - 1, len(colours.groups))
            marker_style = {"color": colours.groups[hue], "symbol": SYMBOLS[turn % len(SYMBOLS)]}
        chart.add_trace(
            scatter(
                x=points[list(group), 0],
                y=points[list(group), 1],
                mode="markers+text",
                marker={"size": 10, "opacity": 0.85, **marker_style},
                name=f"cluster {number}" if number else "unclustered",
                text=[names[i] if i in labelled else "" for i in group],
                textposition="top center",
                textfont={"size": 11},
                cliponaxis=False,
                customdata=[full[i] for i in group],
                hovertemplate="%{customdata}<extra>%{fullData.name}</extra>",
            )
        )
    chart.update_layout(colours.layout(), height=480, showlegend=True)
    low, high = points[:, 0].min(), points[:, 0].max()
    room = ROOM_FOR_LABELS * max(float(high - low), float(np.ptp(points[:, 1])), 0.01)
    chart.update_xaxes(visible=False, range=[low - room, high + room])
    chart.update_yaxes(visible=False, scaleanchor="x")
    return chart


def _labels(collection: Collection) -> list[str]:
    return shorten_apart([clean(name) for name in collection.names], MAX_LABEL_LENGTH)
