"""Where the models disagree, in words below their scores."""

from __future__ import annotations

import streamlit as st

from colde.report.disagreement import disagreement
from colde.results.comparison import Comparison
from colde_explorer_app.markdown_escape import escape_markdown


def disagreements(comparison: Comparison, *, is_complete: bool) -> None:
    """Say it once all models have answered: before, a sentence about all of them would change with each."""
    if is_complete:
        for sentence in disagreement(comparison):
            st.markdown(escape_markdown(sentence))
