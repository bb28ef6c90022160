"""Documents of the reader's own, against which a pair is judged instead of a profile's: put in, read, taken off."""

from __future__ import annotations

from collections.abc import Callable, Generator
from hashlib import sha256
from pathlib import PurePath
from typing import Any

import streamlit as st

from colde.errors import ReadError
from colde.ingest.zip_archive import unzip_files
from colde.judge.reference import FEWEST, MOST, Reference, reference_from_files
from colde.results.progress import OnProgress
from colde_explorer_app import comparison_jobs
from colde_explorer_app.background_jobs import Job
from colde_explorer_app.job_progress import ended_badly, watch
from colde_explorer_app.markdown_escape import escape_markdown
from colde_explorer_app.reference_in_use import REFERENCE_KEY, OwnReference, current_reference
from colde_explorer_app.session_limits import MAX_HELD_BYTES

_OPEN, _JOB = "reference_open", "reference_job"
_INTRODUCTION = (
    "What is usual differs from field to field. Put in documents like those that you compare, a zip or several files: "
    "pairs drawn at random from them then say how many score lower. *General* also takes its threshold from them, and "
    "what they have in common counts less; the profile of one kind keeps its threshold and its probability. "
    f"At least {FEWEST} are needed; of more than {MOST}, {MOST} are read, evenly spread. They stay in "
    "this program’s memory, and go with the session."
)


def opener() -> None:
    """The button that opens the dialog; it says what is in."""
    current = current_reference()
    label = (
        "Judge against my own documents" if current is None else f"Judged against {_name(current.reference)}"
    )
    if st.button(label, key="reference_opener", type="tertiary", icon=":material/library_books:"):
        st.session_state[_OPEN] = True
        st.rerun()


def dialog() -> None:
    """Draw the dialog where it is open; it stays open while the page runs again."""
    if st.session_state.get(_OPEN):
        st.dialog("Judge against my own documents", width="medium", on_dismiss=_close)(_draw)()


def _close() -> None:
    st.session_state.pop(_OPEN, None)
    job: Job | None = st.session_state.pop(_JOB, None)
    if job is not None:
        job.cancel()


def _draw() -> None:
    st.caption(_INTRODUCTION)
    files = st.file_uploader("Files, or a zip", accept_multiple_files=True, key="reference_files")
    size = sum(file.size for file in files)
    if size > MAX_HELD_BYTES:
        st.warning(f"{size / 1e6:.0f} MB of files; {MAX_HELD_BYTES / 1e6:.0f} MB can be held at once.")
    job: Job | None = st.session_state.get(_JOB)
    if job is not None:
        watch(job, "reference")
        if not job.snapshot().active and not ended_badly(job):
            st.session_state[REFERENCE_KEY] = job.snapshot().comparison
    current = current_reference()
    if current is not None:
        _loaded_notice(current.reference)
    with st.container(horizontal=True, gap="small"):
        can_load = bool(files) and size <= MAX_HELD_BYTES and (job is None or not job.snapshot().active)
        if st.button("Read them", key="reference_read", disabled=not can_load, type="primary"):
            st.session_state[_JOB] = comparison_jobs.start(_reading([(f.name, f.getvalue()) for f in files]))
            st.rerun()
        if st.button("Take it off", key="reference_off", disabled=current is None):
            st.session_state.pop(REFERENCE_KEY, None)
            st.session_state.pop(_JOB, None)
            st.rerun()
        if st.button("Close", key="reference_close"):
            _close()
            st.rerun()


def _loaded_notice(reference: Reference) -> None:
    st.success(f"{_name(reference)} is the reference. Press *Compare* to judge a pair against it.")
    if reference.unread:
        names = ", ".join(reference.unread[:8]) + (" …" if len(reference.unread) > 8 else "")
        st.caption(f":material/warning: Could not be read, and left out: {escape_markdown(names)}")


def _name(reference: Reference) -> str:
    return escape_markdown(str(reference))


def _reading(uploads: list[tuple[str, bytes]]) -> Callable[[OnProgress], Generator[Any, None, None]]:
    """The work of a job: unpack what is a zip, read everything."""

    def steps(report: OnProgress) -> Generator[Any, None, None]:
        files: list[tuple[str, bytes]] = []
        left = MAX_HELD_BYTES
        for name, data in uploads:
            found = list(unzip_files(data, name, left)) if name.lower().endswith(".zip") else [(name, data)]
            left -= sum(len(content) for _, content in found)
            if left < 0:
                advice = f"put in fewer files: at most {MOST} are read"
                raise ReadError(
                    name, "too_large", f"more than {MAX_HELD_BYTES / 1e6:.0f} MB together", advice
                )
            files += found
        digest = sha256("".join(f"{n}\0{sha256(d).hexdigest()}\0" for n, d in sorted(files)).encode())
        zips = [name for name, _ in uploads if name.lower().endswith(".zip")]
        called = PurePath(zips[0]).stem if len(uploads) == len(zips) == 1 else "your documents"
        yield OwnReference(digest.hexdigest(), reference_from_files(called, files, report))

    return steps
