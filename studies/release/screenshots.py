"""The pictures of the README: `python -m studies.release.screenshots ADDRESS` takes them from a running explorer.

colde app --port 8611 & python -m studies.release.screenshots http://127.0.0.1:8611
"""

from __future__ import annotations

import click
from playwright.sync_api import Page, sync_playwright

from studies import ROOT

FOLDER = ROOT / "assets" / "screenshots"
VIEW = "/?sample=lighthouse&model=colde_words&profile=general"
SETTLED = "[data-testid=stApp][data-test-connection-state=CONNECTED][data-test-script-state=notRunning]"
PATIENCE = 400_000
"""Milliseconds: models are loaded and the sample is encoded for the first picture."""


@click.command()
@click.argument("address")
def main(address: str) -> None:
    """Take compare-light.png, compare-dark.png, compare-narrow.png and matches.png."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, width, height, scheme, tab in (
            ("compare-light", 1280, 800, "light", "Map"),
            ("compare-dark", 1280, 800, "dark", "Map"),
            ("matches", 1280, 800, "light", "Matches"),
            ("compare-narrow", 390, 844, "light", "Map"),
        ):
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(address + VIEW)
            _show(page, tab)
            page.screenshot(path=FOLDER / f"{name}.png")
            click.echo(f"wrote {name}.png", err=True)
            context.close()
        browser.close()


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
