"""The pictures of the README, taken from a running explorer.

colde app --port 8611 & python -m studies.release.screenshots http://127.0.0.1:8611
"""

from __future__ import annotations

import click
from playwright.sync_api import Page

from studies import ROOT
from studies.browser import PATIENCE, SETTLED, chromium

FOLDER = ROOT / "assets" / "screenshots"
VIEW = "/?sample={sample}&model=colde_words"


PICTURES = (
    ("compare-light", 1280, 800, "light", "Map", "battery"),
    ("compare-dark", 1280, 800, "dark", "Map", "battery"),
    ("passages", 1280, 800, "light", "Passages", "battery"),
    ("changes", 1280, 800, "light", "Changes", "licence"),
    ("compare-narrow", 390, 844, "light", "Changes", "licence"),
)
"""Name, width and height in pixels, colour scheme, the tab that is shown, and the sample."""
SELECTED = {"Map": 1, "Passages": 1, "Changes": 0}
"""Place of the passage or change that is selected in each tab."""


@click.command()
@click.argument("address")
@click.option("--only", help="The name of one picture.")
def main(address: str, only: str | None) -> None:
    """Take a picture for each row of PICTURES; `--only NAME` takes one of them."""
    with chromium() as browser:
        for name, width, height, scheme, tab, sample in PICTURES:
            if only not in (None, name):
                continue
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(address + VIEW.format(sample=sample))
            _show(page, tab)
            page.screenshot(path=FOLDER / f"{name}.png")
            click.echo(f"wrote {name}.png", err=True)
            context.close()


def _show(page: Page, tab: str) -> None:
    """The sample compared, a passage or change selected in this tab, and accepted in the list of passages."""
    page.get_by_role("button", name="Export").wait_for()
    page.get_by_test_id("heatmap").wait_for(state="attached")  # versions open on their changes
    page.locator(SETTLED).wait_for()
    page.get_by_role("tab", name=tab).click()
    page.locator(".lv-item:visible").nth(SELECTED[tab]).click()
    if tab == "Passages":
        page.get_by_role("button", name="Accept").first.click()
    if page.viewport_size and page.viewport_size["width"] < 700:
        page.get_by_test_id("linked-view").evaluate("view => view.scrollIntoView()")
    page.wait_for_timeout(1000)
    page.locator(SETTLED).wait_for()
    page.wait_for_timeout(1500)


if __name__ == "__main__":
    main()
