"""The review of a session: by the two texts, after a swap, out of a file with or without the texts."""

from __future__ import annotations

import pytest
from colde_explorer_app import reviewing
from streamlit.testing.v1 import AppTest

from colde.report import review
from tests.patience import PATIENCE
from tests.report.example import example

SAID = [{"a": [0, 10], "b": [5, 9], "decision": "accepted", "note": "Seen."}]


def _script() -> None:
    import streamlit as st
    from colde_explorer_app import reviewing as room
    from colde_explorer_app.sources import read

    from tests.report.example import example as pair

    whole = pair()
    st.session_state.setdefault("used", [])

    def use(*sources) -> None:  # type: ignore[no-untyped-def]
        st.session_state["used"] = [read(source) for source in sources]

    room.opener(use)
    said = st.session_state.get("say")
    if said is not None:
        room.keep(whole.a, whole.b, said)
    st.session_state["kept"] = room.marks(whole.a, whole.b)
    st.session_state["swapped"] = room.marks(whole.b, whole.a)
    st.session_state["id"] = room.for_view(whole.a, whole.b)["id"]


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(_script, default_timeout=PATIENCE).run()


def test_what_is_said_is_kept_by_the_texts_and_turned_by_a_swap(page: AppTest) -> None:
    page.session_state["say"] = SAID
    page.run()
    assert not page.exception
    assert [mark.to_dict() for mark in page.session_state["kept"]] == SAID
    (swapped,) = page.session_state["swapped"]
    assert (swapped.to_dict()["a"], swapped.to_dict()["b"]) == ([5, 9], [0, 10])


def test_nonsense_from_a_page_changes_nothing(page: AppTest) -> None:
    page.session_state["say"] = [{"a": "x"}]
    page.run()
    assert not page.exception
    assert page.session_state["kept"] == ()


@pytest.mark.parametrize("texts", [True, False])
def test_a_file_is_opened_again(page: AppTest, texts: bool) -> None:
    whole = example()
    before = page.session_state["id"]
    file = review.to_json(whole.a, whole.b, review.marks_of(SAID), texts=texts).encode()
    page.file_uploader[0].upload("one.review.json", file, "application/json").run()
    assert not page.exception
    page.run()
    assert [mark.to_dict() for mark in page.session_state["kept"]] == SAID
    assert page.session_state["id"] != before, "the view takes it on"
    assert "1 mark opened" in page.caption[0].value
    used = [document.text for document in page.session_state["used"]]
    assert used == ([whole.a.text, whole.b.text] if texts else [])


def test_another_file_is_refused_with_a_reason(page: AppTest) -> None:
    page.file_uploader[0].upload("x.json", b"{}", "application/json").run()
    assert not page.exception
    assert "the file is no review" in page.caption[0].value
    assert page.session_state["kept"] == ()


def test_a_document_out_of_a_review_has_no_pages_to_draw() -> None:
    source = reviewing._source(example().a)
    assert source.packed
    assert not source.is_pdf
