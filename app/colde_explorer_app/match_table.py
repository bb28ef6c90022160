"""Shared passages as a sortable table; a chosen row is selected in the linked view."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from colde.report.formatting import passage_place, quote, shorten
from colde.results.comparison import Comparison
from colde.results.match import Match

MAX_QUOTE = 240
"""Characters of a passage in the table."""

ROW, HEADER, SHOWN = 36, 38, 10
"""Pixels of a row and of the header; rows seen without scrolling."""


def chosen_row(comparison: Comparison, model: str) -> Match | None:
    """The match whose row is chosen; known before the table is drawn."""
    state = st.session_state.get(_key(model))
    rows = state["selection"]["rows"] if state else []
    model_matches = matches_of(comparison, model)
    return model_matches[rows[0]] if rows and rows[0] < len(model_matches) else None


def matches(comparison: Comparison, model: str) -> None:
    """Draw the table of one model's matches, best first; folded, since the view has a short list."""
    model_matches = matches_of(comparison, model)
    if not model_matches:
        return
    drawer = st.expander("Shared passages as a table", key="matches_open", on_change="rerun")
    if drawer.open:
        drawer.dataframe(
            table(comparison, model_matches),
            key=_key(model),
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            height=HEADER + ROW * min(len(model_matches), SHOWN),
            row_height=ROW,
            column_config=_columns(),
            alt="Shared passages of A and B, best first",
        )


def matches_of(comparison: Comparison, model: str) -> list[Match]:
    """The matches of a model, best first."""
    return [item for item in comparison.evidence if item.model == model]


def table(comparison: Comparison, model_matches: list[Match]) -> pd.DataFrame:
    """One row a match: where and what in A, where and what in B, weight, kind."""
    return pd.DataFrame(
        [
            {
                "#": number,
                "Where in A": passage_place(item.a),
                "Passage in A": shorten(quote(comparison.a, item.a), MAX_QUOTE),
                "Where in B": passage_place(item.b),
                "Passage in B": shorten(quote(comparison.b, item.b), MAX_QUOTE),
                "Weight": item.weight,
                "Kind": item.kind,
            }
            for number, item in enumerate(model_matches, 1)
        ]
    )


def _key(model: str) -> str:
    return f"matches_{model}"


def _columns() -> dict[str, Any]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "#": number(width=36),
        "Where in A": text(width=140),
        "Passage in A": text(width=360),
        "Where in B": text(width=140),
        "Passage in B": text(width=360),
        "Weight": number(format="%.3f", width=70, help="How strong the match is, on the scale of its model."),
        "Kind": text(width=84, help="How the two passages match."),
    }
