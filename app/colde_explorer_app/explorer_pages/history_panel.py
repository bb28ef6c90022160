"""Versions of one document on the page Collection: the history of each sentence, and the changes by version."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from hashlib import sha256

import pandas as pd
import streamlit as st

import colde
from colde.comparison.version_history import VersionHistory, version_history
from colde.report.formatting import counted
from colde.report.history.history_html import history_html, sentences_html
from colde.report.history.history_summary import history_sentence, table_of_versions, version_label
from colde.report.history.history_tables import history_tables
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document
from colde_explorer_app.explorer_pages.navigation import open_pair
from colde_explorer_app.inputs import encoder_chooser
from colde_explorer_app.page_parts.page_texts import escape_markdown
from colde_explorer_app.session import comparison_jobs, deferred_downloads
from colde_explorer_app.session.deferred_downloads import File, zip_of
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.state import HistoryState, state

MAX_VERSIONS = 50
"""Versions whose history the page shows."""


def chooser(files: Sequence[Source]) -> None:
    """Draw what asks for the order of the versions, and the button that begins."""
    with st.popover("Versions of one document", icon=":material/history:", disabled=len(files) < 2):
        numbers = sorted(range(len(files)), key=lambda k: natural_order(files[k].name))[:MAX_VERSIONS]
        chosen = st.multiselect(
            "Versions, oldest first",
            numbers,
            default=numbers,
            format_func=lambda k: files[k].name,
            key=f"history_versions_{_digest(files)}",
            max_selections=MAX_VERSIONS,
            help="They are in the order of their names. Remove versions and choose them again for another order.",
        )
        written = st.text_input(
            "Who made each version",
            key="history_names",
            placeholder="Draft, Buyer, Seller",
            help="Names in the order of the versions, separated by commas. Without them, the files are named.",
        )
        names = tuple(name.strip() for name in written.split(",")) if written.strip() else ()
        wrong = bool(names) and len(names) != len(chosen)
        if wrong:
            st.caption(
                f"{counted(len(names), 'name')} for {len(chosen)} versions: name each version, or none."
            )
        if st.button("Show the history", key="history_go", type="primary", disabled=wrong or len(chosen) < 2):
            _begin([files[k] for k in chosen], names)


def natural_order(name: str) -> list[tuple[int, str]]:
    """A key that sorts `v2` before `v10`."""
    return [(int(part or 0), text.lower()) for text, part in re.findall(r"(\D*)(\d*)", name)]


def _begin(files: Sequence[Source], names: tuple[str, ...]) -> None:
    encoder = encoder_chooser.chosen()

    def steps(report: OnProgress) -> Generator[VersionHistory, None, None]:
        documents: list[Document] = []
        for done, file in enumerate(files):
            report(Progress(Stage.DOCUMENTS, done, len(files)))
            documents.append(colde.read(file.data, name=file.name))
        yield version_history(documents, names, encoder=encoder, on_progress=report)

    held = state(HistoryState)
    if held.job is not None:
        held.job.cancel()
    held.files = tuple(files)
    held.job = comparison_jobs.start(steps)
    st.rerun()


def results(models: tuple[str, ...], profile: str) -> None:
    """Draw the history, where one was asked for.

    Args:
        models, profile: with which two versions open on the page Compare.
    """
    history = finished_result(state(HistoryState).job, "history")
    if history is None:
        return
    st.header("History of versions", anchor=False)
    st.markdown(escape_markdown(history_sentence(history)))
    versions = table_of_versions(history)
    columns = [title.removeprefix("#") for title in versions.columns]
    st.dataframe(pd.DataFrame(versions.rows, columns=columns), hide_index=True, key="history_table")
    numbers = [version.number for version in history.versions[1:]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = st.selectbox(
            "Show",
            [None, *numbers],
            format_func=lambda n: f"changes of {version_label(history, n)}" if n else "all sentences",
            key="history_shown",
        )
        shown = shown if shown in numbers else None
        if shown and st.button(f"Compare versions {shown - 1} and {shown}", key="history_compare"):
            files = state(HistoryState).files
            open_pair(files[shown - 2], files[shown - 1], models, profile)
        with st.popover("Export the history", icon=":material/download:"):
            subject = _digest(state(HistoryState).files)
            deferred_downloads.downloads(FILES, history, group="history", subject=subject, stem="history")
    st.caption(
        "Press a sentence to see which version changed it, and how. A replaced sentence has the history of the one "
        "before it."
    )
    st.html(sentences_html(history, shown))


FILES: list[File[VersionHistory]] = [
    File("JSON", "json", "application/json", lambda history: history.to_json().encode()),
    File("CSV tables", "zip", "application/zip", lambda history: zip_of(history_tables(history))),
    File("HTML report", "html", "text/html", lambda history: history_html(history).encode()),
]
"""The downloads; the CSV tables are the files that `colde history --csv` writes."""


def _digest(files: Sequence[Source]) -> str:
    return sha256("\0".join(file.file for file in files).encode()).hexdigest()[:16]
