"""Shared passages as a sortable table; a chosen row is selected in the linked view."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from colde.report.formatting import passage_place, quote, shorten
from colde.report.reviewed_passages import ReviewedPassage, reviewed_passages
from colde.results.comparison import Comparison

MAX_QUOTE = 240
"""Characters of a passage in the table."""

ROW, HEADER, SHOWN = 36, 38, 10
"""Pixels of a row and of the header; rows seen without scrolling."""
_KEY = "passage_table"


def chosen_row(comparison: Comparison) -> ReviewedPassage | None:
    """The passage whose row is chosen; known before the table is drawn."""
    state = st.session_state.get(_KEY)
    rows = state["selection"]["rows"] if state else []
    passages = reviewed_passages(comparison) if rows else ()
    return passages[rows[0]] if rows and rows[0] < len(passages) else None


def passage_table(comparison: Comparison) -> None:
    """Draw the table, best first; folded, since the view has a list."""
    passages = reviewed_passages(comparison)
    if not passages:
        return
    drawer = st.expander("Shared passages as a table", key="passages_open", on_change="rerun")
    if drawer.open:
        drawer.dataframe(
            rows_of(comparison, passages),
            key=_KEY,
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            height=HEADER + ROW * min(len(passages), SHOWN),
            row_height=ROW,
            column_config=_columns(),
            alt="Shared passages of A and B, best first",
        )


def rows_of(comparison: Comparison, passages: tuple[ReviewedPassage, ...]) -> pd.DataFrame:
    """One row a passage: where and what in A, where and what in B, kind, words, certainty."""
    return pd.DataFrame(
        [
            {
                "#": item.number,
                "Where in A": passage_place(item.a),
                "Passage in A": shorten(quote(comparison.a, item.a), MAX_QUOTE),
                "Where in B": passage_place(item.b),
                "Passage in B": shorten(quote(comparison.b, item.b), MAX_QUOTE),
                "Kind": item.passage.kind,
                "Standard": item.passage.standard,
                "Words": item.passage.words["a"],
                "Certainty": item.passage.certainty,
            }
            for item in passages
        ]
    )


def _columns() -> dict[str, Any]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "#": number(width=36),
        "Where in A": text(width=140),
        "Passage in A": text(width=340),
        "Where in B": text(width=140),
        "Passage in B": text(width=340),
        "Kind": text(width=84, help="What most of the passage is."),
        "Standard": st.column_config.CheckboxColumn(
            width=70, help="Whether it is a standard sentence or boilerplate."
        ),
        "Words": number(width=60, help="Words of the passage in A."),
        "Certainty": number(
            format="percent", width=70, help="How certain it is that both sides belong together."
        ),
    }
