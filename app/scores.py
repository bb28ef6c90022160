"""Every model's score against its own threshold: a bar chart, the numbers beside it, and who disagrees."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from colde.similarity import Reading, Score

ROW_HEIGHT = 36
_TOPS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


def scores(results: Sequence[Score], waiting: Sequence[tuple[str, str]], default: str) -> None:
    """Draw one row a model: those that have answered, then title and state of those that have not."""
    chart, numbers = st.columns([5, 8], gap="small", vertical_alignment="top")
    with chart:
        st.plotly_chart(
            figure(results, [title for title, _ in waiting], dark=st.context.theme.type == "dark"),
            key="score_bars",
            theme=None,
            config={"displayModeBar": False, "scrollZoom": False},
            alt=spoken(results),
        )
    with numbers:
        st.dataframe(
            table(results, waiting),
            key="score_table",
            hide_index=True,
            row_height=ROW_HEIGHT,
            height=ROW_HEIGHT * (len(results) + len(waiting) + 1),
            column_config=_columns(),
            alt="The same scores as numbers",
        )
    st.caption(" ".join(filter(None, [agreement(results, default), *truncated(results)])))


def top_of_scale(score: Score) -> float:
    """The value at the right end of a score's bar: 1, or less where score and threshold are both small."""
    largest = max(score.score, score.threshold or 0.0)
    return next((top for top in _TOPS if largest <= 0.8 * top), max(1.0, largest))


def figure(results: Sequence[Score], waiting: Sequence[str], *, dark: bool) -> go.Figure:
    """Bars on one axis from 0 to 1, each a share of its own scale; a tick at each threshold."""
    ink, faint, track = ("#e4eaed", "#90a0a8", "#232d32") if dark else ("#20292e", "#66757d", "#eef2f4")
    yes, no = ("#4ba6c4", "#6f7f87") if dark else ("#1f6580", "#98a6ad")
    names = [score.title for score in results] + list(waiting)
    tops = [top_of_scale(score) for score in results]
    lengths = [max(score.score, 0.0) / top for score, top in zip(results, tops, strict=True)]
    chart = go.Figure()
    chart.add_bar(
        y=names, x=[1.0] * len(names), orientation="h", marker_color=track, hoverinfo="skip", width=0.5
    )
    chart.add_bar(
        y=names[: len(results)],
        x=lengths,
        orientation="h",
        width=0.5,
        marker_color=[yes if score.similar else no for score in results],
        customdata=[[score.score, score.threshold, top] for score, top in zip(results, tops, strict=True)],
        hovertemplate="%{y}: %{customdata[0]:.2f}, threshold %{customdata[1]:.2f}, "
        "scale from 0 to %{customdata[2]:g}<extra></extra>",
    )
    for row, (score, top) in enumerate(zip(results, tops, strict=True)):
        if score.threshold is not None:
            at = score.threshold / top
            chart.add_shape(
                type="line", x0=at, x1=at, y0=row - 0.38, y1=row + 0.38, line={"color": ink, "width": 2}
            )
        chart.add_annotation(
            x=1.02, y=row, text=f"{top:g}", showarrow=False, xanchor="left", font={"size": 11, "color": faint}
        )
    chart.update_layout(
        barmode="overlay",
        height=ROW_HEIGHT * (len(names) + 1),
        margin={"l": 0, "r": 0, "t": ROW_HEIGHT, "b": 0, "pad": 8},
        showlegend=False,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": ink, "size": 14, "family": "Source Sans, Source Sans Pro, sans-serif"},
        xaxis={"range": [0, 1.12], "visible": False, "fixedrange": True},
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "ticks": "",
            "automargin": True,
            "fixedrange": True,
            "range": [len(names) - 0.5, -0.5],
        },
    )
    chart.update_yaxes(autorange=False)
    return chart


def table(results: Sequence[Score], waiting: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """The numbers, one row a model; empty cells where a number does not exist or is not there yet."""
    rows = [
        {
            "Model": score.title,
            "Score": score.score,
            "Threshold": score.threshold,
            "Says": {True: "similar", False: "not similar", None: "no threshold"}[score.similar],
            "Probability": None if score.probability is None else 100 * score.probability,
            "Percentile": None if score.percentile is None else 100 * score.percentile,
            "Read of A": _read(score.read_a),
            "Read of B": _read(score.read_b),
            "Seconds": score.seconds,
        }
        for score in results
    ]
    rows += [{"Model": title, "Says": state} for title, state in waiting]
    names = ["Model", "Score", "Threshold", "Says", "Probability", "Percentile", "Read of A", "Read of B"]
    return pd.DataFrame(rows, columns=[*names, "Seconds"])


def agreement(results: Sequence[Score], default: str) -> str:
    """Who differs from the default model, in words; empty with fewer than two answers."""
    judged = [score for score in results if score.similar is not None]
    first = next((score for score in judged if score.name == default), None)
    if first is None or len(judged) < 2:
        return ""
    others = [score.title for score in judged if score.similar != first.similar]
    says = "similar" if first.similar else "not similar"
    if not others:
        return f"All {len(judged)} agree: {says}."
    verb = "disagrees" if len(others) == 1 else "disagree"
    return f"{len(others)} of {len(judged)} {verb} with {first.title} ({says}): {_list(others)}."


def truncated(results: Sequence[Score]) -> list[str]:
    """A sentence for each model and side of which it did not read everything."""
    return [
        f"{score.title} read only {reading.tokens_read:,} of {reading.tokens:,} tokens of {side}."
        for score in results
        for side, reading in (("A", score.read_a), ("B", score.read_b))
        if reading.tokens_read < reading.tokens
    ]


def spoken(results: Sequence[Score]) -> str:
    """The chart for those who do not see it."""
    parts = [
        f"{score.title} {score.score:.2f}"
        + ("" if score.threshold is None else f" (threshold {score.threshold:.2f})")
        for score in results
    ]
    return "Scores against thresholds: " + ("; ".join(parts) or "none yet") + "."


def _columns() -> dict[str, object]:
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    return {
        "Model": text(width="small"),
        "Score": number(format="%.2f", help="On the scale of this method alone; two scores do not compare."),
        "Threshold": number(format="%.2f", help="From labelled validation pairs: at or above it, a pair is called similar."),
        "Probability": number(format="%.0f %%", help="Of labelled pairs scored like this one, the share that was similar."),
        "Percentile": number(format="%.1f %%", help="The share of unrelated pairs that score lower."),
        "Read of A": text(help="Tokens read, of all tokens of the text."),
        "Read of B": text(help="Tokens read, of all tokens of the text."),
        "Seconds": number(format="%.1f"),
    }


def _read(reading: Reading) -> str:
    if reading.tokens_read >= reading.tokens:
        return f"all {reading.tokens:,}"
    return f"{reading.tokens_read:,} of {reading.tokens:,}"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
