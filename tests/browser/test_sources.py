"""The view of a document's sources in Chromium: marks, ranking, both texts, exclusions, a decision, no violation."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from colde.index.counted_sources import Sources
from colde.ingest import read_text
from colde.report.sources_html import sources_html
from tests.browser.looks import Open, violations
from tests.index.source_texts import HARBOUR, LAMP, query_text, shared_passages

PART = HARBOUR.split(", so that ")[0]


@pytest.fixture
def sources() -> Sources:
    """`harbour.txt` has two passages of a text, `lamps.txt` has one of them and `chess.txt` a part of the other."""
    document = read_text(query_text(LAMP, "He wrote this down as well.", HARBOUR))
    names = {"harbour.txt": (LAMP, HARBOUR), "lamps.txt": (LAMP,), "chess.txt": (PART,)}
    return shared_passages(document, names)


@pytest.fixture
def page(sources: Sources, open_file: Open, tmp_path: Path) -> Page:
    path = tmp_path / "sources.html"
    path.write_text(sources_html(sources), encoding="utf-8")
    return open_file(path)


def total(page: Page) -> str:
    return page.get_by_test_id("sources-total").inner_text()


def test_the_page_counts_as_the_program_does(page: Page, sources: Sources) -> None:
    def compare(now: Sources) -> None:
        rows = page.get_by_test_id("source")
        expect(rows).to_have_count(len(now))
        for row, source in zip(rows.all(), now, strict=True):
            text = row.inner_text()
            assert source.name in text
            assert f"{source.words} words ({source.own_words} of no source above)" in text
        assert f"of {now.words} words" in total(page)

    compare(sources)
    page.get_by_role("checkbox", name="Count harbour.txt").uncheck()
    compare(sources.excluding(documents=["harbour.txt"]))
    page.get_by_label("Passages below (words)").fill("30")
    page.keyboard.press("Tab")
    compare(sources.excluding(documents=["harbour.txt"], fewest_words=30))
    page.get_by_role("checkbox", name="Count harbour.txt").check()
    compare(sources.excluding(fewest_words=30))


def test_a_click_opens_both_texts_at_the_passage(page: Page) -> None:
    text, side = page.get_by_test_id("sources-text"), page.get_by_test_id("sources-side")
    expect(text.locator("mark")).to_have_count(2)
    text.get_by_role("button", name="1+1, harbour.txt").first.click()
    for pane in (text, side):
        mark = pane.locator("mark[aria-current=true]")
        expect(mark).to_have_text(LAMP)
        expect(mark).to_be_in_viewport()
    side.get_by_role("button", name="2. lamps.txt").click()
    expect(side.get_by_role("heading", name="lamps.txt")).to_be_visible()
    expect(side.locator("mark[aria-current=true]")).to_have_text(LAMP)
    side.get_by_role("button", name="Back to all sources").click()
    expect(page.get_by_test_id("source")).to_have_count(3)
    expect(text.locator("mark[aria-current=true]")).to_have_count(0)


def test_a_decision_stays_with_its_passage(page: Page) -> None:
    text, side = page.get_by_test_id("sources-text"), page.get_by_test_id("sources-side")
    text.get_by_role("button").first.click()
    side.get_by_role("button", name="Accept").click()
    expect(side.get_by_role("button", name="Accept")).to_have_attribute("aria-pressed", "true")
    side.get_by_label("Note").fill("quoted without a source")
    side.get_by_role("button", name="Back to all sources").click()
    side.get_by_role("button", name="harbour.txt").click()
    expect(side.get_by_text("accepted")).to_be_visible()
    text.get_by_role("button").first.click()
    expect(side.get_by_label("Note")).to_have_value("quoted without a source")


def test_the_view_has_no_violation_in_either_state(page: Page) -> None:
    page.get_by_test_id("source").first.get_by_role("button").first.click()
    assert violations(page) == []
    page.get_by_test_id("sources-text").get_by_role("button").first.click()
    assert violations(page) == []
