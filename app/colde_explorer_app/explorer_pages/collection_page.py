"""The page Collection: many documents in, each compared with each."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Generator, Sequence
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st

import colde
from colde.comparison.collections.all_pairs import check_collectable, compare_all
from colde.corpus.samples import samples
from colde.errors import ReadError, skip_document
from colde.report.collection.collection_html import collection_html, summary
from colde.report.collection.collection_tables import collection_tables, to_graphml
from colde.report.formatting import counted
from colde.results.collection import Collection, StrongPair
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.verdicts.verdict_words import percent
from colde.text.document import Document, Role
from colde_explorer_app.charts.collection_charts import document_map, matrix
from colde_explorer_app.charts.palette import draw_chart
from colde_explorer_app.explorer_pages import history_panel
from colde_explorer_app.explorer_pages.navigation import open_pair
from colde_explorer_app.inputs import encoder_chooser, template_files
from colde_explorer_app.inputs.skipped_content import collection_not_compared, include_chooser
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session import available_models, comparison_jobs, deferred_downloads
from colde_explorer_app.session.deferred_downloads import File, zip_of
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.session_documents import include, included_roles, readable
from colde_explorer_app.session.session_limits import MAX_HELD_BYTES
from colde_explorer_app.session.state import CollectionState, Inputs, state

MAX_FILES = 500
"""Files of one collection on the page; more belong into an index."""

TITLE_WIDTH = 260  # pixels of a column of titles
INTRODUCTION = (
    "See which of many files are similar, which belong together, and why. Every pair opens in the linked "
    f"view. Up to {MAX_FILES} files of {MAX_HELD_BYTES / 1e6:.0f} MB in total; they stay in this "
    "program’s memory."
)


def page() -> None:
    """Draw the page: files, settings, results."""
    st.title("Collection", anchor=False)
    st.caption(INTRODUCTION)
    shown = st.file_uploader(
        "Documents", accept_multiple_files=True, key="collection_files", on_change=_files_chosen
    )
    files = state(CollectionState).chosen
    if files and not shown:  # the page was left, which empties the input
        st.caption(f"{counted(len(files), 'file')} chosen before. Other files replace them.")
    size = sum(len(file.data) for file in files)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Model",
            list(available_models.cards()),
            key="collection_model",
            format_func=available_models.title,
            persist_state="session",
        )
        st.selectbox(
            "Kind of documents",
            available_models.profile_choices(),
            key="collection_profile",
            format_func=available_models.profile_title,
            persist_state="session",
        )
        with st.popover("Settings", icon=":material/tune:"):
            encoder_chooser.chooser()
            include_chooser(_compare_again)
        template_files.chooser()
        fits = 2 <= len(files) <= MAX_FILES and size <= MAX_HELD_BYTES
        st.button("Compare all", type="primary", key="compare_all", disabled=not fits, on_click=_begin)
        history_panel.chooser(files if fits else ())
        st.button("Use the samples", key="collection_samples", type="tertiary", on_click=_samples)
    if len(files) > MAX_FILES:
        st.warning(f"At most {MAX_FILES} files at once; an index (page Search) takes any number.")
    if size > MAX_HELD_BYTES:
        st.warning(
            f"{size / 1e6:.0f} MB of files; at most {MAX_HELD_BYTES / 1e6:.0f} MB can be held at once. An "
            "index (page Search) takes any number."
        )
    history_panel.results((st.session_state["collection_model"],), st.session_state["collection_profile"])
    collection = finished_result(state(CollectionState).job, "collection")
    if collection is not None:
        _results(collection)


def _files_chosen() -> None:
    files = st.session_state.get("collection_files") or []
    state(CollectionState).chosen = tuple(Source(file.name, file.getvalue()) for file in files)


def _begin() -> None:
    _start(state(CollectionState).chosen)


def _include(role: Role) -> None:
    include(role)
    _compare_again()


def _compare_again() -> None:
    if state(CollectionState).job is not None:
        _start(state(CollectionState).files)


def _samples() -> None:
    paths = [path for sample in samples() for path in (sample.a, sample.b)]
    _start([Source(path.name, path.read_bytes()) for path in paths])


def _start(files: Sequence[Source]) -> None:
    held = state(CollectionState)
    if held.job is not None:
        held.job.cancel()
    name, profile = st.session_state["collection_model"], st.session_state["collection_profile"]
    encoder = encoder_chooser.chosen()
    roles, templates = included_roles(), readable(state(Inputs).templates)
    read_sources: dict[int, Source] = {}
    known = {file.file for file in files}
    documents_read = {file: document for file, document in held.documents.items() if file in known}

    def steps(report: OnProgress) -> Generator[Collection, None, None]:
        documents, unread = read_files(files, documents_read, read_sources, report, roles)
        yield compare_all(
            documents,
            [name],
            profile,
            include=roles,
            templates=templates,
            unread=unread,
            encoder=encoder,
            on_progress=report,
            loader=comparison_jobs.load,
        )

    held.files, held.documents = tuple(files), documents_read
    held.sources, held.model, held.profile = read_sources, name, profile
    held.job = comparison_jobs.start(steps, [name], sum(map(_words, files)))


def _words(source: Source) -> int:
    """A rough number of words before the file is read: fonts and pictures take most of a PDF."""
    return len(source.data) // (60 if source.is_pdf else 6)


def read_files(
    sources: Sequence[Source],
    documents_read: dict[str, Document],
    read_sources: dict[int, Source],
    report: OnProgress,
    roles: Several[Role] = (),
) -> tuple[list[Document], list[ReadError]]:
    """Documents that can be compared, and why the others cannot.

    Args:
        sources: the files.
        documents_read: documents that were read before, by `Source.file`; gets those that are read now.
        read_sources: gets the source of each document by its number.
        roles: of text that is compared although it is set aside.
    """
    documents: list[Document] = []
    unread: list[ReadError] = []
    for done, source in enumerate(sources):
        report(Progress(Stage.DOCUMENTS, done, len(sources)))
        with skip_document(source.name, unread):
            if source.file not in documents_read:
                documents_read[source.file] = colde.read(source.data, name=source.name)
            document = documents_read[source.file]
            check_collectable(document, roles)
            read_sources[len(documents)] = source
            documents.append(document)
    return documents, unread


def _results(collection: Collection) -> None:
    st.markdown(f"**{len(collection.documents)} documents.** {escape_markdown(summary(collection))}")
    for error in collection.unread:
        st.caption(f":material/warning: left out: {escape_markdown(error.sentence)}")
    collection_not_compared(collection, _include)
    for name, warning in collection.warnings:
        st.caption(f":material/warning: {escape_markdown(without_command(f'{name}: {warning}'))}")
    for group in collection.duplicates:
        names = "; ".join(collection.names[i] for i in group)
        st.caption(f":material/content_copy: nearly the same text: {escape_markdown(names)}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.header("Matrix", anchor=False)
        key = f"collection_matrix_{_digest(collection)}"
        event = draw_chart(matrix(collection), key, on_select="rerun", selection_mode="points")
        st.caption(
            "Rows and columns are in the order of the tree on the left, so that neighbours are similar. Click a cell "
            "to open its pair."
        )
        _open_clicked(collection, event)
    with right:
        st.header("Map", anchor=False)
        draw_chart(document_map(collection), "collection_map")
        st.caption("Closer points are more similar (2-D projection).")
    _pairs(collection)
    _any_pair(collection)
    with st.popover("Export", icon=":material/download:"):
        deferred_downloads.downloads(
            FILES, collection, group="collection", subject=_digest(collection), stem="collection"
        )


def _open_clicked(collection: Collection, event: Any) -> None:
    points = event["selection"]["points"] if event else []
    if points and "customdata" in points[0]:
        a, b = int(points[0]["customdata"][0]), int(points[0]["customdata"][1])
        if a != b:
            _open(collection, a, b)


def _pairs(collection: Collection) -> None:
    st.header("Strongest pairs", anchor=False)
    names = collection.names
    pairs = related_first(collection.pairs)
    table = pd.DataFrame(
        [(names[p.a], names[p.b], p.says, p.score, _percent(p.probability), p.why) for p in pairs],
        columns=["Document 1", "Document 2", "Verdict", "Score", "Probability", "Why"],
    )
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    event = st.dataframe(
        table,
        key=f"collection_pairs_{_digest(collection)}",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Score": number(format="%.2f"),
            "Document 1": text(width=TITLE_WIDTH),
            "Document 2": text(width=TITLE_WIDTH),
            "Probability": number(format="%d %%"),
            "Why": text(width="large"),
        },
    )
    rows = event["selection"]["rows"]
    if rows:
        pair = pairs[rows[0]]
        st.caption(escape_markdown(f"{names[pair.a]} and {names[pair.b]}: {pair.reason}."))
        if st.button("Open in the linked view", key="open_row", type="primary"):
            _open(collection, pair.a, pair.b)


def related_first(pairs: Sequence[StrongPair]) -> list[StrongPair]:
    """The pairs that are called related before the others, each best first."""
    return sorted(pairs, key=lambda pair: not pair.similar)


def _percent(probability: float | None) -> int | None:
    return None if probability is None else percent(probability)


def _any_pair(collection: Collection) -> None:
    """Draw two lists to choose any pair from, for the keyboard and for large matrices."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers = list(range(len(collection.documents)))
        names = collection.names
        a = st.selectbox("Document 1", numbers, format_func=lambda i: names[i], key="collection_one")
        b = st.selectbox(
            "Document 2", numbers, index=1, format_func=lambda i: names[i], key="collection_other"
        )
        if st.button("Open the pair", key="open_pair", disabled=a == b):
            _open(collection, a, b)


def _open(collection: Collection, a: int, b: int) -> None:
    held = state(CollectionState)
    one, other = (held.sources[collection.numbers[i]] for i in (a, b))
    open_pair(one, other, (held.model,), held.profile)


FILES: list[File[Collection]] = [
    File("JSON", "json", "application/json", lambda collection: collection.to_json().encode()),
    File("CSV tables", "zip", "application/zip", lambda collection: zip_of(collection_tables(collection))),
    File("HTML report", "html", "text/html", lambda collection: collection_html(collection).encode()),
    File("GraphML", "graphml", "application/xml", lambda collection: to_graphml(collection).encode()),
]
"""The downloads; the CSV tables are the files that `colde compare DIR --csv` writes."""


def _digest(collection: Collection) -> str:
    """Part of keys, so that a selection in one collection does not apply to another."""
    head = "\0".join([*collection.models, collection.profile, *(d.source for d in collection.documents)])
    return sha256(head.encode()).hexdigest()[:16]
