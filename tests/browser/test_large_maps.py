"""Maps in tiles: a part is drawn when its tiles are there, whether the page has them or they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.report.maps import map_tiles as module
from colde.report.maps.map_names import page_maps
from colde.report.maps.map_tiles import requested_tiles
from tests.browser.looks import Open, Show, click_cell, eventually, heatmap
from tests.report.example import example


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MAX_CELLS_AT_ONCE", 1), ("TILE", 3), ("MAX_OVERVIEW", 6)):
        monkeypatch.setattr(module, name, value)


def painted(page: Page) -> bytes:
    return heatmap(page).screenshot()


def test_a_report_in_tiles_looks_like_one_that_is_whole(
    open_file: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = []
    for largest in (10**6, 1):
        monkeypatch.setattr(module, "MAX_CELLS_AT_ONCE", largest)
        monkeypatch.setattr(module, "TILE", 3)
        path = tmp_path / f"{largest}.html"
        path.write_text(to_html(example()), encoding="utf-8")
        pages.append(open_file(path))
    at_once, in_tiles = pages
    assert ['id="tiles-' in page.content() for page in pages] == [False, True]
    _expect_same_looks(at_once, in_tiles)
    for page in pages:
        click_cell(page, 0, 0)
    _expect_same_looks(at_once, in_tiles)


def _expect_same_looks(at_once: Page, in_tiles: Page) -> None:
    """A cell is hatched until its tile is unpacked, hence the second page may need a moment."""

    def same_look() -> None:
        assert painted(in_tiles) == painted(at_once)

    eventually(in_tiles, same_look)


def test_what_a_part_needs_is_asked_for_and_drawn_when_it_is_there(show: Show, small_tiles: None) -> None:
    whole = example()
    payload = view_payload(whole, "colde")
    page = show(payload)
    page.evaluate(
        "() => { window.asked = []; window.view.callbacks.onTiles = (list) => window.asked.push(list); }"
    )
    page.evaluate("() => window.view.pieces.asked = ''")
    page.evaluate("() => window.view.pieces.askSoon()")
    page.wait_for_function("() => window.asked.length > 0")
    before = painted(page)
    for _ in range(20):
        asked = page.evaluate("() => window.asked.splice(0)")
        for some in asked:
            page.evaluate("p => window.view.receive(p)", {**payload, "tiles": requested_tiles(whole, some)})
        page.wait_for_timeout(200)
        if not asked:
            break
    assert painted(page) != before
    values = page_maps(whole, "colde")["passages_section"].values
    assert page.evaluate("() => window.view.model.map('passages_section').at(0, 0)") == pytest.approx(
        float(values[0, 0]), abs=0.0001
    )
    expect(heatmap(page)).to_be_visible()
