"""The pictures of the README, the guides and the gallery.

Those of the page are taken from a running explorer; without an address, the others alone are taken.

colde app --port 8611 & python -m studies.release.screenshots http://127.0.0.1:8611
"""

from __future__ import annotations

from datetime import UTC, datetime

import click
import pypdfium2
from playwright.sync_api import Browser, Page

import colde
from colde.report.redline.redline_files import redline_pdf
from studies import ROOT
from studies.browser import PATIENCE, SETTLED, chromium
from studies.release.report_pictures import PICTURES as REPORT_PICTURES
from studies.release.report_pictures import take_report_picture

FOLDER = ROOT / "assets" / "screenshots"
VIEW = "/?sample={sample}&model=colde_words"


PICTURES = (
    ("compare-light", 1280, 800, "light", "Map", "battery"),
    ("compare-dark", 1280, 800, "dark", "Map", "battery"),
    ("passages", 1280, 800, "light", "Passages", "battery"),
    ("changes", 1280, 800, "light", "Changes", "licence"),
    ("ledger", 1280, 800, "light", "Ledger", "licence"),
    ("chart", 1280, 800, "light", "Chart", "licence"),
    ("compare-narrow", 390, 844, "light", "Changes", "licence"),
    ("export", 1280, 800, "light", "Passages", "battery"),
)
"""Name, width and height in pixels, colour scheme, the tab that is shown, and the sample."""
SELECTED = {"Map": 1, "Passages": 1, "Changes": 0, "Ledger": 4, "Chart": 2}
"""Place of the passage, change or row that is selected in each tab."""
REVIEWED = ("Passages", "Chart")
"""Tabs in which what is selected is accepted."""
OPENED = {"export": "Export"}
"""The button that is open in a picture."""
REDLINE = "redline", "assets/samples/licence_v1.md", "assets/samples/licence_v2.md"
"""Name and versions of the picture of a redline."""
REDLINE_HEIGHT = 0.55
"""Part of the page that is shown."""


@click.command()
@click.argument("address", required=False)
@click.option("--only", help="The name of one picture.")
def main(address: str | None, only: str | None) -> None:
    """Take all pictures; `--only NAME` takes one of them."""
    with chromium() as browser:
        for name in REPORT_PICTURES:
            if only in (None, name):
                take_report_picture(browser, name, FOLDER)
                click.echo(f"wrote {name}.png", err=True)
        if address is not None:
            _explorer(browser, address, only)
    if only in (None, REDLINE[0]):
        _redline()


def _explorer(browser: Browser, address: str, only: str | None) -> None:
    """A picture for each row of PICTURES."""
    for name, width, height, scheme, tab, sample in PICTURES:
        if only not in (None, name):
            continue
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address + VIEW.format(sample=sample))
        _show(page, tab)
        if name in OPENED:
            page.get_by_role("button", name=OPENED[name]).click()
            page.wait_for_timeout(1500)
        page.screenshot(path=FOLDER / f"{name}.png")
        click.echo(f"wrote {name}.png", err=True)
        context.close()


def _redline() -> None:
    """The upper part of the first page of a redline as PDF."""
    name, *files = REDLINE
    a, b = (colde.read(ROOT / file) for file in files)
    data = redline_pdf(colde.compare(a, b, models="tfidf"), datetime(2026, 1, 2, tzinfo=UTC))
    image = pypdfium2.PdfDocument(data)[0].render(scale=1.8).to_pil()
    image.crop((0, 0, image.width, round(image.height * REDLINE_HEIGHT))).save(
        FOLDER / f"{name}.png", optimize=True
    )
    click.echo(f"wrote {name}.png", err=True)


def _show(page: Page, tab: str) -> None:
    """The sample compared, and a passage, change or row selected in this tab."""
    page.get_by_role("button", name="Export").wait_for()
    page.get_by_test_id("heatmap").wait_for(state="attached")  # versions open on their changes
    page.locator(SETTLED).wait_for()
    page.get_by_role("tab", name=tab).click()
    page.locator(":is(.lv-item, .lv-table th button):visible").nth(SELECTED[tab]).click()
    if tab in REVIEWED:
        page.get_by_role("button", name="Accept").first.click()
    if page.viewport_size and page.viewport_size["width"] < 700:
        page.get_by_test_id("linked-view").evaluate("view => view.scrollIntoView()")
    page.wait_for_timeout(1000)
    page.locator(SETTLED).wait_for()
    page.wait_for_timeout(1500)


if __name__ == "__main__":
    main()
