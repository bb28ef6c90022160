"""Charts of a collection: the ordered matrix beside its tree, and a map in two dimensions. Pure functions."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from colde.report.formatting import clean, shorten
from colde.report.matrix_image import tree_lines
from colde.results.collection import Collection
from colde_explorer_app.palette import palette

MAX_LABEL_LENGTH = 28
MAX_CLICKABLE_CELLS = 60
"""Documents up to which each cell is a mark that can be clicked; Plotly's heat maps report no clicks."""

MAX_SVG_POINTS = 1_000
"""Points up to which the map is drawn without WebGL, which not every browser has."""

MATRIX_PIXELS = 560  # pixels of the matrix
SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x")


def matrix(found: Collection, *, dark: bool) -> go.Figure:
    """The scores of the first model, rows and columns in the order of the tree, which stands on the left."""
    colours = palette(dark=dark)
    order = found.order
    scores = found.scores[found.models[0]][np.ix_(order, order)]
    names = [shorten(clean(found.names[i]), MAX_LABEL_LENGTH) for i in order]
    chart = make_subplots(1, 2, column_widths=[0.14, 0.86], horizontal_spacing=0.0, shared_yaxes=True)
    lines = np.array(tree_lines(found.merges, order)).reshape(-1, 4)
    x = np.column_stack([-lines[:, 0], -lines[:, 2], np.full(len(lines), np.nan)]).ravel()
    y = np.column_stack([lines[:, 1], lines[:, 3], np.full(len(lines), np.nan)]).ravel() * len(order) - 0.5
    chart.add_trace(
        go.Scatter(x=x, y=y, mode="lines", line={"color": colours.faint, "width": 1}, hoverinfo="skip"), 1, 1
    )
    cells = _cell_markers if len(order) <= MAX_CLICKABLE_CELLS else _heatmap
    chart.add_trace(cells(order, scores, names, list(colours.ramp)), 1, 2)
    chart.update_layout(
        colours.layout(),
        height=MATRIX_PIXELS + 40,
        margin={"l": 0, "r": 8, "t": 8, "b": 8},
        clickmode="event+select",
    )
    chart.update_xaxes(visible=False)
    chart.update_xaxes(range=[-0.5, len(order) - 0.5], col=2)
    chart.update_yaxes(visible=False, range=[len(order) - 0.5, -0.5])
    if len(order) <= MAX_CLICKABLE_CELLS:
        chart.update_yaxes(
            visible=True,
            showticklabels=True,
            showgrid=False,
            zeroline=False,
            side="right",
            tickvals=list(range(len(order))),
            ticktext=names,
            automargin=True,
            col=2,
        )
    return chart


def _cell_markers(
    order: tuple[int, ...], scores: NDArray[np.float32], names: list[str], ramp: list[str]
) -> go.Scatter:
    """A mark for each pair; a document and itself have none."""
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
    """[documents, 2], such that distances come as near to 1 − score as two dimensions allow (classical scaling)."""
    distance = np.clip(1.0 - scores.astype(np.float64), 0.0, None) ** 2
    centred = distance - distance.mean(0) - distance.mean(1)[:, None] + distance.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    found = vectors[:, -2:] * np.sqrt(np.clip(values[-2:], 0.0, None))
    return np.asarray(found[:, ::-1], np.float64)


def document_map(found: Collection, *, dark: bool) -> go.Figure:
    """Each document as a point, coloured by its cluster; those that stand alone are grey."""
    colours = palette(dark=dark)
    at = layout_2d(found.scores[found.models[0]])
    kind = go.Scatter if len(at) <= MAX_SVG_POINTS else go.Scattergl
    chart = go.Figure()
    alone = tuple(g[0] for g in found.clusters if len(g) == 1)
    for number, group in enumerate([alone, *found.groups]):
        if not group:
            continue
        turn, hue = divmod(number - 1, len(colours.groups))
        marker_style = (
            {"color": colours.groups[hue], "symbol": SYMBOLS[turn % len(SYMBOLS)]}
            if number
            else {"color": colours.weak}
        )
        chart.add_trace(
            kind(
                x=at[list(group), 0],
                y=at[list(group), 1],
                mode="markers",
                marker={"size": 10, "opacity": 0.85, **marker_style},
                name="alone" if number == 0 else f"cluster {number}",
                text=[shorten(clean(found.names[i]), MAX_LABEL_LENGTH) for i in group],
                hovertemplate="%{text}<extra>%{fullData.name}</extra>",
            )
        )
    chart.update_layout(
        colours.layout(), height=480, margin={"l": 0, "r": 8, "t": 8, "b": 8}, showlegend=True
    )
    chart.update_xaxes(visible=False)
    chart.update_yaxes(visible=False, scaleanchor="x")
    return chart
