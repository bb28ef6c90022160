"""Colours of the charts that Plotly draws, for a light and a dark page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from colde_explorer_app.sources import Side


@dataclass(frozen=True, slots=True)
class Palette:
    """Attributes: ink for words and marks, faint for what is second, track for what lies behind, strong and weak for
    what is said and what is not."""

    ink: str
    faint: str
    track: str
    strong: str
    weak: str

    def layout(self) -> dict[str, Any]:
        """Layout of all charts: the page's own background and letters, nothing to drag."""
        return {
            "dragmode": False,
            "showlegend": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": self.ink, "size": 14, "family": "Source Sans, sans-serif"},
        }


LIGHT = Palette(ink="#20292e", faint="#5c6b73", track="#eef2f4", strong="#1f6580", weak="#98a6ad")
DARK = Palette(ink="#e4eaed", faint="#9fb0b8", track="#232d32", strong="#4ba6c4", weak="#6f7f87")


def palette(*, dark: bool) -> Palette:
    """Colours of the page's theme."""
    return DARK if dark else LIGHT


def letter(side: Side) -> str:
    """A document's letter in Markdown, in the hue that is its own everywhere (`.streamlit/config.toml`)."""
    return f":{'blue' if side == 'a' else 'green'}[**{side.upper()}**]"
