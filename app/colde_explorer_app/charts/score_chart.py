"""The score of each model against its own threshold: a bar chart, and a table beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from colde.report.formatting import apart
from colde.report.wording.verdict import stance
from colde.report.wording.verdict_bar import score_position
from colde.results.model_score import Coverage, Score
from colde.results.verdicts.verdict_words import percent
from colde_explorer_app.charts.palette import draw_chart, palette, row_axis

ROW_HEIGHT = 36
"""Pixels of a row in the chart and in the table, so that they align."""


@dataclass(frozen=True, slots=True)
class Row:
    """A model: its title and name, and its score or, without one, its progress in words."""

    title: str
    score: Score | None
    state: str = ""
    name: str = ""


def scores(rows: Sequence[Row], shown: str = "", on_choose: Callable[[str], None] | None = None) -> None:
    """Draw bars and numbers, a row for each model.

    Args:
        shown: the model whose maps are on the page.
        on_choose: called with the name of the model whose bar is clicked.
    """
    key = f"score_bars_{shown}"  # a new chart after each choice, so that the next click does not undo the choice

    def clicked() -> None:
        points = st.session_state[key]["selection"]["points"]
        names = {row.title: row.name for row in rows}
        if points and on_choose is not None and points[0].get("y") in names:
            on_choose(names[points[0]["y"]])

    chart, numbers = st.columns([5, 8], gap="small")
    with chart:
        draw_chart(
            figure(rows),
            key,
            on_select=clicked if on_choose is not None else "ignore",
            selection_mode="points",
            alt=alt_text([row.score for row in rows if row.score is not None]),
        )
    with numbers:
        st.dataframe(
            table(rows),
            key="score_table",
            hide_index=True,
            row_height=ROW_HEIGHT,
            height=ROW_HEIGHT * (len(rows) + 1),
            column_config=_columns(),
            placeholder="",
            alt="The same scores as numbers",
        )


def figure(rows: Sequence[Row]) -> go.Figure:
    """Bars from the thresholds, which share one line in the middle, to the scores (`score_position`)."""
    colours = palette()
    titles = [row.title for row in rows]
    chart = go.Figure()
    chart.add_bar(
        y=titles,
        x=[1.0] * len(rows),
        orientation="h",
        width=0.5,
        marker_color=colours.track,
        hoverinfo="none",
    )
    for i, row in enumerate(rows):
        score = row.score
        if score is None:
            font = {"size": 12, "color": colours.faint}
            chart.add_annotation(x=0.02, y=i, text=row.state, xanchor="left", showarrow=False, font=font)
            continue
        position = score_position(score)
        value, threshold = apart(score.score, score.threshold)
        stance_text = stance(score) or "no threshold"
        chart.add_bar(
            y=[row.title],
            x=[0.0 if position is None else position - 0.5],
            base=[0.5],
            orientation="h",
            width=0.5,
            marker_color=colours.strong if score.similar else colours.weak,
            hovertemplate=f"{row.title}: {value}, threshold {threshold}: {stance_text}<extra></extra>",
        )
    chart.add_shape(
        type="line", x0=0.5, x1=0.5, y0=-0.5, y1=len(rows) - 0.5, line={"color": colours.ink, "width": 2}
    )
    font = {"size": 11, "color": colours.faint}
    chart.add_annotation(x=0.5, y=-0.5, text="threshold", yanchor="bottom", showarrow=False, font=font)
    chart.update_traces(selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}})
    chart.update_layout(
        colours.layout(),
        barmode="overlay",
        clickmode="event+select",
        height=ROW_HEIGHT * (len(rows) + 1),
        margin={"l": 0, "r": 0, "t": ROW_HEIGHT, "b": 0, "pad": 8},
        xaxis={"range": [0, 1], "visible": False, "fixedrange": True},
        yaxis=row_axis(titles),
    )
    return chart


def table(rows: Sequence[Row]) -> pd.DataFrame:
    """The numbers, a row for each model; missing where there is none, or not yet."""
    return pd.DataFrame([_numbers(row) for row in rows], columns=list(_columns()))


def _numbers(row: Row) -> dict[str, object]:
    score = row.score
    if score is None:
        return {"Model": row.title}
    return {
        "Model": row.title,
        "Score": score.score,
        "Threshold": score.threshold,
        "Verdict": stance(score) or "no threshold",
        "Probability": None if score.probability is None else percent(score.probability),
        "Percentile": None if score.percentile is None else round(100 * score.percentile),
        "Read of A": _read(score.read_a),
        "Read of B": _read(score.read_b),
        "Seconds": score.seconds,
    }


def truncated(results: Sequence[Score]) -> list[str]:
    """A sentence for each model and text that it did not read to its end."""
    return [
        f"{score.title} read only {reading.tokens_read:,} of {reading.tokens:,} tokens of {side}."
        for score in results
        for side, reading in (("A", score.read_a), ("B", score.read_b))
        if reading.tokens_read < reading.tokens
    ]


def alt_text(results: Sequence[Score]) -> str:
    """The chart in words, for a screen reader."""
    parts = []
    for score in results:
        value, threshold = apart(score.score, score.threshold)
        parts.append(
            f"{score.title} {value}" + ("" if score.threshold is None else f" (threshold {threshold})")
        )
    return "Scores against thresholds: " + ("; ".join(parts) or "none yet") + "."


def _columns() -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    read = "Tokens read, of all tokens of the text."
    return {
        "Model": text(width=110),
        "Score": number(
            format="%.2f",
            width=60,
            help="On the scale of this model; scores of different models cannot be compared.",
        ),
        "Threshold": number(
            format="%.2f",
            width=80,
            help="Chosen on labelled validation pairs. A pair that reaches it is called related.",
        ),
        "Verdict": text(width=90),
        "Probability": number(
            format="%d %%",
            width=90,
            help="The share of related pairs among labelled pairs with a similar score, adjusted to how "
            "many related pairs you expect (“How sure?”).",
        ),
        "Percentile": number(
            format="%d %%", width=80, help="The share of unrelated pairs with a lower score."
        ),
        "Read of A": text(width=90, help=read),
        "Read of B": text(width=90, help=read),
        "Seconds": number(format="%.1f", width=70, help="For encoding and comparing this pair."),
    }


def _read(reading: Coverage) -> str:
    if reading.tokens_read >= reading.tokens:
        return f"all {reading.tokens:,}"
    return f"{reading.tokens_read:,} of {reading.tokens:,}"
