"""Figures of the models, drawn and tabled: accuracy with intervals, calibration, cost. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from colde.judge.profiles import describe
from colde.models.validation_figures import Figures, Interval, ProfileFigures
from colde_explorer_app.palette import palette

ERROR = "calibration_error"
MEASURES = {"accuracy": "Accuracy", "f1": "F1", "roc_auc": "ROC AUC", ERROR: "Calibration error"}
MEANINGS = {
    "Accuracy": "Share of validation pairs judged as labelled.",
    "F1": "Harmonic mean of precision and recall of “related”.",
    "ROC AUC": "Chance that a related pair scores above one that is not; 0.5 is guessing.",
    "Calibration error": "Mean distance between stated probability and observed share; 0 is best.",
}
INTERVAL_NOTE = "95 % intervals over the documents the pairs start from"
BAR_MEANINGS = dict.fromkeys(MEASURES.values(), INTERVAL_NOTE) | {
    "Calibration error": "what chance leaves of exactly right probabilities, in 95 of 100 samples"
}
"""Meaning of the bars, and of the numbers in brackets."""
ROW_HEIGHT = 30  # pixels


@dataclass(frozen=True, slots=True)
class Entry:
    """A trained model as the overview lists it.

    Attributes:
        parameters: numbers in the model, those of a frozen encoder too.
        training: how it came to be, from its checkpoint.
    """

    title: str
    figures: Figures
    parameters: int
    training: Mapping[str, object]


def ranked(entries: Sequence[Entry], profile: str, measure: str) -> list[Entry]:
    """Those measured there, best first."""
    known = [e for e in entries if profile in e.figures.profiles]
    sign = 1 if measure == ERROR else -1
    return sorted(known, key=lambda e: sign * _interval(e, profile, measure).value)


def chart(entries: Sequence[Entry], profile: str, measure: str, *, dark: bool) -> go.Figure:
    """A dot a model with its bar (`BAR_MEANINGS`), in the order given, the first on top."""
    colours = palette(dark=dark)
    found = [_interval(e, profile, measure) for e in entries]
    figure = go.Figure()
    figure.add_scatter(
        y=[e.title for e in entries],
        x=[i.value for i in found],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [i.high - i.value for i in found],
            "arrayminus": [i.value - i.low for i in found],
            "color": colours.weak,
            "thickness": 2,
            "width": 0,
        },
        mode="markers",
        marker={"color": colours.strong, "size": 10},
        customdata=[[i.low, i.high] for i in found],
        hovertemplate="%{y}: %{x:.3f} (bar %{customdata[0]:.3f} to %{customdata[1]:.3f})<extra></extra>",
    )
    figure.update_layout(
        colours.layout(),
        height=ROW_HEIGHT * (len(entries) + 2),
        margin={"l": 0, "r": 8, "t": 8, "b": 8, "pad": 8},
        xaxis={
            "gridcolor": colours.track,
            "zeroline": False,
            "fixedrange": True,
            "tickformat": ".2f",
            "automargin": True,
        },
        yaxis={
            "range": [len(entries) - 0.5, -0.5],
            "showgrid": False,
            "automargin": True,
            "fixedrange": True,
            "tickmode": "array",
            "tickvals": list(range(len(entries))),
            "ticktext": [e.title for e in entries],
        },
    )
    return figure


def alt_text(entries: Sequence[Entry], profile: str, measure: str) -> str:
    """The chart for those who do not see it."""
    parts = [f"{e.title} {_interval(e, profile, measure).value:.3f}" for e in entries]
    return f"{MEASURES[measure]}, best first: {'; '.join(parts)}."


def overview(entries: Sequence[Entry], profile: str) -> pd.DataFrame:
    """One row a model, in the order given: how well, on how much, and at what cost; missing where not measured."""
    return pd.DataFrame([_row(e, e.figures.profiles[profile]) for e in entries])


def by_profile(figures: Figures, thresholds: Mapping[str, float]) -> pd.DataFrame:
    """One row a kind of documents for one model, with its threshold."""
    rows = []
    for profile, found in figures.profiles.items():
        row: dict[str, object] = {
            "Documents": describe(profile).title,
            "Threshold": thresholds.get(profile),
        }
        row |= _measures(found)
        rows.append(row | {"Pairs": found.pairs})
    return pd.DataFrame(rows)


def reliability(found: ProfileFigures, *, dark: bool) -> go.Figure:
    """Stated probability against the share that was related; on the diagonal a probability means what it says."""
    colours = palette(dark=dark)
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": colours.weak, "dash": "dot"}, hoverinfo="skip"
    )
    stated, observed, share = zip(*found.reliability, strict=True)
    figure.add_scatter(
        x=stated,
        y=observed,
        mode="lines+markers",
        line={"color": colours.strong, "width": 1},
        marker={"size": 8},
        customdata=[round(s * found.pairs) for s in share],
        hovertemplate="stated %{x:.0%}, related %{y:.0%} of about %{customdata} pairs<extra></extra>",
    )
    axis = {
        "range": [-0.03, 1.03],
        "tickformat": ".0%",
        "gridcolor": colours.track,
        "fixedrange": True,
        "automargin": True,
    }
    figure.update_layout(
        colours.layout(),
        height=300,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        xaxis=axis | {"title": "Stated probability", "zeroline": False},
        yaxis=axis | {"title": "Share that was related", "zeroline": False},
    )
    return figure


def _interval(entry: Entry, profile: str, measure: str) -> Interval:
    """Value and interval of a dot and its bar."""
    found = entry.figures.profiles[profile]
    if measure == ERROR:
        return Interval(found.calibration_error, 0.0, found.by_chance)
    return found.measures[measure]


def _row(entry: Entry, found: ProfileFigures) -> dict[str, object]:
    training, seconds = entry.training, entry.figures.seconds
    row: dict[str, object] = {"Model": entry.title} | _measures(found)
    row["Over seeds"] = _spread(entry.figures.seeds, found)
    row["Pairs"] = found.pairs
    row["Numbers"] = entry.parameters or None
    row["Seconds a document"] = seconds.get("document")
    row["Seconds a pair"] = seconds.get("pair")
    row["Trained on"] = training.get("tokens")
    row["Minutes"] = float(str(training["seconds"])) / 60 if "tokens" in training else None
    return row


def _measures(found: ProfileFigures) -> dict[str, object]:
    """As text that can be read and sorted: intervals in brackets."""
    told: dict[str, object] = {
        MEASURES[key]: f"{i.value:.3f} ({i.low:.3f}–{i.high:.3f})" for key, i in found.measures.items()
    }
    return told | {MEASURES[ERROR]: f"{found.calibration_error:.3f} ({found.by_chance:.3f})"}


def _spread(seeds: int, found: ProfileFigures) -> str | None:
    if "accuracy" not in found.seeds:
        return None
    mean, deviation = found.seeds["accuracy"]
    return f"{mean:.3f} ± {deviation:.3f} ({seeds})"
