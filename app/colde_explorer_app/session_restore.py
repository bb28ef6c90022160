"""Saves the content of a page for a reload of its browser tab, and restores it (`tab_store`)."""

from __future__ import annotations

import streamlit as st

from colde_explorer_app.answer_cache import AnswerCache
from colde_explorer_app.comparison_jobs import job, session
from colde_explorer_app.state import (
    ENCODER,
    EXCLUSIONS,
    INCLUDED_ROLES,
    MODELS,
    PROFILE,
    SHOWN_MODEL,
    Comparing,
    Inputs,
    ReferenceState,
    Request,
    Reviews,
    Tab,
    View,
    state,
)
from colde_explorer_app.tab_store import SavedSession, tab_store

SAVED_WIDGETS = tuple(w.key for w in (PROFILE, MODELS, ENCODER, INCLUDED_ROLES, EXCLUSIONS, SHOWN_MODEL))


def save_session(request: Request | None) -> None:
    """Save the content of the page, and its results if they are complete. Each run of the page ends with this.

    Args:
        request: whose results are shown.
    """
    token = state(Tab).token
    if token is None:
        return
    finished = None if request is None else job(request)
    saved = SavedSession(
        dict(state(Inputs).sources),
        state(Comparing).request,
        dict(state(View).settings),
        dict(state(Reviews).decisions),
        AnswerCache(dict(state(View).answers.answers)),
        state(ReferenceState).current,
        {key: st.session_state[key] for key in SAVED_WIDGETS if key in st.session_state},
        finished if finished is not None and finished.snapshot().state == "done" else None,
    )
    tab_store().keep(token, session(), saved)


def restore_session() -> None:
    """Restore the content of this tab from before a reload, once, unless a document is in already."""
    tab = state(Tab)
    if tab.token is None or tab.session_restored:
        return
    tab.session_restored = True
    saved = tab_store().take(tab.token, session())
    if saved is None or state(Inputs).sources:
        return
    state(Inputs).sources = dict(saved.sources)
    state(Inputs).templates = () if saved.request is None else saved.request.templates
    state(Comparing).link_applied = True
    state(Comparing).request = saved.request
    state(View).settings = dict(saved.view_settings)
    state(View).answers = AnswerCache(dict(saved.answers.answers))
    state(Reviews).decisions = dict(saved.decisions)
    state(ReferenceState).current = saved.reference
    for key, value in saved.widgets.items():
        st.session_state[key] = value
    if saved.finished_job is not None and saved.request is not None:
        state(Comparing).restored_jobs[saved.request.key] = saved.finished_job
