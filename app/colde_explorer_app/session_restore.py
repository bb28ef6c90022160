"""What a page keeps for a reload in the same browser tab: its documents, its result and the review (`tab_store`)."""

from __future__ import annotations

import streamlit as st

from colde_explorer_app import reference_in_use, session_reviews, what_if_answers
from colde_explorer_app.comparison_jobs import Request, job, restored_jobs, session
from colde_explorer_app.document_source import SIDES, source_of
from colde_explorer_app.tab_store import known_tab_token, tab_store

KEPT_KEYS = (
    "source_a",
    "source_b",
    "request",
    "profile",
    "taking_part",
    "include",
    "leave_out",
    "model",
    "view_settings",
    reference_in_use.REFERENCE_KEY,
    session_reviews.REVIEWS_KEY,
    what_if_answers.ANSWER_KEY,
)
"""What of a session is kept."""


def save_session(request: Request | None) -> None:
    """Keep what is in the page, and its results if they are whole. A run of the page or of its results ends with this.

    Args:
        request: whose results are shown.
    """
    token = known_tab_token()
    if token is None:
        return
    content = {name: st.session_state[name] for name in KEPT_KEYS if name in st.session_state}
    if not {"source_a", "source_b"} & content.keys():
        content = {}
    if content and request is not None and (finished := job(request)).snapshot().state == "done":
        content["job"] = (request.key, finished)
    tab_store().keep(token, session(), content)


def restore_session() -> None:
    """Put in again what this tab had before it was loaded anew, once, unless something else is in by now."""
    token = known_tab_token()
    if token is None or "taken_up" in st.session_state:
        return
    st.session_state["taken_up"] = True
    saved = tab_store().take(token, session())
    if saved is None or any(source_of(side) is not None for side in SIDES):
        return
    st.session_state["restored"] = True
    for name in KEPT_KEYS:
        if name in saved:
            st.session_state[name] = saved[name]
    if "job" in saved:
        key, finished = saved["job"]
        restored_jobs()[key] = finished
