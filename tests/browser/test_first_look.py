"""What a comparison opens on, and how the reader arranges both texts and what stands between them."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import expect

from colde.report.html.view_payload import view_payload
from tests.browser.looks import Show, click_cell, heatmap, settled_box
from tests.report.example import example


def test_it_opens_on_the_finding_and_the_measure_stays_while_drilling_down(show: Show) -> None:
    whole = example()
    page = show(view_payload(whole, "colde"))
    measure = page.get_by_label("What is shown")
    for level in ("section", "chunk", "sentence"):
        expect(heatmap(page)).to_have_attribute("data-level", level)
        expect(heatmap(page)).to_have_attribute("aria-label", re.compile("^Shared passages, "))
        click_cell(page, *((1, 3) if level == "section" else (0, 0)))
    page.get_by_role("button", name="Sections").click()
    measure.select_option(label="Topic similarity")
    click_cell(page, 1, 3)
    expect(heatmap(page)).to_have_attribute("data-map", "chunk")
    click_cell(page, 0, 0)  # there is no topic similarity of sentences
    expect(heatmap(page)).to_have_attribute("data-map", "chunk")

    assert whole.shared is not None
    topics = tuple(replace(p, kind="same topic") for p in whole.shared.passages)
    page = show(view_payload(replace(whole, shared=replace(whole.shared, passages=topics)), "colde"))
    expect(heatmap(page)).to_have_attribute("data-map", "section")  # nothing is shared: topic similarity


def test_dividers_are_dragged_and_moved_by_keys_and_the_texts_scroll_together(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    texts = {side: page.get_by_test_id(f"text-{side}") for side in "ab"}

    def width(side: str) -> float:
        box = settled_box(texts[side])
        assert box is not None
        return box["width"]

    divider = page.get_by_role("separator", name="Width of text A")
    before = width("a"), width("b")
    divider.press("ArrowLeft")
    expect(divider).to_have_attribute("aria-valuenow", "29")
    assert width("a") < before[0] and abs(width("b") - before[1]) < 30
    box = settled_box(divider)
    assert box is not None
    page.mouse.move(box["x"] + 7, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 107, box["y"] + 200)
    page.mouse.up()
    assert width("a") > before[0]
    divider.press("Enter")
    expect(divider).to_have_attribute("aria-valuenow", "31")

    together = page.get_by_role("button", name="Sync scroll")
    expect(together).to_have_attribute("aria-pressed", "false")
    for pressed in (False, True):
        texts["a"].evaluate("e => { e.scrollTop = 0 }")
        texts["b"].evaluate("e => { e.scrollTop = 0 }")
        if pressed:
            together.click()
        texts["a"].hover()
        page.mouse.wheel(0, 400)
        page.wait_for_function("document.querySelector('[data-testid=text-a]').scrollTop > 300")
        if pressed:
            page.wait_for_function("document.querySelector('[data-testid=text-b]').scrollTop > 100")
        else:
            page.wait_for_timeout(200)
            assert texts["b"].evaluate("e => e.scrollTop") <= 100
