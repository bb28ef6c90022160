"""What a page keeps for a reload in the same browser tab: its documents, its result and the review (`shelf`)."""

from __future__ import annotations

import streamlit as st

from colde_explorer_app import reference_in_use, session_reviews, what_if_answers
from colde_explorer_app.comparison_jobs import Request, adopted, job, session
from colde_explorer_app.document_source import SIDES, chosen
from colde_explorer_app.tab_store import shelf, told

NAMES = (
    "source_a",
    "source_b",
    "request",
    "profile",
    "taking_part",
    "include",
    "leave_out",
    "model",
    "view_settings",
    reference_in_use.HELD,
    session_reviews.KEPT,
    what_if_answers.ANSWERED,
)
"""What of a session is kept."""


def put_by(request: Request | None) -> None:
    """Keep what is in the page, and its results if they are whole. A run of the page or of its results ends with this.

    Args:
        request: whose results are shown.
    """
    token = told()
    if token is None:
        return
    content = {name: st.session_state[name] for name in NAMES if name in st.session_state}
    if not {"source_a", "source_b"} & content.keys():
        content = {}
    if content and request is not None and (finished := job(request)).snapshot().state == "done":
        content["job"] = (request.key, finished)
    shelf().keep(token, session(), content)


def take_up() -> None:
    """Put in again what this tab had before it was loaded anew, once, unless something else is in by now."""
    token = told()
    if token is None or "taken_up" in st.session_state:
        return
    st.session_state["taken_up"] = True
    found = shelf().take(token, session())
    if found is None or any(chosen(side) is not None for side in SIDES):
        return
    st.session_state["restored"] = True
    for name in NAMES:
        if name in found:
            st.session_state[name] = found[name]
    if "job" in found:
        key, finished = found["job"]
        adopted()[key] = finished
