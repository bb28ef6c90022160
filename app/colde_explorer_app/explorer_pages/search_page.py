"""The page Search: the documents of an index that are most similar to a document, a section or a paragraph."""

from __future__ import annotations

from collections.abc import Generator
from hashlib import sha256
from typing import Literal

import streamlit as st

from colde.errors import ColdeError, ReadError
from colde.index import Hit, Index, IndexedDocument
from colde.index.search import CHUNK_VECTORS, DOCUMENT_VECTOR, WORDS
from colde.judge.profiles import DETECT
from colde.report.formatting import clean, section_name, shorten
from colde.results.progress import OnProgress
from colde.results.verdicts.verdict_words import percent
from colde.text.document import Document, Span
from colde.text.sections.passage_removal import keep_only
from colde_explorer_app.explorer_pages import index_folders
from colde_explorer_app.explorer_pages.index_panel import chosen_index
from colde_explorer_app.explorer_pages.navigation import open_pair
from colde_explorer_app.page_parts.page_texts import escape_markdown, without_command
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.session_documents import read
from colde_explorer_app.session.state import SearchState, state

INTRODUCTION = (
    "Choose an index, drop one document or paste a paragraph: the most similar documents come first, each with its "
    "matching passages. What you drop is processed in memory only."
)
HIT_COUNTS = (10, 20, 50)
MAX_PASSAGE_LENGTH = 500  # characters of a passage
WAY_LABELS = {DOCUMENT_VECTOR: "overall topic", CHUNK_VECTORS: "passages", WORDS: "keywords"}
"""Names of the ways that bring up a hit."""
_LEVELS = ("whole documents", "the best passage")
WHOLE_DOCUMENT = -1  # instead of the number of a section


def page() -> None:
    """Draw the page: index, query, hits."""
    st.title("Search", anchor=False)
    st.caption(INTRODUCTION)
    index = chosen_index()
    if index is None:
        return
    try:
        held = index.documents()
    except ColdeError as error:
        st.error(escape_markdown(without_command(error.sentence)))
        return
    source = _query()
    where, limit = _filters(held)
    if source is None:
        return
    document = read(source)
    if isinstance(document, ReadError):
        st.error(escape_markdown(document.sentence))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        part = _part(document)
        by_passage = (
            st.selectbox("Compare with", _LEVELS, key="search_by", width=240, persist_state="session")
            == _LEVELS[1]
        )
        if st.button("Search", type="primary", key="search_go", disabled=not held) | _search_requested():
            query = _query_document(document, part)
            _begin(index, source, query, where=where, limit=limit, by_passage=by_passage, part=part)
    search = state(SearchState)
    hits = finished_result(search.job, "search")
    if hits is not None and search.source is not None and search.index == str(index.folder):
        _hits(hits, index, search.source)


def _query() -> Source | None:
    """Draw the inputs; returns the pasted paragraph, the file, or the hit that was made the query."""
    left, right = st.columns(2, gap="medium")
    with left:
        key = _key("search_file")
        file = st.file_uploader("Document to search with", key=key, on_change=_file_chosen, args=(key,))
    with right:
        text = st.text_area(
            "Or a paragraph of 20 words or more",
            key=_key("search_text"),
            height=110,
            persist_state="session",
        )
    if text.strip():
        return Source("Pasted text", text.encode(), pasted=True)
    query = state(SearchState).query
    if query is not None and file is None:
        title = query.ready.title if query.ready is not None else ""
        origin = " from the index" if query.ready is not None else ""
        st.caption(escape_markdown(f"Searching with “{clean(title or query.name)}”{origin}."))
    return query


def _file_chosen(key: str) -> None:
    """Search with this file from now on, on a later visit of the page, too, when its input is empty."""
    file = st.session_state.get(key)
    state(SearchState).query = None if file is None else Source(file.name, file.getvalue())


def _key(name: str) -> str:
    """Key of an input; a new key, which empties the input, after a hit was made the query."""
    turn = state(SearchState).turn
    return f"{name}_{turn}" if turn else name


