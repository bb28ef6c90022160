"""The page Sources: one document, the documents of an index that it shares passages with, and both texts."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import streamlit as st

from colde.errors import ReadError
from colde.index import Index
from colde.index.counted_sources import Sources
from colde.index.source_stretches import SOURCE_EXCLUSIONS
from colde.judge.profiles import DETECT
from colde.report.linked_view import script, style
from colde.report.review_export import ReviewError, parse_marks
from colde.report.sources_html import sources_html
from colde.report.sources_payload import sources_payload
from colde.report.sources_printed import sources_docx, sources_pdf
from colde.report.sources_summary import versions_sentence
from colde.report.sources_tables import sources_tables
from colde.report.typesetting import MISSING_EXTRA, can_typeset
from colde.results.progress import OnProgress
from colde.results.review_decisions import Mark
from colde.results.shared_text import SharedPassage
from colde.text.document import Span
from colde_explorer_app import comparison_jobs, deferred_downloads, session_reviews
from colde_explorer_app.deferred_downloads import File, zip_of
from colde_explorer_app.document_source import Source
from colde_explorer_app.index_panel import chosen_index
from colde_explorer_app.job_progress import finished_result
from colde_explorer_app.linked_view_component import sent_value
from colde_explorer_app.navigation import open_pair
from colde_explorer_app.page_texts import escape_markdown
from colde_explorer_app.search_page import as_source
from colde_explorer_app.session_documents import read
from colde_explorer_app.state import SourcesState, state

INTRODUCTION = (
    "Choose an index and drop one document: its passages that stand in documents of the index are marked, and the "
    "documents are ranked by the words that they share with it. What you drop is processed in memory only."
)
VIEW = "sources_view"
MOST_WORDS = 1_000_000  # of a passage that counts

_component = st.components.v2.component(
    "colde_sources_view", html='<div class="lv-root"></div>', css=style(), js=script()
)


def page() -> None:
    """Draw the page: index, document, sources."""
    st.title("Sources", anchor=False)
    st.caption(INTRODUCTION)
    index = chosen_index()
    if index is None:
        return
    file = st.file_uploader("Document whose sources are searched", key="sources_file")
    if st.button("Find sources", type="primary", key="sources_go", disabled=file is None):
        assert file is not None
        source = Source(file.name, file.getvalue())
        document = read(source)
        if isinstance(document, ReadError):
            st.error(escape_markdown(document.sentence))
            return
        _begin(index, source)
    shown = state(SourcesState)
    sources = finished_result(shown.job, "sources")
    if sources is not None and shown.index == str(index.folder):
        _show(sources.reviewed(_kept_marks(sources)), index)


def _begin(index: Index, source: Source) -> None:
    document = read(source)
    assert not isinstance(document, ReadError)

    def steps(report: OnProgress) -> Generator[Sources, None, None]:
        yield index.sources(document, on_progress=report)

    shown = state(SourcesState)
    shown.index, shown.source = str(index.folder), source
    shown.job = comparison_jobs.start(steps)
    st.session_state.pop(VIEW, None)
    st.rerun()


def _show(sources: Sources, index: Index) -> None:
    if sentence := versions_sentence(sources):
        st.info(escape_markdown(sentence))
    _component(
        key=VIEW,
        data=sources_payload(sources),
        on_exclusions_change=_nothing,
        on_review_change=lambda: _keep_marks(sources),
        on_compare_change=lambda: _compare(sources, index),
    )
    with st.popover("Export", icon=":material/download:"):
        counted = _as_seen(sources)
        subject = str((counted.exclusions, counted.document.text[:200]))
        deferred_downloads.downloads(FILES, counted, group="sources", subject=subject, stem="sources")
    if state(SourcesState).compare:
        _open(index)


def _as_seen(sources: Sources) -> Sources:
    """The sources with the exclusions that the reader has set in the view."""
    sent = sent_value(VIEW, "exclusions")
    if not isinstance(sent, Mapping):
        return sources
    ids = {one.document.id for one in sources.sharing}
    names, fewest = sent.get("leave_out"), sent.get("fewest_words")
    documents = sent.get("documents")
    return sources.excluding(
        [name for name in SOURCE_EXCLUSIONS if isinstance(names, list) and name in names],
        min(fewest, MOST_WORDS) if isinstance(fewest, int) and fewest > 0 else 0,
        [i for i in documents if i in ids] if isinstance(documents, list) else [],
    )


def _kept_marks(sources: Sources) -> dict[int, Mark]:
    """The marks of the session on the passages, by their numbers: those made here, and those of comparisons."""
    kept: dict[str, dict[session_reviews.Places, Mark]] = {}
    for one in sources.sharing:
        marks = session_reviews.decisions(sources.document, one.text).marks
        kept[one.document.id] = {(mark.a, mark.b): mark for mark in marks if not mark.change}
    numbered = ((n, kept[one.document.id].get(_places(p))) for n, (one, p) in enumerate(sources.passages))
    return {number: mark for number, mark in numbered if mark is not None}


def _keep_marks(sources: Sources) -> None:
    """Keep what the reader has decided in the view; what is no review changes nothing."""
    sent = sent_value(VIEW, "review")
    if not isinstance(sent, Mapping):
        return
    made: dict[str, list[dict[str, Any]]] = {one.document.id: [] for one in sources.sharing}
    for number, (one, passage) in enumerate(sources.passages):
        mark = sent.get(str(number))
        if isinstance(mark, Mapping) and (mark.get("decision") or mark.get("note")):
            spans = {"a": [passage.a.start, passage.a.end], "b": [passage.b.start, passage.b.end]}
            words = {name: mark.get(name, "") for name in ("decision", "note")}
            made[one.document.id].append(spans | words)
    try:
        marks = {id: parse_marks(listed) for id, listed in made.items()}
    except ReviewError:
        return
    for one in sources.sharing:
        places = {_places(p) for p in one.passages}
        session_reviews.keep_passage_marks(sources.document, one.text, places, marks[one.document.id])


def _places(passage: SharedPassage) -> session_reviews.Places:
    return Span(passage.a.start, passage.a.end), Span(passage.b.start, passage.b.end)


def _compare(sources: Sources, index: Index) -> None:
    wanted = sent_value(VIEW, "compare")
    if any(one.document.id == wanted for one in sources.sharing):
        state(SourcesState).compare = str(wanted)


def _open(index: Index) -> None:
    """Open the comparison of the document with a source."""
    shown = state(SourcesState)
    wanted, shown.compare = shown.compare, ""
    if shown.source is not None:
        held = next(d for d in index.documents() if d.id == wanted)
        open_pair(shown.source, as_source(index, held), (index.model,), DETECT)


def _nothing() -> None:
    """Streamlit keeps a value only if it has a callback."""


FILES: list[File[Any]] = [
    File("JSON", "json", "application/json", lambda sources: sources.to_json().encode()),
    File("CSV tables", "zip", "application/zip", lambda sources: zip_of(sources_tables(sources))),
    File("HTML report", "html", "text/html", lambda sources: sources_html(sources).encode()),
    File(
        "Word report",
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        sources_docx,
    ),
    File("PDF report", "pdf", "application/pdf", sources_pdf, "" if can_typeset() else MISSING_EXTRA),
]
