"""The page Sources: one document, the documents of an index that it shares passages with, and both texts."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from colde.errors import ReadError
from colde.index import Index
from colde.index.sources.counted_sources import Sources
from colde.index.sources.source_stretches import SOURCE_EXCLUSIONS, Exclusions
from colde.judge.profiles import DETECT
from colde.report.formatting import clean
from colde.report.linked_view import script, style
from colde.report.printed.typesetting import MISSING_EXTRA, can_typeset
from colde.report.sources.sources_html import sources_html
from colde.report.sources.sources_payload import sources_payload
from colde.report.sources.sources_printed import sources_docx, sources_pdf
from colde.report.sources.sources_summary import versions_sentence
from colde.report.sources.sources_tables import sources_tables
from colde.results.progress import OnProgress
from colde.results.saved.review_decisions import Mark
from colde.text.document import Document, Span
from colde_explorer_app.explorer_pages.index_panel import chosen_index
from colde_explorer_app.explorer_pages.navigation import open_pair
from colde_explorer_app.explorer_pages.search_page import as_source
from colde_explorer_app.linked_view.linked_view_component import sent_value
from colde_explorer_app.page_parts.page_texts import escape_markdown
from colde_explorer_app.session import comparison_jobs, deferred_downloads, session_restore, session_reviews
from colde_explorer_app.session.deferred_downloads import File, zip_of
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.job_progress import finished_result
from colde_explorer_app.session.session_documents import read
from colde_explorer_app.session.state import SourcesState, set_state, state

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
    """Draw the page: index, document, sources. With a result, the inputs are folded."""
    shown = state(SourcesState)
    folded = shown.job is not None and shown.job.snapshot().state == "done" and not shown.inputs_open
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small", key="about_sources")
    with bar:
        st.title("Sources", anchor=False, width="content")
        if folded:
            st.markdown(_searched(shown))
            st.button("Change", key="sources_change", on_click=_set_inputs_open, args=(True,))
    if not folded:
        _inputs()
    sources = finished_result(shown.job, "sources")
    if sources is not None:
        seen = _as_seen(sources.reviewed(_marks(sources)))
        with bar:
            _export(seen)
        _show(seen, Index(Path(shown.index), loader=comparison_jobs.load))
    session_restore.save_session(None)


def _set_inputs_open(is_open: bool) -> None:
    state(SourcesState).inputs_open = is_open


def _searched(shown: SourcesState) -> str:
    """The document and the index of the result."""
    name = "" if shown.source is None else shown.source.name
    return f"**{escape_markdown(clean(name))}** in {escape_markdown(clean(Path(shown.index).name))}"


def _inputs() -> None:
    shown = state(SourcesState)
    st.caption(INTRODUCTION)
    index = chosen_index()
    if index is None:
        return
    file = st.file_uploader("Document whose sources are searched", key="sources_file")
    source = shown.source if file is None else Source(file.name, file.getvalue())
    if file is None and source is not None:
        st.caption(escape_markdown(f"Without a new file, “{clean(source.name)}” is searched again."))
    with st.container(horizontal=True):
        find = st.button("Find sources", type="primary", key="sources_go", disabled=source is None)
        if shown.inputs_open:
            st.button("Hide the inputs", key="sources_hide", on_click=_set_inputs_open, args=(False,))
    if find:
        assert source is not None
        document = read(source)
        if isinstance(document, ReadError):
            st.error(escape_markdown(document.sentence))
        else:
            _begin(index, source, document)


def _begin(index: Index, source: Source, document: Document) -> None:
    def steps(report: OnProgress) -> Generator[Sources, None, None]:
        yield index.sources(document, on_progress=report)

    set_state(SourcesState(comparison_jobs.start(steps), str(index.folder), source))
    st.session_state.pop(VIEW, None)
    st.rerun()


def _export(sources: Sources) -> None:
    with st.popover("Export", icon=":material/download:"):
        subject = str((sources.exclusions, sources.document.text[:200]))
        deferred_downloads.downloads(FILES, sources, group="sources", subject=subject, stem="sources")


def _show(sources: Sources, index: Index) -> None:
    if sentence := versions_sentence(sources):
        st.caption(f":material/info: {escape_markdown(sentence)}")
    reviews = {
        one.document.id: session_reviews.for_view(sources.document, one.text) for one in sources.sharing
    }
    _component(
        key=VIEW,
        data=sources_payload(sources, reviews),
        on_exclusions_change=lambda: _keep_exclusions(sources),
        on_review_change=lambda: _keep_marks(sources),
        on_compare_change=lambda: _compare(sources),
    )
    if state(SourcesState).compare:
        _open(index)


def _as_seen(sources: Sources) -> Sources:
    """The sources with the exclusions that the reader has set in the view."""
    now = state(SourcesState).exclusions
    if now is None:
        return sources
    return sources.excluding(now.leave_out, now.fewest_words, now.documents)


def _keep_exclusions(sources: Sources) -> None:
    """Keep what the reader leaves out; of what the page sends, what is no exclusion is passed over."""
    sent = sent_value(VIEW, "exclusions")
    if not isinstance(sent, Mapping):
        return
    ids = {one.document.id for one in sources.sharing}
    names, fewest, documents = (sent.get(name) for name in ("leave_out", "fewest_words", "documents"))
    state(SourcesState).exclusions = Exclusions(
        tuple(name for name in SOURCE_EXCLUSIONS if isinstance(names, list) and name in names),
        min(fewest, MOST_WORDS) if isinstance(fewest, int) and fewest > 0 else 0,
        tuple(i for i in documents if i in ids) if isinstance(documents, list) else (),
    )


def _marks(sources: Sources) -> dict[int, Mark]:
    """The marks of the session on the passages, by their numbers: those made here, and those of comparisons."""
    kept = {
        one.document.id: {
            (mark.a, mark.b): mark
            for mark in session_reviews.decisions(sources.document, one.text).marks
            if not mark.change
        }
        for one in sources.sharing
    }
    numbered = enumerate(sources.passages)
    marks = {n: kept[one.document.id].get((_span(p.a), _span(p.b))) for n, (one, p) in numbered}
    return {number: mark for number, mark in marks.items() if mark is not None}


def _span(passage: Span) -> Span:
    return Span(passage.start, passage.end)


def _keep_marks(sources: Sources) -> None:
    """Keep what the reader has decided in the view, by the id of the source; what is no review changes nothing."""
    sent = sent_value(VIEW, "review")
    for one in sources.sharing:
        if isinstance(sent, Mapping) and one.document.id in sent:
            session_reviews.keep_marks(sources.document, one.text, sent[one.document.id])


def _compare(sources: Sources) -> None:
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
