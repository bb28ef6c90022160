"""The pictures of the README, taken from a running explorer.

colde app --port 8611 & python -m studies.release.screenshots http://127.0.0.1:8611
"""

from __future__ import annotations

import click
from playwright.sync_api import Page

from studies import ROOT
from studies.browser import PATIENCE, SETTLED, chromium

FOLDER = ROOT / "assets" / "screenshots"
VIEW = "/?sample=lighthouse&model=colde_words&profile=general"


PICTURES = (
    ("compare-light", 1280, 800, "light", "Map"),
    ("compare-dark", 1280, 800, "dark", "Map"),
    ("matches", 1280, 800, "light", "Matches"),
    ("compare-narrow", 390, 844, "light", "Map"),
)
"""Name, width and height in pixels, colour scheme, and the tab that is shown."""


@click.command()
@click.argument("address")
def main(address: str) -> None:
    """Take compare-light.png, compare-dark.png, compare-narrow.png and matches.png."""
    with chromium() as browser:
        for name, width, height, scheme, tab in PICTURES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(address + VIEW)
            _show(page, tab)
            page.screenshot(path=FOLDER / f"{name}.png")
            click.echo(f"wrote {name}.png", err=True)
            context.close()


def _show(page: Page, tab: str) -> None:
    """The sample compared, its third match selected in this tab."""
    page.get_by_role("button", name="Export").wait_for()
    page.get_by_test_id("heatmap").wait_for()
    page.locator(SETTLED).wait_for()
    page.get_by_role("tab", name=tab).click()
    page.locator(".lv-match:visible").nth(2).click()
    if page.viewport_size and page.viewport_size["width"] < 700:
        page.get_by_test_id("linked-view").evaluate("view => view.scrollIntoView()")
    page.wait_for_timeout(1500)


if __name__ == "__main__":
    main()
