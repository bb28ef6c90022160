"""Files that are made when their button is pressed.

Streamlit makes such a file in a thread that has no session: `st.session_state` is empty there. So what a file is made
of is given to its button as a value, and the function that makes the file gets that value alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import streamlit as st
from streamlit import runtime

from colde_explorer_app.comparison_jobs import session

T = TypeVar("T")

IDLE_TIMEOUT = 60.0
"""Seconds that a file waits for the page to take in what was said before the press."""

_POLL_SECONDS = 0.02  # seconds between two looks at whether the page is still at work
_DRAWN = "drawn_{}"


class PageBusyError(RuntimeError):
    """The page did not come to rest, so that a file could lack what the reader said last."""


@dataclass(frozen=True, slots=True)
class File(Generic[T]):
    """A file to save: the button's label, the ending of the file's name, its type, and what makes it of a value."""

    label: str
    suffix: str
    mime: str
    make: Callable[[T], bytes]


@dataclass(slots=True)
class Drawn(Generic[T]):
    """The value that buttons were drawn with last, and what it is about."""

    subject: str
    value: T


def downloads(files: list[File[T]], value: T, *, group: str, subject: str, stem: str) -> None:
    """Draw a download button for each file.

    A press can come before the page has taken in what was said just before it. The file waits for that, and is then
    made of the value that the buttons were drawn with last.

    Args:
        value: what the files are made of.
        group: name of these buttons on the page, part of their keys.
        of: what the value is about. Buttons drawn before about something else keep the last value of that.
        stem: name of the files without their endings.
    """
    drawn = _last_drawn(group, subject, value)
    owner = session()
    for file in files:
        st.download_button(
            file.label,
            _file_maker(file.make, drawn, owner),
            f"{stem}.{file.suffix}",
            file.mime,
            key=f"{group}_{file.suffix}",
            on_click="ignore",
            icon=":material/download:",
        )


def _last_drawn(group: str, subject: str, value: T) -> Drawn[T]:
    key = _DRAWN.format(group)
    drawn: Drawn[T] | None = st.session_state.get(key)
    if drawn is None or drawn.subject != subject:
        drawn = st.session_state[key] = Drawn(subject, value)
    drawn.value = value
    return drawn


def _file_maker(make: Callable[[T], bytes], drawn: Drawn[T], owner: str) -> Callable[[], bytes]:
    def made() -> bytes:
        wait_until_idle(owner)
        return make(drawn.value)

    return made


def wait_until_idle(owner: str) -> None:
    """Wait until the runs of a session that were asked for so far have ended.

    The browser sends what the reader says and the press of a button in this order, so that the run with the former is
    under way or waits when the latter comes.

    Raises:
        StillAtWorkError: they have not ended after `IDLE_TIMEOUT` seconds.
    """
    end = time.monotonic() + IDLE_TIMEOUT
    while is_running(owner):
        if time.monotonic() > end:
            raise PageBusyError("the page is still at work; press the button again when it has finished")
        time.sleep(_POLL_SECONDS)


def is_running(owner: str) -> bool:
    """Whether the page of a session runs or is about to. Streamlit has no public call for this."""
    if not runtime.exists():
        return False
    info = runtime.get_instance()._session_mgr.get_active_session_info(owner)
    return info is not None and info.session._scriptrunner is not None
