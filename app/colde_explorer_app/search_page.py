"""Search: what in an index is most like a document, a section of it, or a paragraph."""

from __future__ import annotations

from collections.abc import Generator
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import streamlit as st

from colde.errors import ColdeError, ReadError
from colde.index import Added, Hit, Index, IndexedDocument
from colde.report.formatting import clean, shorten
from colde.report.verdict import percent
from colde.results.progress import OnProgress
from colde.text.document import Document, Span
from colde.text.passage_removal import keep_only
from colde_explorer_app import comparison_jobs, index_folders
from colde_explorer_app.background_jobs import Job
from colde_explorer_app.document_source import Source, read
from colde_explorer_app.job_progress import ended_badly, watch
from colde_explorer_app.markdown_escape import escape_markdown
from colde_explorer_app.navigation import open_pair

INTRODUCTION = (
    "Choose an index, drop one document or paste a paragraph: the documents that are most alike come first, each with "
    "the passages that made it a hit. What you drop stays in this program’s memory."
)
HIT_COUNTS = (10, 20, 50)
MAX_PASSAGE_LENGTH = 500  # characters of a passage
_LEVELS = ("whole documents", "the best passage")
WHOLE_DOCUMENT = -1  # instead of the number of a section


def page() -> None:
    """The page from top to bottom: index, query, hits."""
    st.title("Search", anchor=False)
    st.caption(INTRODUCTION)
    index = _chosen_index()
    if index is None:
        return
    try:
        held = index.documents()
    except ColdeError as error:
        st.error(escape_markdown(str(error)))
        return
    source = _query()
    where, limit = _filters(held)
    if source is None:
        return
    document = read(source)
    if isinstance(document, ReadError):
        st.error(escape_markdown(str(document)))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = _part(document)
        by_passage = st.selectbox("Compare with", _LEVELS, key="search_by", width=240) == _LEVELS[1]
        if st.button("Search", type="primary", key="search_go", disabled=not held) | _search_requested():
            _begin(index, source, part, where, limit, by_passage)
    job: Job | None = st.session_state.get("search_job")
    if job is None:
        return
    watch(job, "search")
    if not ended_badly(job) and job.snapshot().comparison is not None:
        _hits(cast(list[Hit], job.snapshot().comparison), index, st.session_state["search_source"])


def _chosen_index() -> Index | None:
    """The index that is searched; a way to make one stands beside."""
    there = index_folders.found(index_folders.root())
    chosen = None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if there:
            chosen = st.selectbox("Index", there, format_func=lambda p: p.name, key="search_index")
        else:
            st.info(
                escape_markdown(
                    f"There is no index in {index_folders.root()} yet: make one of a folder of files."
                )
            )
        with st.popover("Make an index", icon=":material/library_add:"):
            _make()
    job: Job | None = st.session_state.get("making_job")
    if job is not None:
        watch(job, "making")
        if not ended_badly(job) and job.snapshot().comparison is not None:
            _made(cast(Added, job.snapshot().comparison))
    return None if chosen is None else Index(chosen, loader=comparison_jobs.load)


def _make() -> None:
    st.caption("Its files are read once and kept in the index, with their texts, on this machine.")
    folders = index_folders.folders(index_folders.root())
    folder = st.selectbox("Folder of files", folders, format_func=lambda p: p.name, key="making_folder")
    name = st.text_input("Name of the index", value="papers.index", key="making_name")
    target = index_folders.new_name(index_folders.root(), name)
    if st.button("Add its files", key="making_go", disabled=folder is None or target is None):
        assert folder is not None and target is not None
        _begin_making(folder, target)


def _begin_making(folder: Path, target: Path) -> None:
    def steps(report: OnProgress) -> Generator[Any, None, None]:
        yield Index(target, loader=comparison_jobs.load).add([folder], on_progress=report)

    st.session_state["making_job"] = comparison_jobs.start(steps)
    st.rerun()


def _made(found: Added) -> None:
    st.caption(
        f"Added {len(found.added):,}, {len(found.known):,} were there, {len(found.unread):,} left out."
    )
    for skipped in found.unread:
        st.caption(f":material/warning: {escape_markdown(str(skipped.error))}")


def _query() -> Source | None:
    """What is looked for: a file, or a pasted paragraph where there is one."""
    left, right = st.columns(2, gap="medium")
    with left:
        file = st.file_uploader("Document to search with", key=_key("search_file"))
    with right:
        text = st.text_area("Or a paragraph of 20 words or more", key=_key("search_text"), height=110)
    if text.strip():
        return Source("Pasted text", text.encode(), pasted=True)
    if file is not None:
        return Source(file.name, file.getvalue())
    more: Source | None = st.session_state.get("search_more")
    if more is not None and more.ready is not None:
        st.caption(
            escape_markdown(f"Searching with “{clean(more.ready.title or more.name)}”, out of the index.")
        )
    return more


