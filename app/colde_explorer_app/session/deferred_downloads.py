"""Files that are made when their button is pressed.

Streamlit makes such a file in a thread without a session, where `st.session_state` is empty. So the function that makes
a file gets nothing but the value with which its button was drawn.
"""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit import runtime

from colde.text.document import Document
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session.comparison_jobs import session
from colde_explorer_app.session.state import state

T = TypeVar("T")

IDLE_TIMEOUT = 60.0
"""Seconds that a file waits until the page has processed what the reader did before the press."""

_POLL_SECONDS = 0.02  # between two looks at whether the page still runs


class PageBusyError(RuntimeError):
    """The page still runs, so that a file could lack what the reader did last."""


@dataclass(frozen=True, slots=True)
class File(Generic[T]):
    """A file to download: label of the button, ending of the file's name, type, and the function that makes it.

    Attributes:
        needs: what must be installed to make it; empty where everything is. Then the button is disabled and says so.
    """

    label: str
    suffix: str
    mime: str
    make: Callable[[T], bytes]
    needs: str = ""


@dataclass(slots=True)
class Drawn(Generic[T]):
    """The value that buttons were drawn with last, and its subject."""

    subject: str
    value: T


@dataclass(slots=True)
class Downloads:
    """In the session: the value that each group of buttons was drawn with last."""

    last_drawn: dict[str, Drawn[Any]] = field(default_factory=dict)


def downloads(files: list[File[T]], value: T, *, group: str, subject: str, stem: str) -> None:
    """Draw a download button for each file.

    A press can come before the page has processed what the reader did just before it. The file waits for that, and is
    then made of the value that the buttons were drawn with last.

    Args:
        value: what the files are made of.
        group: name of these buttons on the page, part of their keys.
        subject: of the value. Buttons drawn before about another subject keep the last value of that.
        stem: name of the files without their endings.
    """
    drawn = update(value, group=group, subject=subject)
    owner = session()
    with st.container(horizontal=True, gap="small"):
        for file in files:
            st.download_button(
                file.label,
                _file_maker(file.make, drawn, owner),
                f"{stem}.{file.suffix}",
                file.mime,
                key=f"{group}_{file.suffix}",
                on_click="ignore",
                icon=":material/download:",
                disabled=bool(file.needs),
                help=escape_markdown(without_command(file.needs)) or None,
            )


def update(value: T, *, group: str, subject: str) -> Drawn[T]:
    """Have the buttons of a group make their files of this value, without drawing them; arguments as in `downloads`."""
    last_drawn = state(Downloads).last_drawn
    drawn = last_drawn.get(group)
    if drawn is None or drawn.subject != subject:
        drawn = last_drawn[group] = Drawn(subject, value)
    drawn.value = value
    return drawn


def _file_maker(make: Callable[[T], bytes], drawn: Drawn[T], owner: str) -> Callable[[], bytes]:
    def made() -> bytes:
        wait_until_idle(owner)
        return make(drawn.value)

    return made


def file_stem(a: Document, b: Document) -> str:
    """A file name made of both sources: letters, digits, dots and hyphens."""
    names = [Path(d.source or d.title).stem for d in (a, b)]
    return "-and-".join(re.sub(r"[^\w.-]+", "-", name).strip("-.")[:40] or "document" for name in names)


def zip_of(files: Iterable[tuple[str, str]]) -> bytes:
    """A zip archive of texts by name, compressed fast: a browser waits three minutes at most."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return packed.getvalue()


def wait_until_idle(owner: str) -> None:
    """Wait until the page of a session does not run.

    The browser sends what the reader does in order, so that the run with an input has begun or waits when the press of
    a button after it comes.

    Raises:
        PageBusyError: it still runs after `IDLE_TIMEOUT` seconds.
    """
    end = time.monotonic() + IDLE_TIMEOUT
    while is_running(owner):
        if time.monotonic() > end:
            raise PageBusyError("the page is still busy; press the button again when it has finished")
        time.sleep(_POLL_SECONDS)


def is_running(owner: str) -> bool:
    """Whether the page of a session runs or is about to. Streamlit has no public call for this."""
    if not runtime.exists():
        return False
    info = runtime.get_instance()._session_mgr.get_active_session_info(owner)
    return info is not None and info.session._scriptrunner is not None
