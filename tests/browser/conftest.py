"""A browser for the tests of pages: Debian's chromium, offline as far as it goes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from colde.cli.serving.app import streamlit_command
from colde.corpus.samples import sample_named
from colde.report.linked_view import script, style
from studies.browser import CHROMIUM
from tests.browser.explorer import SLOW, Listeners, listening, settled
from tests.browser.looks import Open, Show
from tests.programs import ROOT, serving

PAGE = """<!doctype html><meta charset="utf-8"><title>view</title><style>{css}</style><div id="root"></div>
<script type="module">{js}
window.said = [];
window.set = [];
window.asked = [];
window.open_view = async (payload) => {{
  window.view = await mount(document.getElementById("root"), payload, {{
    onSelect: (selected) => window.said.push(selected),
    onSilence: () => {{ window.silences = (window.silences || 0) + 1; }},
    onReview: (marks) => {{ window.review = marks; }},
    onSettings: (settings) => window.set.push(settings),
    onPageWanted: (side, page) => window.asked.push([side, page]),
    onSections: payload.can_edit ? (edit) => {{ window.edit = edit; }} : null,
  }});
}};
</script>"""

NO_SESSION = "missing ScriptRunContext"
"""Streamlit's line in the log about something that asks for the state of a session where there is none."""

STILL = """document.addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { animation: none !important; transition: none !important }";
  document.head.append(style);
});"""
"""Script that stops animations: while a test waits, drawing them takes as much time as the comparison."""

FAST_COMPILER = "--js-flags=--always-sparkplug --no-opt"
"""Pages are short-lived: compiling their scripts again, to faster code, takes more processor time than it saves."""

WINDOW: ViewportSize = {"width": 1440, "height": 1000}
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
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", FAST_COMPILER],
        )
        yield browser
        browser.close()


def new_context(chromium: Browser) -> BrowserContext:
    """A context whose pages wait with patience."""
    context = chromium.new_context(viewport=WINDOW)
    context.set_default_timeout(PATIENCE)
    return context


def faults_of(faults: list[str], ignored: Callable[[ConsoleMessage], bool]) -> Listeners:
    """Listeners that add the errors of a page and the dialogs that it opens to a list."""
    return {
        "console": lambda message: None if ignored(message) else faults.append(message.text),
        "pageerror": lambda error: faults.append(str(error)),
        "dialog": lambda dialog: faults.append(f"a dialog opened: {dialog.message}"),
    }


@pytest.fixture(scope="package")
def files(chromium: Browser) -> BrowserContext:
    """The context of files that keep nothing; its first page shows one after the other, since a new one takes time."""
    context = new_context(chromium)
    context.new_page()
    return context


@pytest.fixture
def open_file(chromium: Browser, files: BrowserContext) -> Iterator[Open]:
    """Open a file, in a window of this size and a colour scheme; `alone`, it has a context of its own.

    At the end, no page has logged an error or asked for anything but the file itself and what it holds.
    """
    pages: list[Page] = []
    faults: list[str] = []
    first = files.pages[0]
    listeners = ExitStack()

    def open_page(
        path: Path,
        *,
        alone: bool = False,
        viewport: ViewportSize = WINDOW,
        color_scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        context = new_context(chromium) if alone else files
        page = context.new_page() if alone or first in pages else first
        pages.append(page)
        known = (path.as_uri(), "blob:")
        asked: Listeners = {"request": lambda r: None if r.url.startswith(known) else faults.append(r.url)}
        seen = faults_of(faults, lambda m: m.type not in ("error", "warning"))
        listeners.enter_context(listening(page, {**asked, **seen}))
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        page.mouse.move(0, 0)
        page.goto(path.as_uri())
        return page

    with listeners:
        yield open_page
    for page in pages:
        if page is not first:
            (page if page.context is files else page.context).close()
    assert faults == []


@pytest.fixture
def show(open_file: Open, tmp_path: Path) -> Show:
    """Mount the linked view alone; what it tells lies in `said`, `set` and `asked`."""
    path = tmp_path / "view.html"
    path.write_text(PAGE.format(css=style(), js=script()), encoding="utf-8")

    def mount(payload: dict[str, Any], *, alone: bool = False) -> Page:
        page = open_file(path, alone=alone)
        page.evaluate("payload => window.open_view(payload)", payload)
        return page

    return mount


def folder_of_samples(root: Path) -> Path:
    """A folder for indexes, with files in it of which one can be made."""
    files = root / "samples"
    files.mkdir()
    for path in (sample_named("lighthouse").a, sample_named("banks").a, sample_named("banks").b):
        shutil.copy(path, files)
    return root


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The explorer, started as people start it, on a free port; it encodes a sample once for all tests."""
    log = tmp_path_factory.mktemp("log") / "explorer.log"
    folders = {
        "COLDE_CACHE": "on",
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        "COLDE_INDEXES": str(folder_of_samples(tmp_path_factory.mktemp("indexes"))),
    }
    with (
        log.open("wb") as file,
        serving(
            lambda port: [*streamlit_command(port), "--server.headless", "true"],
            cwd=ROOT,
            env=folders,
            log=file,
        ) as url,
    ):
        yield url
    assert NO_SESSION not in log.read_text(encoding="utf-8"), "something outside of a session read its state"


@pytest.fixture(scope="package")
def explored(chromium: Browser) -> BrowserContext:
    """The context of pages of the explorer: it holds the scripts of Streamlit, which take a second to load."""
    context = new_context(chromium)
    context.add_init_script(STILL)
    context.new_page()
    return context


def forget(context: BrowserContext, address: str) -> None:
    """Close all pages but the first, and delete what they have kept in the browser."""
    first, *others = context.pages
    for page in others:
        page.close()
    session = context.new_cdp_session(first)
    session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "cookies,local_storage"})
    session.detach()


@pytest.fixture
def visit(chromium: Browser, explored: BrowserContext, address: str) -> Iterator[Open]:
    """Open the explorer in a session of its own; `alone`, in a browser profile of its own, too.

    At the end, no error and no foreign request is known, and nothing that was kept in the browser is left.
    """
    profiles: list[BrowserContext] = []
    errors: list[str] = []
    foreign: list[str] = []

    listeners = ExitStack()

    def asked(something: Any) -> None:
        if not something.url.startswith((address, address.replace("http", "ws", 1), "data:", "blob:")):
            foreign.append(something.url)

    def open_page(
        path: str = "",
        *,
        alone: bool = False,
        viewport: ViewportSize | None = None,
        color_scheme: Literal["light", "dark"] | None = None,
    ) -> Page:
        context = explored
        if alone:
            context = new_context(chromium)
            context.add_init_script(STILL)
            profiles.append(context)
        page = context.new_page()
        if viewport is not None:
            page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        asking: Listeners = {"request": asked, "websocket": asked}
        seen = faults_of(errors, lambda m: m.type != "error" or _of_a_file_that_is_gone(m))
        listeners.enter_context(listening(page, {**asking, **seen}))
        page.goto(address + path)
        page.get_by_test_id("stMain").get_by_test_id("stElementContainer").first.wait_for(
            state="attached", timeout=SLOW
        )
        settled(page)
        return page

    with listeners:
        yield open_page
    for context in profiles:
        context.close()
    forget(explored, address)
    assert errors == []
    assert foreign == []


def _of_a_file_that_is_gone(message: ConsoleMessage) -> bool:
    """Whether a download was pressed just when a rerun gave it another address; `download` presses again."""
    return "/media/" in message.location["url"] or "Download Button source error - 404" in message.text
