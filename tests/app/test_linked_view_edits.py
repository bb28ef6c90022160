"""What a click in the view does to the sections of a document: places told by characters, nonsense never obeyed."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from colde_explorer_app.linked_view import linked_view_edits
from colde_explorer_app.session import session_documents
from colde_explorer_app.session.document_source import Source

import colde
from colde.text.document import EXCLUDED_ROLE, Document

TEXT = "# A coast\n\n## Harbours\n\nThe pilot waits. He waits long.\n\n## Tides\n\nThe tide turns. Methods. We waited."


@pytest.fixture(autouse=True)
def coast(session: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A session with one document in A."""
    document = colde.read(TEXT.encode(), name="coast.md")
    session_documents.set_source("a", Source("coast.md", b"coast", ready=document))
    monkeypatch.setattr(session_documents, "_with_edits", session_documents._with_edits.__wrapped__)


def document() -> Document:
    found = session_documents.document_of("a")
    assert found is not None
    return found


def headings() -> list[str | None]:
    return [section.heading for section in document().sections]


def ask(do: str, section: int = 0, sentence: int | None = None, heading: str = "") -> None:
    place = document().sections[section]
    start = None if sentence is None else place.sentences[sentence].start
    linked_view_edits.apply_edit_request(
        {"side": "a", "do": do, "at": place.start, "sentence": start, "heading": heading}
    )


def test_merge_split_rename_and_the_way_back() -> None:
    assert headings() == ["Harbours", "Tides"] and linked_view_edits.for_view() is None
    ask("merge", 1)
    assert headings() == ["Harbours"]
    ask("undo")
    ask("heading", 1, sentence=1)
    assert headings() == ["Harbours", "Tides", "Methods."]
    ask("rename", 2, heading=" How   it was done ")
    assert headings()[2] == "How it was done"
    ask("split", 0, sentence=1)
    assert headings() == ["Harbours", None, "Tides", "How it was done"]
    told = linked_view_edits.for_view()
    assert told is not None and told["changes"] == {"a": [3, 0], "b": [0, 0]} and told["side"] == "a"
    assert document().text[told["at"] :].startswith("He waits long.")  # where the new section begins
    ask("undo")
    ask("undo")
    ask("redo")
    assert headings() == ["Harbours", "Tides", "How it was done"]
    assert linked_view_edits.for_view()["changes"]["a"] == [2, 1]  # type: ignore[index]


def test_out_and_in_again() -> None:
    ask("leave_out", 1)
    assert document().sections[1].role == EXCLUDED_ROLE
    ask("take_in", 1)
    assert document().sections[1].role is None


def test_the_page_runs_anew_and_hears_once_that_it_is_done() -> None:
    ask("merge", 1)
    assert (
        linked_view_edits.needs_rerun()
        and not linked_view_edits.consume_done()
        and not linked_view_edits.needs_rerun()
    )
    ask("done")
    assert linked_view_edits.needs_rerun() and linked_view_edits.for_view() is None
    assert linked_view_edits.consume_done() and not linked_view_edits.consume_done()


def test_another_file_is_not_where_the_reader_was() -> None:
    ask("merge", 1)
    session_documents.set_source("a", Source("tides.md", b"tides", ready=colde.read_text(TEXT)))
    assert linked_view_edits.for_view() is None


@pytest.mark.parametrize(
    "asked",
    [
        None,
        "merge",
        {"side": "c", "do": "merge", "at": 0},
        {"side": "a", "do": "merge", "at": "0"},
        {"side": "a", "do": "merge", "at": True},
        {"side": "b", "do": "merge", "at": 0},
        {"side": "a", "do": "merge", "at": 10**9},
        {"side": "a", "do": "merge", "at": 0},
        {"side": "a", "do": "drop", "at": 0},
        {"side": "a", "do": "rename", "at": 0, "heading": ["x"]},
        {"side": "a", "do": "split", "at": 0, "sentence": None},
        {"side": "a", "do": "split", "at": 0, "sentence": 3},
        {"side": "a", "do": "undo", "at": 0},
    ],
)
def test_nonsense_changes_nothing(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "toast", lambda _: None)
    before = headings()
    first = document().sections[0].start
    if isinstance(asked, dict) and asked["at"] == 0:
        asked = {**asked, "at": first}
    linked_view_edits.apply_edit_request(asked)
    assert headings() == before and not linked_view_edits.needs_rerun()