def _search_with(source: Source) -> None:
    search = state(SearchState)
    search.query = source
    search.turn += 1
    search.search_at_once = True
    search.job = None
    st.rerun()


def _search_requested() -> bool:
    """Whether to search without a press of the button; True once."""
    search = state(SearchState)
    requested, search.search_at_once = search.search_at_once, False
    return requested


def _part(document: Document) -> int:
    sections = {i: section_name(document, s) for i, s in document.compared()}
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
    with st.expander(f"Filters ({len(held):,} documents)"), st.container(horizontal=True):
        formats = st.multiselect("Format", sorted({d.format for d in held}), key="search_formats")
        folders = st.multiselect("Folder", sorted({d.folder for d in held if d.folder}), key="search_folders")
        years = index_folders.years(held)
        since = st.selectbox("Changed since", years, index=None, key="search_since")
        until = st.selectbox("Changed until", years, index=None, key="search_until")
        limit = st.selectbox("Hits", HIT_COUNTS, key="search_limit")
    return index_folders.condition(formats, folders, since, until), int(limit)


def _query_document(document: Document, part: int) -> Document:
    if part == WHOLE_DOCUMENT:
        return document
    section = document.sections[part]
    return keep_only(document, [Span(section.start, section.end)])


def _begin(
    index: Index,
    source: Source,
    query: Document,
    *,
    where: str | None,
    limit: int,
    by_passage: bool,
    part: int,
) -> None:
    level: Literal["passage", "document"] = "passage" if by_passage else "document"

    def steps(report: OnProgress) -> Generator[list[Hit], None, None]:
        yield index.search(query, limit=limit, level=level, where=where, on_progress=report)

    state(SearchState).index, state(SearchState).source = str(index.folder), source
    of_query = "score" if part == WHOLE_DOCUMENT else "score of the section"
    state(SearchState).number = "similarity of the closest passages" if by_passage else of_query
    state(SearchState).job = comparison_jobs.start(steps)
    st.rerun()


def _hits(hits: list[Hit], index: Index, source: Source) -> None:
    many = "1 hit" if len(hits) == 1 else f"{len(hits)} hits"
    st.header(many if hits else "Nothing found", anchor=False)
    for number, hit in enumerate(hits, 1):
        with st.container(border=True, gap="xsmall"):
            _hit_text(number, hit)
            with st.container(horizontal=True):
                if st.button("Compare with query", key=f"open_{hit.document.id}"):
                    open_pair(source, as_source(index, hit.document), (index.model,), DETECT)
                if st.button("More like this", key=f"more_{hit.document.id}", type="tertiary"):
                    _search_with(as_source(index, hit.document))


def _hit_text(number: int, hit: Hit) -> None:
    name = clean(hit.document.name)
    ways = ", ".join(WAY_LABELS.get(way, way) for way in hit.found_by)
    facts = [name, *_verdict(hit), f"{state(SearchState).number} {hit.score:z.2f}", f"matched on: {ways}"]
    st.markdown(f"**{number}. {escape_markdown(clean(hit.document.title) or name)}**")
    st.caption(escape_markdown(" · ".join(facts)))
    quotes = [
        (f"**{escape_markdown(clean(passage.section))}** " if passage.section else "")
        + escape_markdown(shorten(clean(passage.text), MAX_PASSAGE_LENGTH))
        for passage in hit.passages
    ]
    st.markdown("\n>\n".join(f"> {quote}" for quote in dict.fromkeys(quotes)))


def _verdict(hit: Hit) -> list[str]:
    """The verdict of a comparison of the hit with the query, in the same words; none for passages."""
    if hit.no_verdict:
        return [f"no verdict: {hit.no_verdict}"]
    if hit.similar is None:
        return []
    label = hit.says[:1].lower() + hit.says[1:]
    return [label if hit.probability is None else f"{label} ({percent(hit.probability)} % related)"]


def as_source(index: Index, held: IndexedDocument) -> Source:
    """A document of the index as one of the page's documents."""
    mark = sha256(held.id.encode()).digest()
    return Source(held.name, mark, ready=index.read(held.id))
