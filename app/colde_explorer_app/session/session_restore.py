"""The content of pages, kept in memory across a reload of the same browser tab.

The browser makes a random token and keeps it as long as its tab is open. Who has the token gets the documents, so the
token is as long as a key, and nothing else leads to them. Nothing is written to a disk. What no page holds any more is
deleted after `KEEP_SECONDS`.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st

from colde.results.comparison import Comparison
from colde.results.saved.review_decisions import Decisions
from colde_explorer_app.page_parts.small_components import tab_token
from colde_explorer_app.session.background_jobs import Job
from colde_explorer_app.session.comparison_jobs import job, session
from colde_explorer_app.session.document_source import Side, Source
from colde_explorer_app.session.session_limits import latest
from colde_explorer_app.session.state import (
    ENCODER,
    EXCLUSIONS,
    INCLUDED_ROLES,
    MODELS,
    PROFILE,
    SHOWN_MODEL,
    AnswerCache,
    Comparing,
    Inputs,
    OwnReference,
    ReferenceState,
    Request,
    Reviews,
    SourcesState,
    Tab,
    View,
    set_state,
    state,
)

T = TypeVar("T")

KEEP_SECONDS = 60.0
"""Seconds that the content of a closed page is kept; the sweep adds at most its interval."""

_TOKEN = re.compile(r"[0-9a-f]{32}")
SAVED_WIDGETS = tuple(w.key for w in (PROFILE, MODELS, ENCODER, INCLUDED_ROLES, EXCLUSIONS, SHOWN_MODEL))


@dataclass(frozen=True, slots=True)
class SavedSession:
    """What a page keeps for a reload.

    Attributes:
        sources: of the two sides.
        request: the last one.
        recent: the latest requests, the last one first.
        view_settings, decisions, files, reference: as the session holds them.
        answers: those of the session, which a file that is made later may add to.
        widgets: values of widgets by key.
        finished_job: the finished job of the request.
        sources_search: what the page Sources shows; None if it shows nothing.
    """

    sources: dict[Side, Source]
    request: Request | None = None
    recent: tuple[Request, ...] = ()
    view_settings: dict[str, str] = field(default_factory=dict)
    decisions: dict[tuple[str, str], Decisions] = field(default_factory=dict)
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    answers: AnswerCache = field(default_factory=AnswerCache)
    reference: OwnReference | None = None
    widgets: dict[str, Any] = field(default_factory=dict)
    finished_job: Job[Comparison] | None = None
    sources_search: SourcesState | None = None


@dataclass(slots=True)
class _Entry:
    session: str
    content: SavedSession
    seen: float


class TabStore:
    """The content of pages by the token of their tab.

    Args:
        clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: dict[str, _Entry] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._entries)

    def keep(self, token: str, session: str, content: SavedSession) -> None:
        """Keep the content of the session's page; a page without a document keeps nothing."""
        with self._lock:
            if content.sources or content.recent or content.sources_search:
                self._entries[token] = _Entry(session, content, self._clock())
            else:
                self._entries.pop(token, None)

    def has_content_for(self, token: str, session: str) -> bool:
        """Whether another page of this tab, the one before, left content."""
        with self._lock:
            entry = self._entries.get(token)
            return entry is not None and entry.session != session

    def finished_job(self, token: str, session: str, request: Request | None) -> Job[Comparison] | None:
        """The finished job that the session's page has kept, if it is that of the request."""
        with self._lock:
            entry = self._entries.get(token)
            is_kept = entry is not None and entry.session == session and entry.content.request == request
            return entry.content.finished_job if entry is not None and is_kept else None

    def take(self, token: str, session: str) -> SavedSession | None:
        """The content of the page before, for the page that replaces it."""
        with self._lock:
            entry = self._entries.get(token)
            if entry is None or entry.session == session:
                return None
            entry.session, entry.seen = session, self._clock()
            return entry.content

    def sweep(self, is_open: Callable[[str], bool]) -> int:
        """Delete what no open page has held for `KEEP_SECONDS`; returns the number of pages."""
        with self._lock:
            now = self._clock()
            for entry in self._entries.values():
                if is_open(entry.session):
                    entry.seen = now
            old = [token for token, entry in self._entries.items() if now - entry.seen > KEEP_SECONDS]
            for token in old:
                del self._entries[token]
            return len(old)


@st.cache_resource(max_entries=1, show_spinner=False)
def tab_store() -> TabStore:
    """The store of all sessions."""
    return TabStore()


@st.fragment
def ask_for_tab_token() -> None:
    """Ask the browser for the token of this tab. The answer runs the page again only if the tab has content.

    Streamlit loses an upload that begins in the moment in which the whole page begins to run again, and files are
    often dropped on a page that has just opened.
    """
    token, tab = tab_token(), state(Tab)
    if isinstance(token, str) and _TOKEN.fullmatch(token) and token != tab.token:
        tab.token = token
        if tab_store().has_content_for(token, session()):
            st.rerun()


def save_session(request: Request | None) -> None:
    """Save the content of the page, and the results of `request` if they are complete; each run ends with this.

    Without a request, a page shows no results of a comparison; those that were saved stay.
    """
    token = state(Tab).token
    if token is None:
        return
    if request is None:
        finished = tab_store().finished_job(token, session(), state(Comparing).request)
    else:
        finished = _if_done(job(request))
    search = state(SourcesState)
    saved = SavedSession(
        dict(state(Inputs).sources),
        state(Comparing).request,
        tuple(state(Comparing).recent),
        dict(state(View).settings),
        dict(state(Reviews).decisions),
        dict(state(Reviews).files),
        state(View).answers,
        state(ReferenceState).current,
        {key: st.session_state[key] for key in SAVED_WIDGETS if key in st.session_state},
        finished,
        None if _if_done(search.job) is None else replace(search),
    )
    tab_store().keep(token, session(), saved)


def _if_done(job: Job[T] | None) -> Job[T] | None:
    return job if job is not None and job.snapshot().state == "done" else None


def restore_session() -> None:
    """Restore the content of this tab from before a reload, once.

    Other documents that are in already, by an upload or an address, stay: then the reviews, the recent comparisons and
    the page Sources alone are restored.
    """
    tab = state(Tab)
    if tab.token is None or tab.session_restored:
        return
    tab.session_restored = True
    saved = tab_store().take(tab.token, session())
    if saved is None:
        return
    comparing, reviews, inputs = state(Comparing), state(Reviews), state(Inputs)
    reviews.decisions = {**saved.decisions, **reviews.decisions}
    reviews.files = {**saved.files, **reviews.files}
    if saved.sources_search is not None and state(SourcesState).job is None:
        set_state(replace(saved.sources_search))
    comparing.recent = latest([*comparing.recent, *saved.recent])
    if inputs.sources and inputs.sources != saved.sources:
        return
    inputs.sources = dict(saved.sources)
    inputs.templates = () if saved.request is None else saved.request.templates
    comparing.link_applied = True
    comparing.request = saved.request
    state(View).settings = dict(saved.view_settings)
    state(View).answers = AnswerCache(dict(saved.answers.answers))
    state(ReferenceState).current = saved.reference
    for key, value in saved.widgets.items():
        st.session_state[key] = value
    if saved.finished_job is not None and saved.request is not None:
        comparing.restored_jobs[saved.request.key] = saved.finished_job
