"""The review of a session: by the two texts, after a swap, out of a file with or without the texts."""

from __future__ import annotations

import io
from typing import Any

import pytest
from colde_explorer_app.session import deferred_downloads, session_reviews
from streamlit.testing.v1 import AppTest

from colde.report.content import review_export
from colde.results.saved.review_decisions import Decisions
from colde.text.document import Span
from tests.patience import PATIENCE
from tests.report.example import example

SAID = [{"a": [0, 10], "b": [5, 9], "decision": "accepted", "note": "Seen."}]
PAIR = example()
A, B = PAIR.a, PAIR.b


def marks() -> list[dict[str, Any]]:
    """The marks that the session has."""
    return [review_export.mark_to_dict(mark) for mark in session_reviews.decisions(A, B).marks]


def test_what_is_said_is_kept_by_the_texts_and_turned_by_a_swap(session: dict[str, Any]) -> None:
    session_reviews.keep_marks(A, B, SAID)
    assert marks() == SAID
    (swapped,) = session_reviews.decisions(B, A).marks
    assert (swapped.a, swapped.b) == (Span(5, 9), Span(0, 10))
    rejected = [{"a": [5, 9], "b": [0, 10], "decision": "rejected", "note": ""}]
    session_reviews.keep_marks(B, A, rejected)
    assert [(mark["a"], mark["decision"]) for mark in marks()] == [([0, 10], "rejected")]


def test_what_is_left_out_is_kept_beside_the_marks_and_turned_by_a_swap(session: dict[str, Any]) -> None:
    session_reviews.keep_marks(A, B, SAID)
    session_reviews.set_left_out(A, B, "a:0-1,b@5-9")
    assert marks() == SAID
    assert session_reviews.left_out(A, B) == "a:0-1,b@5-9"
    assert session_reviews.left_out(B, A) == "a@5-9,b:0-1"
    for nonsense in ("a:99", "a@5-99999999", "x"):
        session_reviews.set_left_out(A, B, nonsense)
    session_reviews.set_left_out(A, B, "")
    assert session_reviews.left_out(A, B) == session_reviews.left_out(B, A) == ""


def test_a_review_file_joins_what_was_decided_and_the_view_takes_it_on(session: dict[str, Any]) -> None:
    mine = [{"a": [0, 10], "b": [5, 9], "decision": "rejected", "note": ""}, {**SAID[0], "a": [12, 20]}]
    session_reviews.keep_marks(B, A, [{**mark, "a": mark["b"], "b": mark["a"]} for mark in mine])
    before = session_reviews.for_view(A, B)
    assert before["id"] == "" and before["pair"] == session_reviews.for_view(B, A)["pair"][::-1]
    file = review_export.review_to_json(A, B, Decisions(review_export.parse_marks(SAID)), texts=False)
    session["file"] = io.BytesIO(file.encode())
    session["file"].name = "one.review.json"
    session_reviews._open("file", lambda a, b: None)
    assert marks() == [*SAID, mine[1]]
    assert session_reviews.for_view(A, B)["id"] == session_reviews.for_view(B, A)["id"] != ""


def test_the_button_saves_what_was_decided_since_it_was_drawn(session: dict[str, Any]) -> None:
    drawn = deferred_downloads.update(
        session_reviews._savable(A, B), group="review", subject=session_reviews._subject(A, B)
    )
    session_reviews.keep_marks(A, B, SAID)
    session_reviews.refresh(A, B)
    assert (
        review_export.read_review(drawn.value.file()).decisions
        == session_reviews.decisions(A, B)
        != Decisions()
    )


def test_the_session_forgets_the_pairs_that_the_browser_has_cleared_and_no_other(
    session: dict[str, Any],
) -> None:
    session_reviews.keep_marks(A, B, SAID)
    for pairs in ([["0" * 64, "1" * 64]], "all", [["x"], 7, [[], {}]]):
        session["review_copies"] = {"cleared": {"pairs": pairs, "id": 1}}
        session_reviews._forget()
        assert marks() != []
    session["review_copies"] = {"cleared": {"pairs": [list(session_reviews._hashes(B, A))], "id": 2}}
    session_reviews._forget()
    assert marks() == []


def test_nonsense_from_a_page_changes_nothing(session: dict[str, Any]) -> None:
    session_reviews.keep_marks(A, B, [{"a": "x"}])
    assert marks() == []


def _script() -> None:
    import streamlit as st
    from colde_explorer_app.session import session_reviews
    from colde_explorer_app.session.session_documents import read

    from tests.report.example import example

    pair = example()

    def use(*sources) -> None:  # type: ignore[no-untyped-def]
        st.session_state["used"] = [read(source).text for source in sources]

    session_reviews.panel((pair.a, pair.b), use)
    st.session_state["kept"] = session_reviews.decisions(pair.a, pair.b)
    st.session_state["id"] = session_reviews.for_view(pair.a, pair.b)["id"]


@pytest.fixture
def page() -> AppTest:
    return AppTest.from_function(_script, default_timeout=PATIENCE).run()


@pytest.mark.parametrize("texts", [True, False])
def test_a_file_is_opened_again(page: AppTest, texts: bool) -> None:
    before = page.session_state["id"]
    decisions = Decisions(review_export.parse_marks(SAID), (Span(0, 20),))
    file = review_export.review_to_json(A, B, decisions, texts=texts).encode()
    page.file_uploader[0].upload("one.review.json", file, "application/json").run()
    assert not page.exception
    page.run()
    assert page.session_state["kept"] == decisions
    assert page.session_state["id"] != before, "the view takes it on"
    assert "1 mark opened" in page.caption[0].value
    assert ("used" in page.session_state) == texts
    if texts:
        assert page.session_state["used"] == [A.text, B.text]


def test_another_file_is_refused_with_a_reason(page: AppTest) -> None:
    page.file_uploader[0].upload("x.json", b"{}", "application/json").run()
    assert not page.exception
    assert "the file is not a review" in page.caption[0].value
    assert page.session_state["kept"] == Decisions()


def test_a_document_out_of_a_review_has_no_pages_to_draw() -> None:
    source = session_reviews.packed_source(A)
    assert source.packed
    assert not source.is_pdf
