"""Collection: many documents in, each compared with each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Generator
from hashlib import sha256
from typing import Any, cast

import pandas as pd
import streamlit as st

from colde.comparison.all_pairs import compare_all
from colde.corpus.samples import samples
from colde.errors import ReadError
from colde.report.collection_html import collection_html, summary
from colde.report.collection_tables import collection_tables, to_graphml
from colde.report.verdict import percent
from colde.results.collection import Collection
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document
from colde_explorer_app import available_models, comparison_jobs, deferred_downloads
from colde_explorer_app.background_jobs import Job
from colde_explorer_app.collection_charts import document_map, matrix
from colde_explorer_app.deferred_downloads import File
from colde_explorer_app.document_source import Source
from colde_explorer_app.job_progress import ended_badly, watch
from colde_explorer_app.markdown_escape import escape_markdown
from colde_explorer_app.navigation import open_pair
from colde_explorer_app.session_limits import MAX_HELD_BYTES

MAX_FILES = 500
"""Files of one collection on the page; more belong into an index."""

TITLE_WIDTH = 260  # pixels of a column of titles
INTRODUCTION = (
    "See which of many files are alike, which belong together, and why. Every pair opens in the linked view. Up to "
    f"{MAX_FILES} files of {MAX_HELD_BYTES / 1e6:.0f} MB together; they stay in this program’s memory."
)


def page() -> None:
    """The page from top to bottom: files, settings, results."""
    st.title("Collection", anchor=False)
    st.caption(INTRODUCTION)
    files = st.file_uploader("Documents", accept_multiple_files=True, key="collection_files")
    size = sum(file.size for file in files)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Model",
            list(available_models.cards()),
            key="collection_model",
            format_func=available_models.title,
        )
        st.selectbox(
            "Kind of documents",
            available_models.profiles(),
            key="collection_profile",
            format_func=available_models.profile_title,
        )
        st.button(
            "Compare all",
            type="primary",
            key="compare_all",
            disabled=not 2 <= len(files) <= MAX_FILES or size > MAX_HELD_BYTES,
            on_click=_begin,
        )
        st.button(
            "Use the samples",
            key="collection_samples",
            type="tertiary",
            on_click=_samples,
        )
    if len(files) > MAX_FILES:
        st.warning(f"At most {MAX_FILES} files at once; an index (page Search) takes any number.")
    if size > MAX_HELD_BYTES:
        st.warning(
            f"{size / 1e6:.0f} MB of files; {MAX_HELD_BYTES / 1e6:.0f} MB can be held at once. "
            "An index (page Search) takes any number."
        )
    job: Job | None = st.session_state.get("collection_job")
    if job is None:
        return
    watch(job, "collection")
    if ended_badly(job) or job.snapshot().comparison is None:
        return
    collection = cast(Collection, job.snapshot().comparison)
    _results(collection, st.session_state["collection_sources"], (job_model(), job_profile()))


def job_model() -> str:
    """The model that the shown collection was compared by."""
    return str(st.session_state["collection_asked"][0])


def job_profile() -> str:
    """The kind of documents it was judged as."""
    return str(st.session_state["collection_asked"][1])


def _begin() -> None:
    files = st.session_state.get("collection_files") or []
    _start([Source(file.name, file.getvalue()) for file in files])


def _samples() -> None:
    paths = [path for sample in samples() for path in (sample.a, sample.b)]
    _start([Source(path.name, path.read_bytes()) for path in paths])


def _start(sources: list[Source]) -> None:
    """Compare these files by the model and profile that are chosen at the press, drawn already or not."""
    name, profile = st.session_state["collection_model"], st.session_state["collection_profile"]
    old: Job | None = st.session_state.get("collection_job")
    if old is not None:
        old.cancel()
    kept: dict[str, Source] = {}

    def steps(report: OnProgress) -> Generator[Any, None, None]:
        documents, unread = _read(sources, kept, report)
        yield compare_all(
            documents, [name], profile, unread=unread, on_progress=report, loader=comparison_jobs.load
        )

    st.session_state["collection_sources"] = kept
    st.session_state["collection_asked"] = (name, profile)
    st.session_state["collection_job"] = comparison_jobs.start(steps, [name], sum(map(_words, sources)))


def _words(source: Source) -> int:
    """About how many words it has, before it is read: fonts and pictures take most of a PDF."""
    return len(source.data) // (60 if source.is_pdf else 6)


def _read(
    sources: list[Source], kept: dict[str, Source], report: OnProgress
) -> tuple[list[Document], list[ReadError]]:
    """Read each file once; `kept` gets the source of each document by its number, as text."""
    import colde
    from colde.comparison.pipeline import check_comparable
    from colde.text.boilerplate import prepare_for_comparison

    documents: list[Document] = []
    unread: list[ReadError] = []
    for done, source in enumerate(sources):
        report(Progress(Stage.DOCUMENTS, done, len(sources)))
        try:
            document = prepare_for_comparison(colde.read(source.data, name=source.name))
            check_comparable(document)
        except ReadError as error:
            unread.append(error)
        else:
            kept[str(len(documents))] = source
            documents.append(document)
    return documents, unread


def _results(collection: Collection, sources: dict[str, Source], asked: tuple[str, str]) -> None:
    st.markdown(f"**{len(collection.documents)} documents.** {escape_markdown(summary(collection))}")
    for error in collection.unread:
        st.caption(f":material/warning: left out: {escape_markdown(str(error))}")
    for group in collection.duplicates:
        names = "; ".join(collection.names[i] for i in group)
        st.caption(f":material/content_copy: nearly the same text: {escape_markdown(names)}")
    dark = st.context.theme.type == "dark"
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.header("Matrix", anchor=False)
        event = st.plotly_chart(
            matrix(collection, dark=dark),
            key=f"collection_matrix_{_digest(collection)}",
            on_select="rerun",
            selection_mode="points",
            config={"displayModeBar": False},
        )
        st.caption(
            "In the order of the tree on the left; the stronger the colour, the more alike. Click a cell to open "
            "its pair."
        )
        _open_clicked(event, sources, asked)
    with right:
        st.header("Map", anchor=False)
        st.plotly_chart(
            document_map(collection, dark=dark), key="collection_map", config={"displayModeBar": False}
        )
        st.caption("Near is alike, as far as two dimensions allow.")
    _pairs(collection, sources, asked)
    _any_pair(collection, sources, asked)
    _downloads(collection)


def _open_clicked(event: Any, sources: dict[str, Source], asked: tuple[str, str]) -> None:
    """Open the pair of the cell that was clicked; a document and itself are no pair."""
    points = event["selection"]["points"] if event else []
    if points and "customdata" in points[0]:
        a, b = int(points[0]["customdata"][0]), int(points[0]["customdata"][1])
        if a != b:
            _open(a, b, sources, asked)


def _pairs(collection: Collection, sources: dict[str, Source], asked: tuple[str, str]) -> None:
    st.header("Strongest pairs", anchor=False)
    names = collection.names
    table = pd.DataFrame(
        [(names[p.a], names[p.b], p.score, _percent(p.probability), p.why) for p in collection.pairs],
        columns=["One", "Other", "Score", "Probability", "Why"],
    )
    event = st.dataframe(
        table,
        key=f"collection_pairs_{_digest(collection)}",
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Score": st.column_config.NumberColumn(format="%.2f"),
            "One": st.column_config.TextColumn(width=TITLE_WIDTH),
            "Other": st.column_config.TextColumn(width=TITLE_WIDTH),
            "Probability": st.column_config.NumberColumn(format="%d %%"),
            "Why": st.column_config.TextColumn(width="large"),
        },
    )
    rows = event["selection"]["rows"]
    if rows:
        pair = collection.pairs[rows[0]]
        st.caption(
            escape_markdown(f"{collection.names[pair.a]} and {collection.names[pair.b]}: {pair.reason}.")
        )
        if st.button("Open in the linked view", key="open_row", type="primary"):
            _open(pair.a, pair.b, sources, asked)


def _percent(probability: float | None) -> int | None:
    return None if probability is None else percent(probability)


def _any_pair(collection: Collection, sources: dict[str, Source], asked: tuple[str, str]) -> None:
    """Two lists to choose any pair from, for the keyboard and for large matrices."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        numbers = list(range(len(collection.documents)))
        names = collection.names
        a = st.selectbox("One", numbers, format_func=lambda i: names[i], key="collection_one")
        b = st.selectbox("Other", numbers, index=1, format_func=lambda i: names[i], key="collection_other")
        if st.button("Open the pair", key="open_pair", disabled=a == b):
            _open(a, b, sources, asked)


def _open(a: int, b: int, sources: dict[str, Source], asked: tuple[str, str]) -> None:
    open_pair(sources[str(a)], sources[str(b)], (asked[0],), asked[1])


def _downloads(collection: Collection) -> None:
    with st.popover("Export", icon=":material/download:"):
        deferred_downloads.downloads(
            _FILES, collection, group="collection", subject=_digest(collection), stem="collection"
        )


def _packed(collection: Collection) -> bytes:
    """A zip of the files that `colde compare DIR --csv` writes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in collection_tables(collection):
            file.writestr(name, content)
    return packed.getvalue()


_FILES: list[File[Collection]] = [
    File("JSON", "json", "application/json", lambda collection: collection.to_json().encode()),
    File("CSV tables", "zip", "application/zip", _packed),
    File("HTML report", "html", "text/html", lambda collection: collection_html(collection).encode()),
    File("GraphML", "graphml", "application/xml", lambda collection: to_graphml(collection).encode()),
]


def _digest(collection: Collection) -> str:
    """Part of keys, so that a selection in one collection is not asked of another."""
    head = "\0".join([*collection.models, collection.profile, *(d.source for d in collection.documents)])
    return sha256(head.encode()).hexdigest()[:16]
