"""The page Search in a browser: make an index, search with a paragraph, open a hit beside it."""

from __future__ import annotations

from playwright.sync_api import expect

from colde.corpus.samples import sample_named
from tests.browser.explorer import SLOW, finished, press, settled
from tests.browser.looks import Open, violations


def test_an_index_is_made_and_searched_and_a_hit_opens_beside_the_query(visit: Open) -> None:
    page = visit("/search")
    expect(page.get_by_role("button", name="Make an index")).to_be_visible(timeout=SLOW)
    add = page.get_by_role("button", name="Add its files")
    press(page.get_by_role("button", name="Make an index"), add, 10_000)
    add.click()
    expect(page.get_by_text("3 files added, 0 already indexed, 0 skipped")).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")

    lens = sample_named("lighthouse").a.read_text(encoding="utf-8")
    paragraph = max(lens.split("\n\n"), key=len)
    page.get_by_label("Or a paragraph of 20 words or more").fill(paragraph)
    page.keyboard.press("Tab")
    settled(page)
    search = page.get_by_role("button", name="Search", exact=True)
    expect(search).to_be_enabled(timeout=SLOW)
    search.click()
    expect(page.get_by_role("heading", name="3 hits")).to_be_visible(timeout=SLOW)
    settled(page)
    expect(page.get_by_text("1. ", exact=False).first).to_contain_text("lens", ignore_case=True)
    assert violations(page) == []

    page.get_by_role("button", name="Compare with query").first.click()
    finished(page)
    expect(page.get_by_test_id("text-a")).to_contain_text(paragraph[:40])
