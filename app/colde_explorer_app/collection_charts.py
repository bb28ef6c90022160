"""Charts of a collection: the ordered matrix beside its tree, and a map in two dimensions."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from colde.report.formatting import clean, shorten
from colde.report.matrix_image import tree_lines
from colde.results.collection import Collection
from colde_explorer_app.palette import palette, row_axis

MAX_LABEL_LENGTH = 28
MAX_CLICKABLE_CELLS = 60
"""Documents up to which each cell is a marker that can be clicked; Plotly's heat maps report no clicks."""

MAX_SVG_POINTS = 1_000
"""Points up to which the map is drawn without WebGL, which not every browser has."""

MATRIX_PIXELS = 560  # width of the matrix
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")


def matrix(collection: Collection) -> go.Figure:
    """The scores of the first model, rows and columns in the order of the tree, which is drawn on the left."""
    colours = palette()
    order = collection.order
    scores = collection.scores[collection.models[0]][np.ix_(order, order)]
    names = [_label(collection, i) for i in order]
    chart = make_subplots(1, 2, column_widths=[0.14, 0.86], horizontal_spacing=0.0, shared_yaxes=True)
    lines = np.array(tree_lines(collection.merges, order)).reshape(-1, 4)
    x = np.column_stack([-lines[:, 0], -lines[:, 2], np.full(len(lines), np.nan)]).ravel()
    y = np.column_stack([lines[:, 1], lines[:, 3], np.full(len(lines), np.nan)]).ravel() * len(order) - 0.5
    chart.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line={"color": colours.faint, "width": 1}, hoverinfo="skip"), 1, 1
    )
    cells = _cell_markers if len(order) <= MAX_CLICKABLE_CELLS else _heatmap
    chart.add_trace(cells(order, scores, names, list(colours.ramp)), 1, 2)
    chart.update_layout(colours.layout(), height=MATRIX_PIXELS + 40, clickmode="event+select")
    chart.update_xaxes(visible=False)
    chart.update_xaxes(range=[-0.5, len(order) - 0.5], col=2)
    chart.update_yaxes(visible=False, range=[len(order) - 0.5, -0.5])
    if len(order) <= MAX_CLICKABLE_CELLS:
        axis = row_axis(names) | {"visible": True, "zeroline": False, "side": "right"}
        chart.update_yaxes(axis, col=2)
    return chart


def _cell_markers(
    order: tuple[int, ...], scores: NDArray[np.float32], names: list[str], ramp: list[str]
) -> go.Scatter:
    """A marker for each pair of two documents."""
    rows, columns = np.nonzero(~np.eye(len(order), dtype=bool))
    values = scores[rows, columns]
    return go.Scatter(
        x=columns,
        y=rows,
        mode="markers",
        marker={
            "symbol": "square",
            "size": max(4.0, 0.9 * MATRIX_PIXELS / len(order)),
            "color": values,
            "colorscale": ramp,
            "cmin": min(0.0, float(scores.min())),
            "cmax": 1.0,
        },
        customdata=[[order[r], order[c], names[r], names[c]] for r, c in zip(rows, columns, strict=True)],
        text=[f"{value:.2f}" for value in values],
        hovertemplate="%{customdata[2]}<br>%{customdata[3]}<br>%{text}<extra></extra>",
    )


def _heatmap(
    order: tuple[int, ...], scores: NDArray[np.float32], names: list[str], ramp: list[str]
) -> go.Heatmap:
    return go.Heatmap(
        z=np.where(np.eye(len(order), dtype=bool), np.nan, scores),
        x=list(range(len(names))),
        y=list(range(len(names))),
        colorscale=ramp,
        zmin=min(0.0, float(scores.min())),
        zmax=1.0,
        showscale=False,
        hovertemplate="row %{y}, column %{x}: %{z:.2f}<extra></extra>",
    )


def layout_2d(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """[documents, 2], with distances as near to 1 − score as two dimensions allow (classical scaling)."""
    distance = np.clip(1.0 - scores.astype(np.float64), 0.0, None) ** 2
    centred = distance - distance.mean(0) - distance.mean(1)[:, None] + distance.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    points = vectors[:, -2:] * np.sqrt(np.clip(values[-2:], 0.0, None))
    return np.asarray(points[:, ::-1], np.float64)


def document_map(collection: Collection) -> go.Figure:
    """Each document as a point, coloured by its cluster; documents without a cluster are grey."""
    colours = palette()
    points = layout_2d(collection.scores[collection.models[0]])
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
                mode="markers",
                marker={"size": 10, "opacity": 0.85, **marker_style},
                name=f"cluster {number}" if number else "unclustered",
                text=[_label(collection, i) for i in group],
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
            )
        )
    chart.update_layout(colours.layout(), height=480, showlegend=True)
    chart.update_xaxes(visible=False)
    chart.update_yaxes(visible=False, scaleanchor="x")
    return chart


def _label(collection: Collection, document: int) -> str:
    return shorten(clean(collection.names[document]), MAX_LABEL_LENGTH)
