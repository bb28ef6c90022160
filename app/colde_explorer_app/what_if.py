"""The models asked again without the sections that the reader has ticked off in the view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from colde.errors import ColdeError
from colde.match import what_if
from colde.match.part_names import read_parts
from colde.report.verdict import stance
from colde.results.comparison import Comparison
from colde_explorer_app.linked_view import LEFT_OUT
from colde_explorer_app.work import asking, load

ANSWERED = "what_if_answer"
"""In the session: the last question, as (view, sections left out, models), and its answer."""


def answer(comparison: Comparison, key: str) -> Mapping[str, Any] | None:
    """What the models say without the sections that the view asked about last; None where it asked nothing.

    Args:
        comparison: finished.
        key: of the view.

    Returns:
        `{"out": what was left out, "scores": [{"title", "before", "after", "says"}], "error": str}`.
    """
    out = (st.session_state.get(key) or {}).get("what_if")
    if not isinstance(out, str) or not LEFT_OUT.fullmatch(out):
        return None
    question = key, out, tuple(s.name for s in comparison.results)
    kept = st.session_state.get(ANSWERED)
    if kept is None or kept[0] != question:
        kept = st.session_state[ANSWERED] = question, _asked(comparison, out)
    found: Mapping[str, Any] = kept[1]
    return found


def _asked(comparison: Comparison, out: str) -> dict[str, Any]:
    try:
        parts = read_parts(out)
        with st.spinner("Asking the models without these sections …"), asking():
            after = what_if.without(comparison, parts["a"], parts["b"], loader=load).after
    except (ColdeError, ValueError) as error:
        return {"out": out, "scores": [], "error": str(error)}
    scores = [
        {"title": old.title, "before": old.score, "after": new.score, "says": stance(new)}
        for old, new in zip(comparison.results, after.results, strict=True)
    ]
    return {"out": out, "scores": scores, "error": ""}
