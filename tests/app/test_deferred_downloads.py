"""A file is made where there is no session: of the value its button was drawn with last, once the page is at rest."""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import colde_explorer_app
import pytest
import streamlit as st
from colde_explorer_app.explorer_pages import collection_page
from colde_explorer_app.results import downloads
from colde_explorer_app.session import deferred_downloads
from colde_explorer_app.session.deferred_downloads import File
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionManager

import colde
from colde.comparison.collections.all_pairs import compare_all
from colde.report.redline import docxodus
from colde.results.saved.review_decisions import Decisions, Mark
from colde.text.document import Span
from tests.report.example import example

APP = Path(colde_explorer_app.__file__).parent


@pytest.fixture
def makers(session: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], bytes]]:
    """What makes the file of each button, in the order in which they are drawn."""
    made: list[Callable[[], bytes]] = []
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: made.append(make))
    monkeypatch.setattr(deferred_downloads, "session", lambda: "me")
    return made


def draw(value: str, subject: str = "a pair") -> None:
    file = File("Text", "txt", "text/plain", str.encode)
    deferred_downloads.downloads([file], value, group="group", subject=subject, stem="text")


def test_a_file_is_made_of_what_is_drawn_last(
    makers: list[Callable[[], bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run with what the reader said last is still under way when the button is pressed."""
    steps = ["at work", "at work"]

    def is_running(owner: str) -> bool:
        assert owner == "me"
        if not steps:
            return False
        steps.pop()
        if not steps:
            draw("accepted")
        return True

    draw("nothing yet")
    monkeypatch.setattr(deferred_downloads, "is_running", is_running)
    assert makers[0]() == b"accepted"


def test_a_page_that_never_rests_gives_no_file(
    makers: list[Callable[[], bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deferred_downloads, "is_running", lambda owner: True)
    monkeypatch.setattr(deferred_downloads, "IDLE_TIMEOUT", 0.0)
    draw("x")
    with pytest.raises(deferred_downloads.PageBusyError, match="press the button again"):
        makers[0]()


def test_streamlit_still_tells_whether_a_page_is_at_work() -> None:
    """These two are no public names, and nothing else says it."""
    assert callable(SessionManager.get_active_session_info)
    assert "_scriptrunner" in AppSession._create_scriptrunner.__code__.co_names


def test_a_button_of_another_pair_keeps_its_own_value(makers: list[Callable[[], bytes]]) -> None:
    draw("first", "first")
    draw("first again", "first")
    draw("second", "second")
    assert [makers[0](), makers[2]()] == [b"first again", b"second"]


def test_no_download_is_made_in_another_way() -> None:
    """Every file goes through `deferred.downloads`, whose makers get a value and no session."""
    users = {
        path.name
        for path in APP.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "download_button"
    }
    assert users == {"deferred_downloads.py"}


def without_session(make: Callable[[], bytes], caplog: pytest.LogCaptureFixture) -> bytes:
    """What it makes in a thread of its own, where reading the state of a session is an entry in the log."""
    made: list[bytes] = []
    thread = threading.Thread(target=lambda: made.append(make()))
    thread.start()
    thread.join()
    assert "ScriptRunContext" not in caplog.text
    return made[0]


def test_a_file_that_needs_an_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    shown = downloads.Shown(example(), None, texts=True, pdfs={}, model="colde", matrix="section")
    files = {file.label: file.needs for file in downloads.files(shown)}
    needing = {label for label, needs in files.items() if "pip install 'colde-explorer[reports]'" in needs}
    assert needing == {"PDF report", "Matrix (PNG)", "Redline (PDF)"}
    ready = {label for label, needs in files.items() if not needs}
    assert {"DOCX report", "Matrix (SVG)", "Redline (DOCX)"} <= ready

    monkeypatch.setattr(docxodus, "find_spec", lambda name: None)
    word_files = downloads.files(replace(shown, word_files=(b"", b"")))
    (needs,) = [file.needs for file in word_files if file.label == "Redline (DOCX)"]
    assert "pip install 'colde-explorer[redline]'" in needs

    drawn: dict[str, bool] = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, *_, disabled, **__: drawn.update({label: disabled})
    )
    monkeypatch.setattr(deferred_downloads, "session", lambda: "me")
    deferred_downloads.downloads(downloads.files(shown), shown, group="g", subject="s", stem="text")
    assert {label for label, disabled in drawn.items() if disabled} == needing


def test_all_files_of_both_pages_are_made_without_a_session(caplog: pytest.LogCaptureFixture) -> None:
    whole = example()
    review = Decisions((Mark(Span(0, 9), Span(0, 9), "accepted", "A note."),), (Span(0, 20),))
    shown = downloads.Shown(
        replace(whole, review=review), None, texts=True, pdfs={}, model="colde", matrix="section"
    )
    for file in downloads.files(shown):
        assert without_session(lambda file=file: file.make(shown), caplog)  # type: ignore[misc]
    texts = [
        colde.read_text(f"{word} stands on the cliff above the bay. " * 9) for word in ("Fog", "Rain", "Snow")
    ]
    found = compare_all(texts, ["tfidf"])
    for table in collection_page.FILES:
        assert without_session(lambda table=table: table.make(found), caplog)  # type: ignore[misc]
