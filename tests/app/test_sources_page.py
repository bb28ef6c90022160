"""The page Sources keeps what the reader decides and leaves out, with the decisions of comparisons of these texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from colde_explorer_app.explorer_pages import sources_page
from colde_explorer_app.session import session_restore, session_reviews
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.session_restore import SavedSession, TabStore
from colde_explorer_app.session.state import Inputs, SourcesState, Tab, state
from streamlit.testing.v1 import AppTest

from colde.index import Index
from colde.index.sources.counted_sources import Sources
from colde.index.sources.source_stretches import Exclusions
from colde.ingest import read_text
from colde.report.content.review_export import mark_to_dict
from colde.results.saved.review_decisions import Mark
from colde.text.document import Span
from tests.app.pages import open_page, said
from tests.index.light import load
from tests.index.source_texts import HARBOUR, LAMP, query_text, shared_passages, write_sources

TOKEN = "a" * 32
SEARCHED = r"**mine\.txt** in papers\.index"


@pytest.fixture
def sources(session: dict[str, Any]) -> Sources:
    """`harbour.txt` has two passages of a text, `lamps.txt` one of them."""
    document = read_text(query_text(LAMP, "He wrote this down as well.", HARBOUR))
    return shared_passages(document, {"harbour.txt": (LAMP, HARBOUR), "lamps.txt": (LAMP,)})


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """Let the view send a value."""

    def sends(value: object) -> None:
        monkeypatch.setattr(sources_page, "sent_value", lambda key, name: value)

    return sends


def mark(sources: Sources, number: int, decision: Any, note: str = "", change: bool = False) -> Mark:
    _, passage = sources.passages[number]
    spans = (Span(passage.a.start, passage.a.end), Span(passage.b.start, passage.b.end))
    return Mark(*spans, decision, note, change=change)


def test_decisions_are_kept_and_taken_back(sources: Sources, send: Callable[[object], None]) -> None:
    accepted, noted = mark(sources, 1, "accepted"), mark(sources, 2, "", "who?")
    send({"harbour.txt": [mark_to_dict(accepted)], "lamps.txt": [mark_to_dict(noted)]})
    sources_page._keep_marks(sources)
    assert sources_page._marks(sources) == {1: accepted, 2: noted}
    send({"harbour.txt": []})
    sources_page._keep_marks(sources)
    assert sources_page._marks(sources) == {2: noted}
    reviewed = sources.reviewed(sources_page._marks(sources))
    assert [p.note for source in reviewed for p in source.passages if p.note] == ["who?"]


def test_decisions_of_a_comparison_are_shown_and_those_on_changes_stay(
    sources: Sources, send: Callable[[object], None]
) -> None:
    one, _ = sources.passages[0]
    made, change = mark(sources, 0, "accepted", "quoted"), mark(sources, 0, "rejected", change=True)
    session_reviews.keep_marks(sources.document, one.text, [mark_to_dict(m) for m in (made, change)])
    assert sources_page._marks(sources) == {0: made}
    held = session_reviews.for_view(sources.document, one.text)["marks"]
    send({one.document.id: [m for m in held if m.get("change")]})
    sources_page._keep_marks(sources)
    assert session_reviews.decisions(sources.document, one.text).marks == (change,)


@pytest.mark.parametrize(
    "sent", [None, 7, {"harbour.txt": {"decision": "burn it"}}, {"harbour.txt": [7]}, {"elsewhere": []}]
)
def test_what_is_no_review_changes_nothing(
    sources: Sources, send: Callable[[object], None], sent: object
) -> None:
    send(sent)
    sources_page._keep_marks(sources)
    assert sources_page._marks(sources) == {}


def test_what_is_left_out_is_kept_and_counted(sources: Sources, send: Callable[[object], None]) -> None:
    assert sources_page._as_seen(sources) == sources
    send({"leave_out": ["quotes", "dust"], "fewest_words": 30, "documents": ["harbour.txt", "elsewhere"]})
    sources_page._keep_exclusions(sources)
    seen = sources_page._as_seen(sources)
    assert seen.exclusions.leave_out == ("quotes",)
    assert (seen.exclusions.fewest_words, seen.exclusions.documents) == (30, ("harbour.txt",))
    assert [s.name for s in seen] == ["lamps.txt"]


@pytest.mark.parametrize("sent", [None, 7, {"leave_out": 7, "fewest_words": "many", "documents": {}}])
def test_what_is_no_exclusion_leaves_nothing_out(
    sources: Sources, send: Callable[[object], None], sent: object
) -> None:
    send(sent)
    sources_page._keep_exclusions(sources)
    assert len(sources_page._as_seen(sources)) == 2


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, light: None) -> AppTest:
    """The page after a search, in a tab that keeps what it shows."""
    monkeypatch.setenv("COLDE_INDEXES", str(tmp_path))
    monkeypatch.setenv("COLDE_SANDBOX", "off")
    Index(tmp_path / "papers.index", loader=load).add([write_sources(tmp_path / "files")])
    kept = TabStore()
    monkeypatch.setattr(session_restore, "tab_store", lambda: kept)
    page = open_page("sources_page")
    page.session_state["state.Tab"] = Tab(TOKEN)
    page.run()
    page.file_uploader(key="sources_file").set_value(("mine.txt", query_text(HARBOUR).encode(), "text/plain"))
    page.run()
    return page.button(key="sources_go").click().run()


def test_a_result_stands_first_and_its_inputs_are_folded(searched: AppTest) -> None:
    assert not searched.exception
    assert SEARCHED in said(searched)
    assert not searched.file_uploader and not searched.selectbox
    searched.button(key="sources_change").click().run()
    assert [f.label for f in searched.file_uploader if f.key == "sources_file"]
    assert not searched.button(key="sources_go").disabled, "the document is searched for again"
    searched.button(key="sources_hide").click().run()
    assert not searched.file_uploader


def test_a_reload_keeps_the_result_and_what_is_left_out(searched: AppTest) -> None:
    searched.session_state["state.SourcesState"].exclusions = Exclusions((), 7)
    searched.run()
    saved = session_restore.tab_store().take(TOKEN, "the page that follows")
    assert saved is not None and saved.sources_search is not None
    assert saved.sources_search.exclusions == Exclusions((), 7)

    after = open_page("sources_page")
    after.session_state["state.SourcesState"] = saved.sources_search
    after.run()
    assert not after.exception
    assert SEARCHED in said(after)


def test_a_page_that_follows_gets_the_search_beside_other_documents(session: dict[str, Any]) -> None:
    """The documents of the page Compare are others by then: an address can bring them."""
    found = SourcesState(index="papers.index", exclusions=Exclusions((), 7))
    kept = TabStore()
    kept.keep(TOKEN, "before", SavedSession({}, sources_search=found))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(session_restore, "tab_store", lambda: kept)
        state(Tab).token = TOKEN
        state(Inputs).sources = {"a": Source("c.txt", b"another text")}
        session_restore.restore_session()
    assert state(SourcesState) == found
