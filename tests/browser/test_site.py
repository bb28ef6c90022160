"""The built documentation opens from the disk: it asks nothing of the network, and its search answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import PATIENCE

PAGES = ("index.html", "guides/compare_two_pdfs.html", "reference/commands.html", "results.html")

pytestmark = pytest.mark.xdist_group("site")


def test_from_the_disk_without_a_network(chromium: Browser, site: Path) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(PATIENCE)
    for name in PAGES:
        page.goto((site / name).as_uri())
        page.locator("h1").first.wait_for()
    page.goto((site / "index.html").as_uri())
    page.locator("input[name=query]").fill("exclude quotations")
    page.locator(".md-search-result__item").first.wait_for()
    assert "Compare two PDFs" in page.locator(".md-search-result__list").inner_text()
    assert asked and all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    assert not errors
    page.close()
