"""The texts and pages of the linked view: passages, boxes on pages, directions of writing, long documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from colde.ingest.shared.blocks import Block, Fragment, assemble
from colde.report.html.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Box, Document, Span
from tests.browser.looks import (
    Show,
    click_cell,
    current,
    expect_in_sight,
    expect_inside,
    heatmap,
    settled_box,
    update,
)
from tests.report.example import example


def paged() -> Document:
    """Two pages of 200 × 400 points, a section and a sentence on each."""
    blocks = []
    for page, word in ((1, "One"), (2, "Two")):
        text = f"{word} sentence stands here."
        fragment = Fragment(0, len(text), Box(page, 20.0, 100.0, 120.0, 110.0))
        blocks += [Block(f"Section {word}", level=1), Block(text, fragments=(fragment,))]
    sizes = ((200.0, 400.0), (200.0, 400.0))
    return assemble(blocks, source="p.pdf", format="pdf", title="A", pages=2, page_sizes=sizes)


def test_pages_are_asked_for_one_by_one_and_boxes_lie_over_them(show: Show) -> None:
    a = paged()
    b = replace(a, title="B")
    sections = tuple(Span(s.start, s.end) for s in a.sections)
    values = np.eye(2, dtype=np.float32)
    section = SimilarityMap(
        values, sections, sections, "cosine", "Same section.", role="topic", level="section"
    )
    both = Comparison(a, b, (), (), (), {"colde": {"section": section}}, {})
    page = show(view_payload(both, "colde"))
    click_cell(page, 1, 1)
    page.get_by_role("button", name="Show pages").first.click()
    page.wait_for_function("asked.length > 0")
    assert page.evaluate("asked[0]") == ["a", 2]
    box = page.get_by_test_id("pages-a").locator('[aria-current="true"]').first
    expect(box).to_be_in_viewport()
    sheet = settled_box(page.get_by_test_id("pages-a").locator('[data-page="2"] .lv-paper'))
    drawn = settled_box(box)
    assert sheet and drawn
    assert drawn["x"] - sheet["x"] == pytest.approx(0.1 * sheet["width"], abs=1.5)
    assert drawn["y"] - sheet["y"] == pytest.approx(0.25 * sheet["height"], abs=1.5)


def test_find_and_outline_go_to_places_on_the_pages(show: Show) -> None:
    page = show(view_payload(Comparison(paged(), paged(), (), (), (), {}, {})))
    page.get_by_role("button", name="Show pages").first.click()
    pages = page.get_by_test_id("pages-a")
    page.get_by_label("Find in text A").fill("Two sentence")
    found = pages.locator(".lv-found-now")
    expect(found).to_have_count(1)
    expect_inside(found, pages)
    pages.evaluate("pane => { pane.scrollTop = 0; }")
    page.get_by_role("button", name="Outline").first.click()
    page.get_by_role("button", name="Section Two").click()
    page.wait_for_function("document.querySelector('[data-testid=pages-a]').scrollTop > 0")
    expect_inside(found, pages)
    page.get_by_label("Find in text A").fill("")
    expect(found).to_have_count(0)


def test_a_page_that_cannot_be_drawn_says_so_in_its_place_and_is_not_asked_for_again(show: Show) -> None:
    payload = view_payload(Comparison(paged(), paged(), (), (), (), {}, {}))
    page = show(payload)
    page.get_by_role("button", name="Show pages").first.click()
    page.wait_for_function("asked.length > 0")
    page.evaluate("view.panes.showPages({a: {1: {error: 'Page 1 takes <b>too</b> much.'}}, b: {}})")
    sheet = page.get_by_test_id("pages-a").locator('[data-page="1"]')
    expect(sheet.get_by_role("note")).to_have_text("Page 1 takes <b>too</b> much.")
    expect(sheet.locator("img, b")).to_have_count(0)
    page.get_by_test_id("pages-a").evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
    page.wait_for_function("asked.filter(([side]) => side === 'a').length > 1")
    assert page.evaluate(
        "asked.filter(([side]) => side === 'a').slice(1).every(([, number]) => number === 2)"
    )


def test_passages_are_asked_for_without_a_cell_and_marked_to_the_character(show: Show) -> None:
    whole = example()
    assert whole.shared is not None
    passage = whole.shared.passages[1]
    spans = {k: [p.start, p.end] for k, p in (("a", passage.a), ("b", passage.b))}
    page = show({**view_payload(whole, "colde"), "wanted": spans})
    assert current(page, "a") == whole.a.text[passage.a.start : passage.a.end]
    assert current(page, "b") == whole.b.text[passage.b.start : passage.b.end]
    wanted = {"map": "within_a_section", "row": 1, "column": 3, "path": []}
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    for pane in ("text-a", "text-a-again"):
        expect(page.get_by_test_id(pane)).to_contain_text("Along most coasts")
    expect(page.locator('[aria-current="true"]').first).to_be_visible()

    start = whole.a.text.index("The longer the record") - 3  # 🌊🌙 and a space
    span = [start + 1, start + 15]
    other = [whole.b.text.index("twenty-nine"), whole.b.text.index("twenty-nine") + 6]
    page = show({**view_payload(whole, "colde"), "wanted": {"a": span, "b": other}})
    assert current(page, "a") == "🌙 The longer t"
    assert current(page, "b") == "twenty"
    page.get_by_label("Find in text A").fill("longer the")
    pane = page.get_by_test_id("text-a")
    expect(pane.locator(".lv-found.lv-current")).to_have_text("longer t")
    expect(pane.locator(".lv-found:not(.lv-current)")).to_have_text("he")
    page.get_by_label("Find in text A").fill("")
    assert current(page, "a") == "🌙 The longer t"


def test_a_heading_that_is_being_written_stays_while_results_come_in(show: Show) -> None:
    whole = example()
    at = whole.a.sections[1].start
    edited = {"id": 1, "side": "a", "at": at, "pages": False, "changes": {"a": [1, 0], "b": [0, 0]}}
    payload = {**view_payload(whole, "colde"), "can_edit": True, "sections": edited}
    page = show(payload)
    page.get_by_label("Heading", exact=True).fill("Tides ")
    update(page, {**payload, "generation": "with more results"})
    page.keyboard.type("of the Moon")
    page.keyboard.press("Enter")
    sent = page.evaluate("window.edit")
    assert (sent["do"], sent["at"], sent["heading"]) == ("rename", at, "Tides of the Moon")
    page.get_by_role("group", name="Sections of text A").get_by_role("button", name="Next section").click()
    expect(page.get_by_label("Heading", exact=True)).to_have_value(whole.a.sections[2].heading or "-")


@pytest.mark.parametrize(
    ("text", "direction", "edge"),
    [
        ("يلتزم المستأجر بالعناية بالشقة وإبلاغ المالك فورا.", "rtl", "right"),
        ("The tenant treats the flat with care.", "ltr", "left"),
    ],
)
def test_a_text_stands_at_the_edge_where_its_language_begins(
    show: Show, text: str, direction: str, edge: str
) -> None:
    a = assemble([Block(text)], source="a.txt", format="text", title="A")
    page = show(view_payload(replace(example(), a=a, models=(), maps={})))
    paragraph = page.get_by_test_id("text-a").locator(".lv-paragraph").first
    assert paragraph.evaluate("e => getComputedStyle(e).direction") == direction
    sides = paragraph.evaluate(
        "e => { const line = e.querySelector('.lv-unit').getClientRects()[0], box = e.getBoundingClientRect();"
        " return {left: line.left - box.left, right: box.right - line.right}; }"
    )
    assert sides[edge] < 2 < sides["left" if edge == "right" else "right"]


def test_a_book_of_twenty_thousand_sentences_is_shown_and_reached_at_its_end(show: Show) -> None:
    sentences = 2000
    blocks = []
    for i in range(100):
        blocks.append(Block(f"Chapter {i}", level=1))
        blocks += [Block(" ".join(f"Line {i} {j} {k} of the book." for k in range(20))) for j in range(10)]
    book = assemble(blocks, source="book.txt", format="text", title="Book", language="en")
    every = [Span(s.start, s.end) for _, s in book.sentences()]
    assert len(every) == 20_000
    rows = tuple(every[:: len(every) // sentences])
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 0.5, (sentences, sentences)).astype(np.float32)
    values[-1, -1] = 1.0
    meaning = "Numbers drawn at random, one of them great."
    sentence = SimilarityMap(values, rows, rows, "cosine", meaning, role="passages", level="sentence")
    heads = tuple(Span(s.start, s.end) for s in book.sections)
    chapters = np.eye(100, dtype=np.float32)
    section = SimilarityMap(chapters, heads, heads, "cosine", "Same chapter.", role="topic", level="section")
    maps = {"colde": {"section": section, "sentence": sentence}}
    page = show(view_payload(Comparison(book, book, (), (), (), maps, {}), "colde"))
    page.get_by_role("button", name="Sentences").click()
    expect(heatmap(page)).to_have_attribute("data-rows", str(sentences))
    heatmap(page).hover()
    expect(page.locator(".lv-tip .lv-lens")).to_be_visible()  # cells smaller than a pixel
    page.get_by_test_id("strongest").click()
    last = book.text[rows[-1].start : rows[-1].end]
    for side in ("a", "b"):
        assert current(page, side) == last
        expect_in_sight(page, side)
