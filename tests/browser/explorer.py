"""What the tests of the explorer do on its page again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from playwright.sync_api import Download, FilePayload, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

SLOW = 240_000
"""Milliseconds: models are loaded and documents encoded while other tests may run."""


Listeners: TypeAlias = dict[Any, Callable[[Any], None]]
"""Functions by the events of a page that they are called with."""


@contextmanager
def listening(page: Page, listeners: Listeners) -> Iterator[None]:
    """Listen to events of a page for a while."""
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        yield
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


def settled(page: Page) -> None:
    """Wait until Streamlit is connected and has nothing left to run."""
    page.locator(
        "[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
    ).wait_for(timeout=SLOW)


def upload(page: Page, side: str, file: Path | FilePayload) -> None:
    """Put a file in by the input's label."""
    page.get_by_test_id("stFileUploader").filter(has_text=f"Document {side}").locator(
        "input"
    ).set_input_files(file)


def compare(page: Page) -> None:
    """Press the button once both documents are read, and wait for everything."""
    button = page.get_by_role("button", name="Compare", exact=True)
    expect(button).to_be_enabled(timeout=SLOW)
    button.click()
    finished(page)


def compare_versions(page: Page, old: str, new: str) -> None:
    """Compare two texts."""
    upload(page, "A", text_file("old.md", old))
    upload(page, "B", text_file("new.md", new))
    compare(page)


def use_pair(page: Page) -> None:
    """Take the sample pair on the lighthouse lens."""
    press(page.locator(".st-key-sample_lighthouse button"), page.get_by_test_id("text-a"), 30_000)


def press(button: Locator, seen: Locator, patience: float) -> None:
    """Press until something is seen."""

    def act() -> None:
        if not seen.is_visible():
            button.click(timeout=patience)

    repeat_until(act, lambda wait: seen.wait_for(timeout=wait), patience)


def repeat_until(act: Callable[[], None], seen: Callable[[float], object], patience: float = 10_000) -> None:
    """Act until something is seen, first for `patience` milliseconds: a click that falls into a rerun is lost."""
    for wait in (patience, 3 * patience, SLOW / 2):
        with suppress(PlaywrightTimeout):
            act()
            seen(wait)
            return
    raise AssertionError("it does not come")


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Export", exact=True)).to_be_visible(timeout=SLOW)
    drawn = page.locator(
        "[data-testid=heatmap]:visible, [data-noun=change]:visible"
    )  # versions open on Changes
    expect(drawn.first).to_be_visible(timeout=SLOW)
    settled(page)


def text_file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def download(page: Page, name: str) -> Path:
    """Press a download button; returns the path of the file.

    A press that a rerun of the page has swallowed is made again. The button is pressed by the keyboard, since a growing
    page can push the list of buttons out of sight.
    """
    button = page.get_by_role("button", name=name, exact=True)
    for last in (False, False, False, True):
        settled(page)
        try:
            if button.count() == 0:
                page.get_by_role("button", name="Export").click(timeout=SLOW / 4)
            return _downloaded(page, button)
        except PlaywrightError:  # also of a file that is gone
            if last:
                raise
            page.keyboard.press("Escape")
    raise AssertionError("never reached")


LOST = 3_000
"""Milliseconds after which a press that the button does not show was swallowed, and a file that has come is not saved
any more."""
POLL = 50
"""Milliseconds between two looks at what has come."""


def _downloaded(page: Page, button: Locator) -> Path:
    """Press the button and wait for its file.

    Of files that follow each other fast, the browser fetches one in thirty without saving it.

    Raises:
        PlaywrightTimeout: no file was saved.
    """
    is_made = button.and_(page.locator(":disabled"))
    begun, ended, saved = list[str](), list[str](), list[Download]()
    listeners: Listeners = {
        "request": lambda request: begun.append(request.url),
        "requestfinished": lambda request: ended.append(request.url),
        "download": lambda download: saved.append(download),
    }
    with listening(page, listeners):
        button.press("Enter", timeout=SLOW / 16)
        waited = idle = 0
        while waited < SLOW / 4 and idle < LOST:
            files = {url for url in begun if "/media/" in url}  # none of a press before
            if of_button := [one for one in saved if one.url in files]:
                return Path(of_button[0].path())
            page.wait_for_timeout(POLL)
            waited += POLL
            is_coming = not files.intersection(ended) if files else is_made.count() > 0
            idle = 0 if is_coming else idle + POLL
    raise PlaywrightTimeout("no file was saved")
