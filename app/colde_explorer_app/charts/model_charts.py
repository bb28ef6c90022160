"""Charts and tables of the models: accuracy with intervals, calibration, cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from colde.judge.profiles import describe
from colde.models.validation_figures import BOTH_NEW, ONE_NEW, Figures, Interval, ProfileFigures
from colde_explorer_app.charts.palette import Palette, palette, row_axis

ERROR = "calibration_error"
MEASURES = {"accuracy": "Accuracy", "f1": "F1", "roc_auc": "ROC AUC", ERROR: "Calibration error"}
MEANINGS = {
    "Accuracy": "Share of pairs judged correctly.",
    "F1": "Harmonic mean of precision and recall of “related”.",
    "ROC AUC": "Probability that a related pair scores higher than an unrelated one; 0.5 is guessing.",
    "Calibration error": "Mean difference between stated probability and observed share; 0 is best.",
}
INTERVAL_NOTE = "95 % intervals, clustered by both documents of a pair"
BAR_MEANINGS = dict.fromkeys(MEASURES.values(), INTERVAL_NOTE) | {
    "Calibration error": "the error that perfectly calibrated probabilities would have by chance, in 95 of 100 samples"
}
"""Meaning of the bars, and of the numbers in brackets."""
NEW = {ONE_NEW: "one of two", BOTH_NEW: "both"}
"""How many of the two documents stand in no training pair, by block."""
ROW_HEIGHT = 30  # pixels


@dataclass(frozen=True, slots=True)
class Entry:
    """A trained model in the overview.

    Attributes:
        figures: of one block of pairs, by profile.
        seconds: as in `Figures`.
        parameters: number of parameters, including those of a frozen encoder.
        training: what its checkpoint records of its training.
    """

    title: str
    figures: Mapping[str, ProfileFigures]
    parameters: int
    seconds: Mapping[str, float]
    training: Mapping[str, object]


def ranked(entries: Sequence[Entry], profile: str, measure: str) -> list[Entry]:
    """The models measured on this profile, the best first."""
    known = [e for e in entries if profile in e.figures]
    sign = 1 if measure == ERROR else -1
    return sorted(known, key=lambda e: sign * _interval(e, profile, measure).value)


def chart(entries: Sequence[Entry], profile: str, measure: str) -> go.Figure:
    """A dot with a bar (`BAR_MEANINGS`) for each model, in the order given, the first on top."""
    colours = palette()
    intervals = [_interval(e, profile, measure) for e in entries]
    titles = [e.title for e in entries]
    figure = go.Figure()
    figure.add_scatter(
        y=titles,
        x=[i.value for i in intervals],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [i.high - i.value for i in intervals],
            "arrayminus": [i.value - i.low for i in intervals],
            "color": colours.weak,
            "thickness": 2,
            "width": 0,
        },
        mode="markers",
        marker={"color": colours.strong, "size": 10},
        customdata=[[i.low, i.high] for i in intervals],
        hovertemplate="%{y}: %{x:.3f} (bar %{customdata[0]:.3f} to %{customdata[1]:.3f})<extra></extra>",
    )
    layout = colours.layout()
    figure.update_layout(
        layout,
        height=ROW_HEIGHT * (len(entries) + 2),
        margin=layout["margin"] | {"pad": 8},
        xaxis=_number_axis(colours) | {"tickformat": ".2f"},
        yaxis=row_axis(titles),
    )
    return figure


def alt_text(entries: Sequence[Entry], profile: str, measure: str) -> str:
    """The chart in words, for a screen reader."""
    parts = [f"{e.title} {_interval(e, profile, measure).value:.3f}" for e in entries]
    return f"{MEASURES[measure]}, best first: {'; '.join(parts)}."


def overview(entries: Sequence[Entry], profile: str) -> pd.DataFrame:
    """A row for each model, in the order given: measures, pairs and cost; missing where not measured."""
    return pd.DataFrame([_row(e, e.figures[profile]) for e in entries])


def by_profile(figures: Figures, thresholds: Mapping[str, float]) -> pd.DataFrame:
    """A row for each block of pairs and profile of a model, with the threshold that ships."""
    rows = []
    for block, profiles in figures.blocks.items():
        for profile, measured in profiles.items():
            head = {
                "Documents": describe(profile).title,
                "New": NEW[block],
                "Threshold": thresholds.get(profile),
            }
            rows.append(head | _measures(measured) | {"Pairs": measured.pairs})
    return pd.DataFrame(rows)


def reliability(measured: ProfileFigures) -> go.Figure:
    """Stated probability against the share of related pairs; a calibrated model lies on the diagonal."""
    colours = palette()
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": colours.weak, "dash": "dot"}, hoverinfo="skip"
    )
    stated, observed, share = zip(*measured.reliability, strict=True)
    figure.add_scatter(
        x=stated,
        y=observed,
        mode="lines+markers",
        line={"color": colours.strong, "width": 1},
        marker={"size": 8},
        customdata=[round(s * measured.pairs) for s in share],
        hovertemplate="stated %{x:.0%}, related %{y:.0%} of about %{customdata} pairs<extra></extra>",
    )
    axis = _number_axis(colours) | {"range": [-0.03, 1.03], "tickformat": ".0%"}
    layout = colours.layout()
    figure.update_layout(
        layout,
        height=300,
        margin=layout["margin"] | {"b": 0},
        xaxis=axis | {"title": "Stated probability"},
        yaxis=axis | {"title": "Share that was related"},
    )
    return figure


def _number_axis(colours: Palette) -> dict[str, Any]:
    return {"gridcolor": colours.track, "zeroline": False, "fixedrange": True, "automargin": True}


def _interval(entry: Entry, profile: str, measure: str) -> Interval:
    measured = entry.figures[profile]
    if measure == ERROR:
        return Interval(measured.calibration_error, 0.0, measured.by_chance)
    return measured.measures[measure]


def _row(entry: Entry, measured: ProfileFigures) -> dict[str, object]:
    training, seconds = entry.training, entry.seconds
    return {
        "Model": entry.title,
        **_measures(measured),
        "Pairs": measured.pairs,
        "Parameters": entry.parameters or None,
        "Seconds a document": seconds.get("document"),
        "Seconds a pair": seconds.get("pair"),
        "Trained on": training.get("tokens"),
        "Minutes": float(str(training["seconds"])) / 60 if "tokens" in training else None,
    }


def _measures(measured: ProfileFigures) -> dict[str, object]:
    """Measures as text that can be sorted, with intervals in brackets."""
    texts: dict[str, object] = {
        MEASURES[key]: f"{i.value:.3f} ({i.low:.3f}–{i.high:.3f})" for key, i in measured.measures.items()
    }
    return texts | {MEASURES[ERROR]: f"{measured.calibration_error:.3f} ({measured.by_chance:.3f})"}
