"""The Compare page as Streamlit runs it: inputs, errors, samples, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from colde_explorer_app.explorer_pages import compare_page
from colde_explorer_app.linked_view import linked_view_panel
from colde_explorer_app.session import comparison_jobs
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.state import PROFILE, Comparing, Request, state
from streamlit.testing.v1 import AppTest

import colde
from colde.corpus.samples import samples
from colde.errors import ModelError, ReadingStopped
from colde.text.document import Document
from tests.app.pages import packed, said
from tests.ingest.pdf_samples.pieces import locked, scans

LONG = "The harbour wall keeps the swell out, and the lamp at its end burns from dusk until the morning. " * 4


def upload(page: AppTest, side: int, name: str, data: bytes) -> AppTest:
    page.file_uploader[side].upload(name, data)
    return page.run()


def test_the_first_screen_has_two_inputs_samples_and_one_button(page: AppTest) -> None:
    assert not page.exception
    assert [uploader.label for uploader in page.file_uploader][:2] == ["Document A", "Document B"]
    assert page.button(key="compare").label == "Compare"
    assert page.button(key="compare").disabled
    for sample in samples():
        assert sample.title in said(page)
    assert "nothing is sent elsewhere or saved" in said(page)


def test_an_upload_is_read_at_once_and_two_can_be_compared(page: AppTest) -> None:
    upload(page, 0, "harbour.txt", LONG.encode())
    assert not page.exception and not page.error
    assert "76 words" in said(page)
    assert page.button(key="compare").disabled
    upload(page, 1, "b.md", b"# Tides\n\n" + LONG.encode())
    assert not page.exception and not page.error
    assert "Tides" in said(page)
    assert not page.button(key="compare").disabled


def test_a_reading_that_was_stopped_is_tried_again_when_asked_for_and_not_before(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def stopped(*arguments: object, **more: object) -> Document:
        tries.append(more)
        raise ReadingStopped("harbour.txt", "too_large", "reading it was stopped after 120 seconds")

    monkeypatch.setattr(colde, "read", stopped)
    upload(page, 0, "harbour.txt", LONG.encode())
    page.run()
    assert len(tries) == 1 and "stopped after 120 seconds" in said(page)
    page.button(key="again_a").click().run()
    assert len(tries) == 2
    upload(page, 0, "harbour.txt", LONG.encode())  # the same file once more
    assert len(tries) == 3
    monkeypatch.undo()
    page.button(key="again_a").click().run()
    assert not page.exception and not page.error
    assert "76 words" in said(page)


def test_a_pasted_text_is_a_document(page: AppTest) -> None:
    page.text_area(key="text_a_0").set_value("# My title\n\n" + LONG).run()
    page.button(key="use_text_a_0").click().run()
    assert not page.exception and not page.error
    assert "words · 1 section" in said(page)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.pdf", b""),
        ("unknown_type.xyz", bytes(range(256))),
        ("zip_not_docx.docx", packed({"hello.txt": b"no document"})),
        ("broken.docx", b"no zip at all"),
        ("image_only.pdf", scans([False] * 3)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_cannot_be_read_is_one_line_of_help(page: AppTest, name: str, data: bytes) -> None:
    upload(page, 1, "b.txt", LONG.encode())
    upload(page, 0, name, data)
    assert not page.exception
    (error,) = page.error
    assert "[" not in error.value, "codes are for scripts"
    assert error.value.replace("\\", "").startswith(f"{name}: ") and error.value.endswith(".")
    assert "\n" not in error.value
    assert "76 words" in said(page), "the other side must not be lost"
    assert page.button(key="compare").disabled
    assert all(button.key != "again_a" for button in page.button), "another try would end the same"


@pytest.mark.parametrize(
    ("text", "is_enough"),
    [
        ("# Tides\n", False),
        ("The lamp at the end of the wall burns from dusk until the morning comes again.", False),
        ("# Lamp\n\n" + "lamp " * 17, False),
        (
            "The lamp at the end of the wall burns from dusk until the morning comes again, and the keeper sleeps.",
            True,
        ),
    ],
)
def test_a_text_too_short_to_compare_is_said_beside_the_file(
    page: AppTest, text: str, is_enough: bool
) -> None:
    upload(page, 0, "harbour.txt", LONG.encode())
    upload(page, 1, "short.md", text.encode())
    assert page.button(key="compare").disabled is not is_enough
    assert [e.value.startswith("Too short to compare") for e in page.error] == [True] * (not is_enough)
    upload(page, 1, "long.md", LONG.encode())
    assert not page.button(key="compare").disabled and not page.error


def test_a_comparison_that_ends_while_the_page_is_drawn_leaves_its_buttons_right(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that fails at once would leave the page without a button to start again."""
    waiting: list[Callable[[], object]] = []
    monkeypatch.setattr(comparison_jobs, "worker", lambda: Mock(submit=waiting.append))
    drawn: list[int] = []
    draw = compare_page._controls

    def controls(**values: bool) -> None:
        draw(**values)
        drawn.append(len(waiting))
        while waiting:
            waiting.pop()()

    for side in (0, 1):
        upload(page, side, f"{side}.txt", LONG.encode())
    monkeypatch.setattr(compare_page, "_controls", controls)
    monkeypatch.setattr(comparison_jobs, "load", Mock(side_effect=ModelError("no such weights")))
    page.button(key="compare").click().run()
    assert not page.exception
    assert drawn == [1, 0], "the buttons are drawn again after the end"
    assert "no such weights" in said(page)


