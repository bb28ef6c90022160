"""The linked view, the chooser of its model, and the table of top matches, kept in step with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app import choices, link
from app.linked_view import linked_view
from app.matches import chosen_row, matches
from app.start import Origin
from app.work import Request
from colde.comparison import Comparison
from colde.similarity import Evidence


def view(comparison: Comparison, request: Request | None, origin: Origin | None) -> None:
    """Draw all three; without a request only the texts."""
    if request is None:
        linked_view(comparison, model=None, key="view")
        return
    model = _chooser(request)
    row = chosen_row(comparison, model)
    selected = st.session_state.pop("wanted_view", None) if row is None else passages(row)
    result = linked_view(comparison, model=model, selected=selected, pages=None, key="view")
    link.write(origin, model, request.profile, result.selected)
    matches(comparison, model)


def passages(evidence: Evidence) -> dict[str, Any]:
    """A selection of the linked view: these two passages, whatever map is shown."""
    return {"a": [evidence.a.start, evidence.a.end], "b": [evidence.b.start, evidence.b.end]}


def _chooser(request: Request) -> str:
    """Whose maps are shown; the first model unless another is chosen."""
    if st.session_state.get("model") not in request.models:
        st.session_state["model"] = request.models[0]
    return st.selectbox(
        "Model", request.models, key="model", format_func=choices.title, width=260, persist_state="session"
    )
