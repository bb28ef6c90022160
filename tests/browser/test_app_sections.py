"""Sections and pages in the explorer in a real browser: edited, swapped, reloaded."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from colde.corpus.samples import sample_named
from tests.browser.explorer import (
    SLOW,
    compare,
    finished,
    settled,
    text_file,
    upload,
)
from tests.browser.looks import (
    Open,
    eventually,
    expect_inside,
    violations,
)

TIDES = "The tide turns twice a day along most coasts, and the pilot waits for it with his boat. " * 3
NOTES = f"# A coast\n\n## Harbours\n\n{TIDES}\n\n## Tides\n\n{TIDES}\n\n## Winds\n\n{TIDES}"

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def test_pages_of_a_pdf_carry_the_passages_and_its_sections(visit: Open) -> None:
    page = visit()
    for side, path in zip(
        "AB", (sample_named("lighthouse").a_pdf, sample_named("lighthouse").b_pdf), strict=True
    ):
        upload(page, side, path)
    compare(page)
    page.get_by_role("button", name="Show pages").first.click()
    sheets = page.get_by_test_id("pages-a")
    image = sheets.locator("img").first
    expect(image).to_be_visible(timeout=SLOW)
    assert image.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 600
    page.locator(".lv-items").get_by_role("button", name="identical").first.click()
    marked = sheets.locator("[aria-current=true]").first
    expect(marked).to_be_in_viewport()
    expect_inside(marked, sheets)
    sheet = marked.locator("xpath=..")
    expect(sheet.locator("img")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Pages", exact=True).first.click()
    small = page.get_by_role("navigation", name="Page thumbnails of text A")
    number = sheet.locator("xpath=..").get_attribute("data-page")
    here = small.get_by_role("button", name=re.compile(rf"^Page {number}, "))
    expect(here).to_have_attribute("aria-current", "true")
    first = small.get_by_role("button", name="Page 1").first
    first.press("Enter")
    expect(first).to_have_attribute("aria-current", "true")

    def at_the_top() -> None:
        assert sheets.evaluate("pane => pane.scrollTop") < 20

    eventually(page, at_the_top)

    page.get_by_role("button", name="Edit sections", exact=True).first.click()
    bar = page.get_by_role("group", name="Sections of text A")
    sheets.get_by_role("button", name="Fires on the headland").click()
    bar.get_by_role("textbox", name="Heading").fill("Bonfires")
    bar.get_by_role("textbox", name="Heading").press("Enter")
    _changed(page, bar, "1 change")
    named = sheets.get_by_role("button", name="Bonfires")
    expect(named).to_be_in_viewport()
    frame = sheets.locator(".lv-block[data-chosen]").first
    expect_inside(frame.locator("button"), sheets)
    bar.get_by_role("button", name="Undo").click()
    expect(sheets.get_by_role("button", name="Fires on the headland")).to_be_visible(timeout=SLOW)


def _changed(page: Page, bar: Locator, said: str) -> None:
    """The view is drawn anew; for a moment the old one may still stand beside it."""
    expect(bar.filter(has_text=said)).to_have_count(1, timeout=SLOW)
    settled(page)
    expect(bar).to_have_count(1)


def test_edited_sections_a_swap_and_a_reload_keep_the_result(visit: Open) -> None:
    page = visit()
    for side, word in (("A", "harbour"), ("B", "lantern")):
        upload(page, side, text_file(f"{word}.md", NOTES.replace("pilot", word)))
    compare(page)
    pane = page.get_by_test_id("text-a")
    bar = page.get_by_role("group", name="Sections of text A")
    page.get_by_role("button", name="Edit sections", exact=True).first.click()
    expect(bar).to_contain_text("Click a heading")
    pane.locator("h4").filter(has_text="Tides").click()
    expect(bar.get_by_role("textbox", name="Heading")).to_have_value("Tides")
    bar.get_by_role("button", name="Merge with “Harbours”").click()
    _changed(page, bar, "1 change")  # the bar goes on where the section went
    expect(pane.locator("h4")).to_have_count(2)
    pane.locator(".lv-sentence").nth(3).click()
    bar.get_by_role("button", name="Make it a heading").click()
    _changed(page, bar, "2 changes")
    expect(pane.locator("h4")).to_have_count(3)
    assert violations(page, page.get_by_test_id("linked-view")) == []
    bar.get_by_role("button", name="Undo").click()
    _changed(page, bar, "1 change")
    expect(pane.locator("h4")).to_have_count(2)
    bar.get_by_role("button", name="Done").click()
    finished(page)
    expect(bar).to_be_hidden()
    expect(pane.locator("h4")).to_have_count(2)
    expect(page.get_by_test_id("verdict")).to_be_visible()

    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("button", name="Edit sections of A").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Winds").check(force=True, timeout=SLOW)
    dialog.get_by_role("button", name="Merge with “Harbours”").click(timeout=SLOW)
    expect(dialog.get_by_role("radio", name="Winds")).to_have_count(0, timeout=SLOW)
    settled(page)  # a key during a rerun is lost
    assert violations(page, dialog) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0, timeout=SLOW)
    finished(page)
    expect(page.get_by_text("2 changes made")).to_have_count(1)
    expect(pane.locator("h4")).to_have_count(1)

    page.get_by_role("button", name="Swap").click()
    texts = page.get_by_test_id("text-a")  # for a moment the old view may still stand beside the new one
    expect(texts.filter(has_text="lantern")).to_be_visible(timeout=SLOW)
    expect(texts).to_have_count(1)
    finished(page)
    page.wait_for_timeout(1500)  # the page runs once more when the comparison has ended
    settled(page)
    expect(page.get_by_test_id("text-a")).to_contain_text("lantern")
    expect(page.get_by_test_id("verdict")).to_be_visible()

    page.reload()
    finished(page)
    expect(page.get_by_test_id("text-a")).to_contain_text("lantern")
    assert page.evaluate("sessionStorage.getItem('colde-tab').length") == 32
    other = visit()
    expect(other.get_by_role("button", name="Use this pair").first).to_be_visible(timeout=SLOW)
    expect(other.get_by_test_id("text-a")).to_have_count(0)
