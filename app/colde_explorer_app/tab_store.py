"""What a page has in it, kept in memory across a reload: a new page of the same browser tab takes it up again.

The browser makes a random token and keeps it as long as its tab is open. Who has the token gets the documents, so it
is as long as a key, and nothing else leads to them. Nothing is written to a disk, and what no page has is let go by a
clock.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

KEEP_SECONDS = 60.0
"""Seconds that what a page had waits for the same tab to come back; the sweep adds at most its own interval."""

_TOKEN = re.compile(r"[0-9a-f]{32}")
_TOKEN_KEY = "tab_token_told"
"""Where a session holds the token that its page has told."""

_SCRIPT = """
export default function({ parentElement, setStateValue }) {
  const root = parentElement.querySelector("span")
  if (root.dataset.said) return
  root.dataset.said = "1"
  let token = null
  try {
    token = sessionStorage.getItem("colde-tab")
  } catch {
    return
  }
  if (!/^[0-9a-f]{32}$/.test(token || "")) {
    token = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("")
    sessionStorage.setItem("colde-tab", token)
  }
  setStateValue("token", token)
}
"""

_component = st.components.v2.component("colde.tab_token", html="<span hidden></span>", js=_SCRIPT)


@dataclass
class _Kept:
    session: str
    content: Mapping[str, Any]
    seen: float


class TabStore:
    """What pages have in them, by the token of their tab.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def keep(self, token: str, session: str, content: Mapping[str, Any]) -> None:
        """Take note of what the page of this session has now; nothing in it, nothing kept."""
        with self._lock:
            if content:
                self._kept[token] = _Kept(session, content, self._clock())
            else:
                self._kept.pop(token, None)

    def has_content_for(self, token: str, session: str) -> bool:
        """Whether another page of this tab, the one before, had something."""
        with self._lock:
            entry = self._kept.get(token)
            return entry is not None and entry.session != session

    def take(self, token: str, session: str) -> Mapping[str, Any] | None:
        """What the page before had, for the page that has taken its place."""
        with self._lock:
            entry = self._kept.get(token)
            if entry is None or entry.session == session:
                return None
            entry.session, entry.seen = session, self._clock()
            return entry.content

    def sweep(self, is_here: Callable[[str], bool]) -> int:
        """Let go of what no page has had for `KEEP_SECONDS` seconds; returns of how many pages."""
        with self._lock:
            now = self._clock()
            for kept in self._kept.values():
                if is_here(kept.session):
                    kept.seen = now
            gone = [token for token, kept in self._kept.items() if now - kept.seen > KEEP_SECONDS]
            for token in gone:
                del self._kept[token]
            return len(gone)


@st.cache_resource(max_entries=1, show_spinner=False)
def tab_store() -> TabStore:
    """That of all sessions."""
    return TabStore()


def tab_token(session: str) -> str | None:
    """Ask the browser for the token of this session's tab, and give it as `known_tab_token` does."""
    _ask(session)
    return known_tab_token()


def known_tab_token() -> str | None:
    """The token of this session's browser tab; None until the page has told it, and where the browser keeps none."""
    token: str | None = st.session_state.get(_TOKEN_KEY)
    return token


@st.fragment
def _ask(session: str) -> None:
    """Ask the page for its token. The answer runs the whole page again only where something waits for this tab.

    Streamlit loses an upload that begins in the moment in which the whole page begins to run again, and a page that
    has just come is one that files are dropped on.
    """
    token_answer = _component(key="tab_token", on_token_change=lambda: None).token
    if (
        isinstance(token_answer, str)
        and _TOKEN.fullmatch(token_answer)
        and token_answer != st.session_state.get(_TOKEN_KEY)
    ):
        st.session_state[_TOKEN_KEY] = token_answer
        if tab_store().has_content_for(token_answer, session):
            st.rerun()
