"""Colours of the charts that Plotly draws, for a light and a dark page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from colde_explorer_app.session.document_source import Side


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a theme.

    Attributes:
        ink: of words and marks.
        faint: of secondary words.
        track: of a background behind bars.
        strong, weak: of marks that are emphasised and that are not.
        groups: of groups without an order, which also colour-blind readers can tell apart (Okabe and Ito 2008).
        ramp: from the lowest to the highest value, as in the linked view (map/colour_ramp.js).
    """

    ink: str
    faint: str
    track: str
    strong: str
    weak: str
    groups: tuple[str, ...]
    ramp: tuple[str, ...]

    def layout(self) -> dict[str, Any]:
        """Layout of all charts: background and font of the page, nothing to drag."""
        return {
            "dragmode": False,
            "showlegend": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": self.ink, "size": 14, "family": "Source Sans, sans-serif"},
            "margin": {"l": 0, "r": 8, "t": 8, "b": 8},
        }


LIGHT = Palette(
    ink="#20292e",
    faint="#5c6b73",
    track="#eef2f4",
    strong="#1f6580",
    weak="#98a6ad",
    groups=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b28a00", "#56b4e9"),
    ramp=("#f1f5f9", "#d3e2ee", "#9fc3dd", "#5f9bc6", "#2b6ca3", "#123f6d"),
)
DARK = Palette(
    ink="#e4eaed",
    faint="#9fb0b8",
    track="#232d32",
    strong="#4ba6c4",
    weak="#6f7f87",
    groups=("#56b4e9", "#e69f00", "#2fc79a", "#e39ac4", "#f0e442", "#8fb8ff"),
    ramp=("#1b242e", "#1d3d57", "#236490", "#3f8fc4", "#86bfe6", "#e3f3ff"),
)


def palette() -> Palette:
    """Colours of the page's theme."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def draw_chart(chart: go.Figure, key: str, **options: Any) -> Any:
    """Draw a chart in our own colours, without Plotly's buttons; returns the selection."""
    return st.plotly_chart(chart, key=key, theme=None, config={"displayModeBar": False}, **options)


def row_axis(titles: list[str]) -> dict[str, Any]:
    """A vertical axis with a row for each title, the first one on top."""
    return {
        "range": [len(titles) - 0.5, -0.5],
        "showgrid": False,
        "ticks": "",
        "automargin": True,
        "fixedrange": True,
        "tickmode": "array",
        "tickvals": list(range(len(titles))),
        "ticktext": titles,
    }


def side_label(side: Side) -> str:
    """A document's letter in Markdown, in the colour that is its own everywhere (`.streamlit/config.toml`)."""
    return f":{'blue' if side == 'a' else 'green'}[**{side.upper()}**]"
