"""A browser for the tests of pages: Debian's chromium, offline as far as it goes."""

from __future__ import annotations

import os
import socket
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from colde.cli.app import streamlit_command
from colde.report.linked_view import script, style
from tests.browser.explorer import SLOW, settled
from tests.patience import PATIENCE as SECONDS
from tests.patience import wait_for_answer

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

ROOT = Path(__file__).resolve().parent.parent.parent
NO_SESSION = "missing ScriptRunContext"
"""Streamlit's line in the log about something that asks for the state of a session where there is none."""

CHROMIUM = Path("/usr/bin/chromium")

PATIENCE = 60_000
"""Milliseconds to wait for what must come: a machine may have much else to do."""

expect.set_options(timeout=PATIENCE)


def patient(context: BrowserContext) -> BrowserContext:
    """The context, with as much patience for clicks as for expectations."""
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Missing, it fails under CI and skips elsewhere."""
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


@pytest.fixture
def open_file(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open a file; at the end, no page has logged an error or asked for anything but the file itself."""
    contexts, faults = [], []

    def open_page(path: Path, **options: Any) -> Page:
        context = patient(chromium.new_context(**{"viewport": {"width": 1440, "height": 1000}, **options}))
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"a dialog opened: {dialog.message}"))
        page.on("request", lambda r: faults.append(r.url) if r.url != path.as_uri() else None)
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def show(open_file: Callable[..., Page], tmp_path: Path) -> Callable[[dict[str, Any]], Page]:
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
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    server = subprocess.Popen(
        [*streamlit_command(port), "--server.headless", "true"],
        cwd=ROOT,
        env={**os.environ, **cache},
        stdout=log.open("wb"),
        stderr=subprocess.STDOUT,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for_answer(server, lambda: _healthy(f"{url}/_stcore/health"))
        yield url
    finally:
        server.terminate()
        server.wait(SECONDS)
    assert NO_SESSION not in log.read_text(encoding="utf-8"), "something outside of a session read its state"


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open the explorer in a session of its own; at the end, no error and no foreign request is known."""
    contexts, errors, foreign = [], [], []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not _of_a_file_that_is_gone(message):
            errors.append(message.text)

    def asked(url: str) -> None:
        if not url.startswith((address, address.replace("http", "ws", 1), "data:", "blob:")):
            foreign.append(url)

    def open_page(path: str = "", **options: Any) -> Page:
        context = patient(chromium.new_context(**{"viewport": {"width": 1440, "height": 1000}, **options}))
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
        page.on("request", lambda request: asked(request.url))
        page.on("websocket", lambda socket: asked(socket.url))
        page.goto(address + path)
        page.get_by_test_id("stMain").get_by_test_id("stElementContainer").first.wait_for(
            state="attached", timeout=SLOW
        )
        settled(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
    assert foreign == []


def _of_a_file_that_is_gone(message: ConsoleMessage) -> bool:
    """Whether a download was pressed just when a rerun gave it another address; `download` presses again."""
    return "/media/" in message.location["url"] or "Download Button source error - 404" in message.text


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False