def _key(name: str) -> str:
    """Of an input that is empty again, with another name, once a hit has become the query."""
    turn = st.session_state.get("search_turn", 0)
    return f"{name}_{turn}" if turn else name


def _search_with(source: Source) -> None:
    """A hit becomes the query: the inputs are emptied, and it is searched with at once."""
    st.session_state["search_more"] = source
    st.session_state["search_turn"] = st.session_state.get("search_turn", 0) + 1
    st.session_state["search_at_once"] = True
    st.session_state.pop("search_job", None)
    st.rerun()


def _search_requested() -> bool:
    return bool(st.session_state.pop("search_at_once", False))


def _part(document: Document) -> int:
    """The number of the section to search with, or `WHOLE_DOCUMENT`."""
    sections = {i: clean(s.heading or "") or "(no heading)" for i, s in document.compared()}
    options = [WHOLE_DOCUMENT, *sections] if len(sections) > 1 else [WHOLE_DOCUMENT]
    return int(
        st.selectbox(
            "More like",
            options,
            format_func=lambda i: (
                "the whole text" if i == WHOLE_DOCUMENT else f"section “{sections.get(i, i)}”"
            ),
            key=_key("search_part"),
        )
    )


def _filters(held: list[IndexedDocument]) -> tuple[str | None, int]:
    """A condition on the documents, and how many hits to show."""
    with st.expander(f"Filters ({len(held):,} documents)"), st.container(horizontal=True):
        formats = st.multiselect("Kind", sorted({d.format for d in held}), key="search_formats")
        folders = st.multiselect("Folder", sorted({d.folder for d in held if d.folder}), key="search_folders")
        years = index_folders.years(held)
        since = st.selectbox("Changed since", years, index=None, key="search_since")
        until = st.selectbox("Changed until", years, index=None, key="search_until")
        limit = st.selectbox("Hits", HIT_COUNTS, key="search_limit")
    return index_folders.condition(formats, folders, since, until), int(limit)


def _begin(index: Index, source: Source, part: int, where: str | None, limit: int, by_passage: bool) -> None:
    document = read(source)
    assert isinstance(document, Document)
    if part != WHOLE_DOCUMENT:
        section = document.sections[part]
        document = keep_only(document, [Span(section.start, section.end)])
    query = document

    def steps(report: OnProgress) -> Generator[Any, None, None]:
        level = "passage" if by_passage else "document"
        yield index.search(query, limit=limit, level=level, where=where, on_progress=report)  # type: ignore[arg-type]

    st.session_state["search_source"] = source
    st.session_state["search_job"] = comparison_jobs.start(steps)
    st.rerun()


def _hits(hits: list[Hit], index: Index, source: Source) -> None:
    """The hits, best first; each opens beside the query, or becomes the query."""
    many = "1 hit" if len(hits) == 1 else f"{len(hits)} hits"
    st.header(many if hits else "Nothing found", anchor=False)
    for number, hit in enumerate(hits, 1):
        with st.container(border=True, gap="xsmall"):
            likely = "" if hit.probability is None else f" · related: {percent(hit.probability)} %"
            likely += f" · no verdict: {hit.no_verdict}" if hit.no_verdict else ""
            title = clean(hit.document.title) or clean(hit.document.name)
            st.markdown(f"**{number}. {escape_markdown(title)}**")
            st.caption(
                escape_markdown(
                    f"{clean(hit.document.name)} · score {hit.score:.2f}{likely} · found by {', '.join(hit.found_by)}"
                )
            )
            quoted = [
                (f"**{escape_markdown(clean(passage.section))}** " if passage.section else "")
                + escape_markdown(shorten(clean(passage.text), MAX_PASSAGE_LENGTH))
                for passage in hit.passages
            ]
            st.markdown("\n>\n".join(f"> {quote}" for quote in dict.fromkeys(quoted)))
            with st.container(horizontal=True):
                if st.button("Open beside the query", key=f"open_{hit.document.id}"):
                    open_pair(source, _as_source(index, hit), (index.model,), "general")
                if st.button("More like this", key=f"more_{hit.document.id}", type="tertiary"):
                    _search_with(_as_source(index, hit))


def _as_source(index: Index, hit: Hit) -> Source:
    """A document of the index as an input of the page."""
    mark = sha256(hit.document.id.encode()).digest()
    return Source(hit.document.name, mark, ready=index.read(hit.document.id))
