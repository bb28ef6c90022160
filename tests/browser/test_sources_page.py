"""The pages Search and Sources in a browser, with one index: a hit opens beside the query, a source beside the document
whose passages are marked."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from colde.corpus.samples import sample_named
from tests.browser.explorer import SLOW, finished, press, settled
from tests.browser.looks import Open, violations


def expect_on_first_screen(page: Page) -> None:
    """The total, the ranking and the text stand on the first screen of a small laptop."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 1280, "height": 720})
    for name in ("sources-total", "source", "sources-text"):
        expect(page.get_by_test_id(name).first).to_be_in_viewport(ratio=0.7)
    page.set_viewport_size(before)


def test_an_index_is_made_and_searched_and_a_document_is_traced_to_its_source(visit: Open) -> None:
    page = visit("/sources")
    make = page.get_by_role("button", name="Make an index")
    expect(make).to_be_visible(timeout=SLOW)
    add = page.get_by_role("button", name="Add its files")
    press(make, add, 10_000)
    page.get_by_label("Name of the index").fill("sources.index")
    page.keyboard.press("Tab")
    settled(page)
    add.click()
    expect(page.get_by_text("3 files added, 0 already indexed, 0 skipped")).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")
    settled(page)

    lens = sample_named("lighthouse").a.read_text(encoding="utf-8")
    paragraph = max((p for p in lens.split("\n\n") if not p.startswith("#")), key=len)
    page.get_by_role("link", name="Search").click()
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

    page.get_by_role("link", name="Sources").click()
    own = "My aunt kept a diary of her voyages along the coast, and read from it on winter evenings. " * 4
    text = f"{own}\n\n{paragraph}\n\n{own.replace('aunt', 'uncle')}"
    file = {"name": "diary.txt", "mimeType": "text/plain", "buffer": text.encode()}
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(file)
    find = page.get_by_role("button", name="Find sources")
    expect(find).to_be_enabled(timeout=SLOW)
    find.click()
    source = page.get_by_test_id("source").first
    expect(source).to_be_visible(timeout=SLOW)
    settled(page)
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
    expect_on_first_screen(page)
    assert violations(page) == []

    page.get_by_test_id("sources-text").locator("mark").first.click()
    opened = page.get_by_test_id("source-text").locator("mark[aria-current=true]").first
    expect(opened).to_be_in_viewport()
    expect(page.get_by_test_id("sources-side")).not_to_contain_text("null")
    accept = page.get_by_role("button", name="Accept")
    accept.click()
    expect(accept).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Compare both documents").click()
    finished(page)
    expect(page.get_by_test_id("text-a")).to_contain_text("My aunt kept a diary")

    page.get_by_role("link", name="Sources").click()
    for _ in range(2):
        page.get_by_test_id("sources-text").locator("mark").first.click(timeout=SLOW)
        expect(accept).to_have_attribute("aria-pressed", "true")
        page.reload()
    page.get_by_test_id("sources-text").locator("mark").first.click(timeout=SLOW)
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    expect(accept).to_have_attribute("aria-pressed", "false")
    expect(undo).to_be_disabled()
