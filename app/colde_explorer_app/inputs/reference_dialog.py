"""The dialog for the reader's own reference documents, against which a pair is judged instead of a profile."""

from __future__ import annotations

from collections.abc import Generator
from hashlib import sha256
from pathlib import PurePath

import streamlit as st

from colde.errors import ReadError
from colde.ingest.files.zip_archive import unzip_files
from colde.judge.reference import FEWEST, MOST, Reference, reference_from_files
from colde.results.progress import OnProgress
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.background_jobs import Work
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.session_limits import MAX_HELD_BYTES
from colde_explorer_app.session.state import OwnReference, ReferenceState, state

_TITLE = "Use my own reference documents"


def opener() -> None:
    """The button that opens the dialog; its label names the reference in use."""
    reference = state(ReferenceState)
    label = _TITLE if reference.current is None else f"Reference: {_name(reference.current.reference)}"
    if st.button(label, key="reference_opener", type="tertiary", icon=":material/library_books:"):
        reference.open = True
        st.rerun()


def dialog() -> None:
    """Draw the dialog if it is open; it stays open while the page runs again."""
    if state(ReferenceState).open:
        st.dialog(_TITLE, width="medium", on_dismiss=_close)(_draw)()


def _close() -> None:
    reference = state(ReferenceState)
    reference.open = False
    if reference.job is not None:
        reference.job.cancel()
        reference.job = None


def _draw() -> None:
    reference = state(ReferenceState)
    st.caption(page_text("reference_introduction").format(fewest=FEWEST, most=MOST))
    files = st.file_uploader("Files, or a zip", accept_multiple_files=True, key="reference_files")
    size = sum(file.size for file in files)
    if size > MAX_HELD_BYTES:
        st.warning(
            f"{size / 1e6:.0f} MB of files; at most {MAX_HELD_BYTES / 1e6:.0f} MB can be held at once."
        )
    reference.current = finished_result(reference.job, "reference") or reference.current
    if reference.current is not None:
        _loaded_notice(reference.current.reference)
    busy = reference.job is not None and reference.job.snapshot().active
    with st.container(horizontal=True, gap="small"):
        can_load = bool(files) and size <= MAX_HELD_BYTES and not busy
        if st.button("Load", key="reference_read", disabled=not can_load, type="primary"):
            reference.job = comparison_jobs.start(_reading([(f.name, f.getvalue()) for f in files]))
            st.rerun()
        if st.button("Remove reference set", key="reference_off", disabled=reference.current is None):
            reference.current = reference.job = None
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


def _reading(uploads: list[tuple[str, bytes]]) -> Work[OwnReference]:
    """The work of a job: unpack zip archives, read all files."""

    def steps(report: OnProgress) -> Generator[OwnReference, None, None]:
        files: list[tuple[str, bytes]] = []
        left = MAX_HELD_BYTES
        for name, data in uploads:
            unpacked = list(unzip_files(data, name, left)) if _is_zip(name) else [(name, data)]
            left -= sum(len(content) for _, content in unpacked)
            if left < 0:
                reason = f"more than {MAX_HELD_BYTES / 1e6:.0f} MB in total"
                raise ReadError(name, "too_large", reason, f"add fewer files: at most {MOST} are read")
            files += unpacked
        digest = sha256("".join(f"{n}\0{sha256(d).hexdigest()}\0" for n, d in sorted(files)).encode())
        name = uploads[0][0]
        title = PurePath(name).stem if len(uploads) == 1 and _is_zip(name) else "your documents"
        yield OwnReference(digest.hexdigest(), reference_from_files(title, files, report))

    return steps


def _is_zip(name: str) -> bool:
    return name.lower().endswith(".zip")
