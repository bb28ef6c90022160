"""A browser for the tests of pages: Debian's chromium, offline as far as it goes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from colde.report.linked_view import script, style

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
