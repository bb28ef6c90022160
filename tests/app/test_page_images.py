"""Pages of a PDF in the explorer: an image, or why there is none; never drawn in the process of the server."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Callable

import pytest
import streamlit as st
from colde_explorer_app.linked_view.linked_view_panel import PAGE_WIDTH
from streamlit.testing.v1 import AppTest

from colde.errors import ReadingStopped
from colde.ingest import sandbox
from colde.ingest.pdf.page_image import Image
from tests.patience import PATIENCE

TIMES = 3


def looks() -> None:
    """A page that looks at page 2 three times."""
    import streamlit as st
    from colde_explorer_app.linked_view import linked_view_panel
    from colde_explorer_app.session.document_source import Source

    st.session_state["found"] = [linked_view_panel.page_image(Source("a.pdf", b"%PDF-"), 2) for _ in range(3)]


def seen(monkeypatch: pytest.MonkeyPatch, draw_in_sandbox: Callable[..., Image]) -> list[object]:
    monkeypatch.setattr(sandbox, "draw_in_sandbox", draw_in_sandbox)
    st.cache_data.clear()  # every AppTest calls its session the same
    page = AppTest.from_function(looks, default_timeout=PATIENCE).run()
    assert not page.exception
    found: list[object] = page.session_state["found"]
    return found


def test_a_page_comes_as_a_data_url_and_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def draw_in_sandbox(*arguments: object) -> Image:
        asked.append(arguments)
        return Image(b"RIFF....WEBP", 11, 12)

    url = f"data:image/webp;base64,{base64.b64encode(b'RIFF....WEBP').decode()}"
    assert seen(monkeypatch, draw_in_sandbox) == [{"url": url, "width": 11, "height": 12}] * TIMES
    assert asked == [(b"%PDF-", "a.pdf", 2, None, PAGE_WIDTH)]


def test_a_page_that_cannot_be_drawn_says_why_and_is_not_tried_at_every_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = []

    def draw_in_sandbox(*arguments: object) -> Image:
        tries.append(arguments)
        raise ReadingStopped("a.pdf", "too_large", "page 2 takes too much time or memory", "read it as text")

    error = "Page 2 takes too much time or memory: read it as text."
    assert seen(monkeypatch, draw_in_sandbox) == [{"error": error}] * TIMES
    assert len(tries) == 1


def test_the_server_has_no_pdfium() -> None:
    code = "import sys, colde_explorer_app.linked_view.linked_view_panel; print('pypdfium2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split()[-1:] == ["False"], done.stderr
