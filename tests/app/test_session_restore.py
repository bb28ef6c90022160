"""What a page had, across a reload: for its tab alone, in memory, for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from colde_explorer_app.session import session_restore
from colde_explorer_app.session.document_source import Side, Source
from colde_explorer_app.session.session_restore import KEEP_SECONDS, SavedSession, TabStore
from colde_explorer_app.session.state import Comparing, Inputs, Request, Reviews, Tab, View, state
from streamlit.testing.v1 import AppTest

from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Span
from tests.patience import PATIENCE

TOKEN, OTHER = "0" * 31 + "1", "f" * 32
CONTENT = SavedSession({"a": Source("a.txt", b"a text")})
REQUEST = Request(Source("a.txt", b"a text"), Source("b.txt", b"b text"), ("tfidf",), "papers")
SAVED = SavedSession(
    {"a": REQUEST.a, "b": REQUEST.b},
    REQUEST,
    (REQUEST,),
    {"tab": "passages"},
    {("one", "two"): Decisions((Mark(Span(0, 4), Span(0, 4), "accepted"),))},
    {("one", "two"): "c0ffee"},
)


def test_the_page_that_follows_gets_it_and_no_other_tab() -> None:
    tab_store = TabStore()
    tab_store.keep(TOKEN, "before", CONTENT)
    assert tab_store.take(OTHER, "after") is None
    assert tab_store.take(TOKEN, "before") is None, "that page has it already"
    assert tab_store.take(TOKEN, "after") == CONTENT


def test_what_no_page_has_is_let_go_and_an_open_page_keeps_its_own() -> None:
    now = [0.0]
    tab_store = TabStore(lambda: now[0])
    tab_store.keep(TOKEN, "open", CONTENT)
    tab_store.keep(OTHER, "closed", CONTENT)
    now[0] = 10 * KEEP_SECONDS
    assert tab_store.sweep(lambda session: session == "open") == 1
    assert tab_store.take(OTHER, "new") is None
    now[0] += KEEP_SECONDS + 1
    assert tab_store.sweep(lambda session: False) == 1
    assert len(tab_store) == 0


def test_an_emptied_page_leaves_nothing_behind() -> None:
    tab_store = TabStore()
    tab_store.keep(TOKEN, "s", CONTENT)
    tab_store.keep(TOKEN, "s", SavedSession({}))
    assert len(tab_store) == 0


def test_a_page_emptied_after_a_comparison_keeps_that_for_the_list_of_recent_ones() -> None:
    tab_store = TabStore()
    tab_store.keep(TOKEN, "before", SavedSession({}, recent=(REQUEST,)))
    saved = tab_store.take(TOKEN, "after")
    assert saved is not None and saved.recent == (REQUEST,)


@pytest.fixture
def restored(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> Callable[[dict[Side, Source]], None]:
    """Restore what `SAVED` has into a session with these documents."""

    def restore(sources: dict[Side, Source]) -> None:
        kept = TabStore()
        kept.keep(TOKEN, "before", SAVED)
        monkeypatch.setattr(session_restore, "tab_store", lambda: kept)
        state(Tab).token = TOKEN
        state(Inputs).sources = sources
        session_restore.restore_session()

    return restore


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_document_that_is_in_already_stays_and_reviews_and_recent_pairs_come_back(
    restored: Callable[[dict[Side, Source]], None], side: Side
) -> None:
    """A file can be dropped, or an address can name a sample, before the browser has said which tab it is."""
    other = Source("c.txt", b"another text")
    restored({side: other})
    assert state(Inputs).sources == {side: other}
    assert state(Comparing).request is None
    assert state(Comparing).recent == [REQUEST]
    assert state(Reviews).decisions == SAVED.decisions and state(Reviews).files == SAVED.files


def test_a_page_whose_address_brought_the_same_pair_gets_everything_back(
    restored: Callable[[dict[Side, Source]], None],
) -> None:
    restored(dict(SAVED.sources))
    assert state(Comparing).request == REQUEST
    assert state(Reviews).decisions == SAVED.decisions
    assert state(View).settings == {"tab": "passages"}


def test_what_was_decided_since_is_not_replaced(
    restored: Callable[[dict[Side, Source]], None], session: Any
) -> None:
    later = Decisions((Mark(Span(0, 4), Span(0, 4), "rejected"),))
    state(Reviews).decisions = {("one", "two"): later}
    restored({})
    assert state(Reviews).decisions == {("one", "two"): later}


def test_only_a_page_before_this_one_makes_a_page_run_again() -> None:
    tab_store = TabStore()
    assert not tab_store.has_content_for(TOKEN, "after")
    tab_store.keep(TOKEN, "before", CONTENT)
    assert tab_store.has_content_for(TOKEN, "after")
    assert not tab_store.has_content_for(TOKEN, "before")
    assert not tab_store.has_content_for(OTHER, "after")


def test_a_page_that_has_just_come_runs_once_whatever_its_tab_is_called(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file dropped on it while all of it runs again would be lost."""
    runs: list[str | None] = []
    monkeypatch.setattr(session_restore, "tab_token", lambda: TOKEN)
    monkeypatch.setattr(session_restore, "save_session", lambda request: runs.append(state(Tab).token))
    page.run()
    assert not page.exception
    assert runs == [TOKEN]


def test_a_first_document_is_kept_although_an_input_redraws_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With one document, the fragment of the inputs runs alone, and `page` does not save."""
    kept: list[SavedSession] = []
    monkeypatch.setattr(TabStore, "keep", lambda self, token, session, saved: kept.append(saved))

    def inputs() -> None:
        from colde_explorer_app.inputs import uploads
        from colde_explorer_app.session.state import Tab, state

        state(Tab).token = "a token"
        uploads.inputs()

    page = AppTest.from_function(inputs, default_timeout=PATIENCE).run()
    page.file_uploader[0].set_value(
        ("a.txt", ("A lamp on the coast turns at night. " * 20).encode(), "text/plain")
    ).run()
    assert not page.exception
    assert kept[-1].sources["a"].name == "a.txt"


def test_a_page_takes_up_its_documents_and_result(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The keeper trimmed the lamp at dusk and wrote the hour into his book. " * 9
    a, b = (Source(name, text.encode()) for name in ("a.txt", "b.txt"))
    kept = TabStore()
    kept.keep(TOKEN, "before", SavedSession({"a": a, "b": b}, Request(a, b, ("tfidf",), "papers")))
    monkeypatch.setattr(session_restore, "tab_token", lambda: TOKEN)
    monkeypatch.setattr(session_restore, "tab_store", lambda: kept)
    page.run()
    assert not page.exception
    assert "Score" in page.dataframe[0].value
    saved = kept.take(TOKEN, "next")
    assert saved is not None and saved.request is not None and saved.finished_job is not None
    assert saved.sources == {"a": a, "b": b}