def test_a_kind_that_nobody_has_chosen_compares_nothing(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit can report the choice of the list that has just left the page, with the value that it had."""
    compared: list[str | None] = []
    monkeypatch.setattr(compare_page, "_compare", lambda: compared.append(PROFILE.get()))
    a, b = (Source(name, LONG.encode()) for name in ("a.txt", "b.txt"))
    request = Request(a, b, ("tfidf",), "auto")
    monkeypatch.setattr(compare_page, "current", lambda: request)
    compare_page._judge_as("auto")
    assert compared == []
    compare_page._judge_as("papers")
    assert compared == ["papers"]
    monkeypatch.setattr(compare_page, "current", lambda: None)  # another document has been put in
    compare_page._judge_as("general")
    assert compared == ["papers"] and PROFILE.get() == "papers"


def test_the_tour_is_about_the_pair_that_it_was_asked_for(
    session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sample, other = (
        Request(Source(n, n.encode()), Source("b", b"b"), ("tfidf",), "auto") for n in ("a", "c")
    )
    monkeypatch.setattr(compare_page, "_compare_sample", lambda sample_pair: None)
    state(Comparing).request = other
    assert linked_view_panel._tour() == 0
    state(Comparing).request = sample
    compare_page._start_tour()
    first = linked_view_panel._tour()
    assert first > 0
    state(Comparing).request = other
    assert linked_view_panel._tour() == 0, "another pair opens without it"
    state(Comparing).request = sample
    assert linked_view_panel._tour() == first, "which the view starts once"


def test_an_encrypted_pdf_asks_for_its_password(page: AppTest) -> None:
    upload(page, 0, "secret.pdf", locked("the password"))
    assert "encrypted" in page.error[0].value
    page.text_input(key="password_a").set_value("not the password").run()
    assert "the password is wrong" in page.error[0].value
    assert not page.exception


def test_markup_in_titles_and_names_is_escaped(page: AppTest) -> None:
    upload(page, 0, "a.md", b"# <script>alert(1)</script> [x](http://example.com)\n\n" + LONG.encode())
    assert "<script>" not in said(page)
    assert "](http" not in said(page)


def test_removing_a_file_removes_the_document(page: AppTest) -> None:
    upload(page, 0, "a.txt", LONG.encode())
    page.file_uploader[0].clear()
    page.run()
    assert "76 words" not in said(page)
