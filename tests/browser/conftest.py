"""A browser for the tests of pages: Debian's chromium, offline as far as it goes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from colde.cli.app import streamlit_command
from colde.report.linked_view import script, style
from tests.browser.explorer import SLOW, settled
from tests.browser.looks import Open, Show
from tests.programs import ROOT, serving

PAGE = """<!doctype html><meta charset="utf-8"><title>view</title><style>{css}</style><div id="root"></div>
<script type="module">{js}
window.said = [];
window.set = [];
window.asked = [];
window.open_view = (payload) => {{
  window.view = mount(document.getElementById("root"), payload, {{
    onSelect: (selected) => window.said.push(selected),
    onSilence: () => {{ window.silences = (window.silences || 0) + 1; }},
    onReview: (marks) => {{ window.review = marks; }},
    onSettings: (settings) => window.set.push(settings),
    onPageWanted: (side, page) => window.asked.push([side, page]),
  }});
}};
</script>"""

NO_SESSION = "missing ScriptRunContext"
"""Streamlit's line in the log about something that asks for the state of a session where there is none."""

CHROMIUM = Path("/usr/bin/chromium")

PATIENCE = 60_000
"""Milliseconds to wait for what must come: a machine may have much else to do."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for the files of this folder: its event loop has to end before tests elsewhere run theirs.

    Missing, it fails under CI and skips elsewhere.
    """
    if not CHROMIUM.exists():
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; `make browser` installs it")
        pytest.skip("chromium is not here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


def watched(
    chromium: Browser, faults: list[str], ignored: Callable[[ConsoleMessage], bool], **options: Any
) -> Page:
    """A page in a context of its own, with patience; `faults` gets its errors and the dialogs that it opens."""
    context = chromium.new_context(**{"viewport": {"width": 1440, "height": 1000}, **options})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda message: None if ignored(message) else faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(f"a dialog opened: {dialog.message}"))
    return page


@pytest.fixture
def open_file(chromium: Browser) -> Iterator[Open]:
    """Open a file; at the end, no page has logged an error or asked for anything but the file itself."""
    pages: list[Page] = []
    faults: list[str] = []

    def open_page(path: Path, **options: Any) -> Page:
        page = watched(chromium, faults, lambda m: m.type not in ("error", "warning"), **options)
        pages.append(page)
        page.on("request", lambda r: faults.append(r.url) if r.url != path.as_uri() else None)
        page.goto(path.as_uri())
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert faults == []


@pytest.fixture
def show(open_file: Open, tmp_path: Path) -> Show:
    """Mount the linked view alone; what it tells lies in `said`, `set` and `asked`."""
    path = tmp_path / "view.html"
    path.write_text(PAGE.format(css=style(), js=script()), encoding="utf-8")

    def mount(payload: dict[str, Any]) -> Page:
        page = open_file(path)
        page.evaluate("payload => window.open_view(payload)", payload)
        return page

    return mount


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer, started as people start it, on a free port; it encodes a sample once for all tests."""
    log = tmp_path_factory.mktemp("log") / "explorer.log"
    cache = {"COLDE_CACHE": "on", "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    with (
        log.open("wb") as file,
        serving(
            lambda port: [*streamlit_command(port), "--server.headless", "true"],
            cwd=ROOT,
            env=cache,
            log=file,
        ) as url,
    ):
        yield url
    assert NO_SESSION not in log.read_text(encoding="utf-8"), "something outside of a session read its state"


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Open]:
    """Open the explorer in a session of its own; at the end, no error and no foreign request is known."""
    pages: list[Page] = []
    errors: list[str] = []
    foreign: list[str] = []

    def asked(url: str) -> None:
        if not url.startswith((address, address.replace("http", "ws", 1), "data:", "blob:")):
            foreign.append(url)

    def open_page(path: str = "", **options: Any) -> Page:
        page = watched(chromium, errors, lambda m: m.type != "error" or _of_a_file_that_is_gone(m), **options)
        pages.append(page)
        page.on("request", lambda request: asked(request.url))
        page.on("websocket", lambda socket: asked(socket.url))
        page.goto(address + path)
        page.get_by_test_id("stMain").get_by_test_id("stElementContainer").first.wait_for(
            state="attached", timeout=SLOW
        )
        settled(page)
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert errors == []
    assert foreign == []


def _of_a_file_that_is_gone(message: ConsoleMessage) -> bool:
    """Whether a download was pressed just when a rerun gave it another address; `download` presses again."""
    return "/media/" in message.location["url"] or "Download Button source error - 404" in message.text
