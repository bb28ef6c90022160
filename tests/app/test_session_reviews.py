"""The review of a session: by the two texts, after a swap, out of a file with or without the texts."""

from __future__ import annotations

from typing import Any

import pytest
from colde_explorer_app import session_reviews
from streamlit.testing.v1 import AppTest

from colde.report import review_export
from colde.results.review_decisions import Decisions
from colde.text.document import Span
from tests.patience import PATIENCE
from tests.report.example import example

SAID = [{"a": [0, 10], "b": [5, 9], "decision": "accepted", "note": "Seen."}]


def _script() -> None:
    import streamlit as st
    from colde_explorer_app import session_reviews as room
    from colde_explorer_app.session_documents import read

    from tests.report.example import example as pair

    whole = pair()
    st.session_state.setdefault("used", [])

    def use(*sources) -> None:  # type: ignore[no-untyped-def]
        st.session_state["used"] = [read(source) for source in sources]

    room.opener(use)
    said = st.session_state.get("say")
    if said is not None:
        room.keep_marks(whole.a, whole.b, said)
    if (out := st.session_state.get("out")) is not None:
        room.set_left_out(whole.a, whole.b, out)
    if (turned := st.session_state.get("say_swapped")) is not None:
        room.keep_marks(whole.b, whole.a, turned)
    st.session_state["kept"] = room.decisions(whole.a, whole.b)
    st.session_state["swapped"] = room.decisions(whole.b, whole.a)
    st.session_state["left"] = room.left_out(whole.a, whole.b), room.left_out(whole.b, whole.a)
    st.session_state["id"] = room.for_view(whole.a, whole.b)["id"]


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(_script, default_timeout=PATIENCE).run()


def said(page: AppTest) -> list[dict[str, Any]]:
    """The marks that the session has."""
    return [review_export.mark_to_dict(mark) for mark in page.session_state["kept"].marks]


def test_what_is_said_is_kept_by_the_texts_and_turned_by_a_swap(page: AppTest) -> None:
    page.session_state["say"] = SAID
    page.run()
    assert not page.exception
    assert said(page) == SAID
    (swapped,) = page.session_state["swapped"].marks
    assert (swapped.a, swapped.b) == (Span(5, 9), Span(0, 10))


def test_what_is_said_after_a_swap_is_there_after_the_next(page: AppTest) -> None:
    page.session_state["say"] = SAID
    page.run()
    del page.session_state["say"]
    page.session_state["say_swapped"] = [{"a": [5, 9], "b": [0, 10], "decision": "rejected", "note": ""}]
    page.run()
    assert not page.exception
    assert [(mark["a"], mark["decision"]) for mark in said(page)] == [([0, 10], "rejected")]


def test_what_is_left_out_is_kept_beside_the_marks_and_turned_by_a_swap(page: AppTest) -> None:
    page.session_state["say"] = SAID
    page.session_state["out"] = "a:0-1,b@5-9"
    page.run()
    assert not page.exception
    assert said(page) == SAID
    assert page.session_state["left"] == ("a:0-1,b@5-9", "a@5-9,b:0-1")
    for nonsense in ("a:99", "a@5-99999999", "x"):
        page.session_state["out"] = nonsense
        page.run()
        assert not page.exception
    page.session_state["out"] = ""
    page.run()
    assert page.session_state["left"] == ("", "")


def test_nonsense_from_a_page_changes_nothing(page: AppTest) -> None:
    page.session_state["say"] = [{"a": "x"}]
    page.run()
    assert not page.exception
    assert said(page) == []


@pytest.mark.parametrize("texts", [True, False])
def test_a_file_is_opened_again(page: AppTest, texts: bool) -> None:
    whole = example()
    before = page.session_state["id"]
    decisions = Decisions(review_export.parse_marks(SAID), (Span(0, 20),))
    file = review_export.review_to_json(whole.a, whole.b, decisions, texts=texts).encode()
    page.file_uploader[0].upload("one.review.json", file, "application/json").run()
    assert not page.exception
    page.run()
    assert page.session_state["kept"] == decisions
    assert page.session_state["id"] != before, "the view takes it on"
    assert "1 mark opened" in page.caption[0].value
    used = [document.text for document in page.session_state["used"]]
    assert used == ([whole.a.text, whole.b.text] if texts else [])


def test_another_file_is_refused_with_a_reason(page: AppTest) -> None:
    page.file_uploader[0].upload("x.json", b"{}", "application/json").run()
    assert not page.exception
    assert "the file is no review" in page.caption[0].value
    assert said(page) == []


def test_a_document_out_of_a_review_has_no_pages_to_draw() -> None:
    source = session_reviews._source(example().a)
    assert source.packed
    assert not source.is_pdf
