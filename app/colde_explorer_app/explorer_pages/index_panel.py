"""The index of the pages Search and Sources: which one, and its files: add, list, rename, remove."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from colde.corpus.document_sources import UploadedSource
from colde.errors import ColdeError
from colde.index import Added, Index, IndexedDocument
from colde.report.formatting import clean, counted
from colde.results.progress import OnProgress
from colde_explorer_app.explorer_pages import index_folders
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.state import SearchState, state

MAX_LISTED = 500
"""Files of an index that are listed at once."""
TABLE_WIDTH = 640


def chosen_index() -> Index | None:
    """Draw the list of indexes, how to make one, and the files of the chosen one; returns that."""
    root = index_folders.root()
    indexes = index_folders.index_folders_in(root)
    chosen = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if indexes:
            chosen = st.selectbox("Index", indexes, format_func=lambda p: p.name, key="search_index")
        else:
            st.info(escape_markdown(f"There is no index in {root} yet: make one from files or a folder."))
        with st.popover("Make an index", icon=":material/library_add:"):
            _make()
        if chosen is not None:
            with st.popover("Files of the index", icon=":material/folder_open:"):
                _files(Index(chosen, loader=comparison_jobs.load))
    added = finished_result(state(SearchState).index_job, "making")
    if added is not None:
        _added(added)
    return None if chosen is None else Index(chosen, loader=comparison_jobs.load)


def _make() -> None:
    st.caption("Its files are read once and kept in the index, with their texts, on this machine.")
    files = _chosen_files("making")
    name = st.text_input("Name of the index", value="papers.index", key="making_name")
    target = index_folders.new_name(index_folders.root(), name)
    if st.button("Add its files", key="making_go", disabled=not files or target is None):
        assert target is not None
        _begin(files, target)


def _chosen_files(key: str) -> list[Path | UploadedSource]:
    """Draw the inputs for files, and for a folder that is read where no files are dropped."""
    turn = state(SearchState).added_count
    uploads = st.file_uploader("Files to add", accept_multiple_files=True, key=f"{key}_files_{turn}")
    folders = index_folders.folders(index_folders.root())
    folder = st.selectbox(
        "Folder of files",
        folders,
        format_func=lambda p: p.name,
        key=f"{key}_folder",
        help="Beside the indexes. It is read with all folders in it, where no files are dropped.",
    )
    if uploads:
        return [UploadedSource(file.name, file.getvalue()) for file in uploads]
    return [] if folder is None else [folder]


def _begin(files: Sequence[Path | UploadedSource], target: Path) -> None:
    def steps(report: OnProgress) -> Generator[Added, None, None]:
        yield Index(target, loader=comparison_jobs.load).add(files, on_progress=report)

    state(SearchState).added_count += 1  # empties the inputs
    state(SearchState).index_job = comparison_jobs.start(steps)
    st.rerun()


def _added(added: Added) -> None:
    st.caption(
        f"{counted(len(added.added), 'file')} added, {len(added.known):,} already indexed, "
        f"{len(added.unread):,} skipped"
    )
    if added.unread:
        rows = [(clean(s.name), s.error.reason, clean(s.error.what)) for s in added.unread]
        st.dataframe(pd.DataFrame(rows, columns=["Skipped file", "Reason", "What"]), hide_index=True)
    for name, warning in added.warnings:
        st.caption(f":material/warning: {escape_markdown(f'{name}: {warning}')}")


def _files(index: Index) -> None:
    try:
        held = index.documents()
        if held:
            _held_files(index, held)
        else:
            st.caption("The index holds no files.")
    except ColdeError as error:
        st.error(escape_markdown(without_command(error.sentence)))
        return
    files = _chosen_files("adding")
    if st.button("Add to the index", key="adding_go", disabled=not files):
        _begin(files, Path(str(index.folder)))


def _held_files(index: Index, held: Sequence[IndexedDocument]) -> None:
    number = counted(len(held), "file")
    if len(held) > MAX_LISTED:
        wanted = st.text_input("Part of a name or title", key="index_filter").lower()
        held = [d for d in held if wanted in f"{d.name}\n{d.title}".lower()][:MAX_LISTED]
        number += f", {len(held):,} of them listed"
    table = pd.DataFrame(
        [(clean(d.name), clean(d.title), d.format, d.sections, d.modified) for d in held],
        columns=["Name", "Title", "Format", "Sections", "Changed"],
    )
    changes = state(SearchState).index_changes
    st.caption(f"{number}. Select one to rename it, or several to remove them.")
    event = st.dataframe(
        table,
        hide_index=True,
        width=TABLE_WIDTH,
        key=f"index_files_{index.folder}_{changes}",
        on_select="rerun",
        selection_mode="multi-row",
    )
    selected = [held[row] for row in event["selection"]["rows"] if row < len(held)]
    if not selected:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one = selected[0]
        if len(selected) == 1:
            name = st.text_input("New name", value=one.name, key=f"new_name_{one.id}")
            if st.button("Rename", key="index_rename", disabled=name.strip() in ("", one.name)):
                index.rename(one.id, name.strip())
                _changed()
        if st.button("Remove", key="index_remove"):
            for document in selected:
                index.remove(document.id)
            _changed()


def _changed() -> None:
    """Draw the list again, without a selection."""
    state(SearchState).index_changes += 1
    st.rerun()
