"""The linked view on its own: what happens while results come in, and with long documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from colde.comparison import Comparison
from colde.document import Box, Document, Span
from colde.ingest.blocks import Block, Fragment, assemble
from colde.report.payload import view_payload
from colde.similarity import SimilarityMap
from tests.browser.looks import click_cell, current, expect_in_sight, heatmap, settled_box
from tests.report.example import example

Show = Callable[[dict[str, Any]], Page]


def update(page: Page, payload: dict[str, Any]) -> None:
    page.evaluate("payload => window.view.update(payload)", payload)


def with_section(comparison: Comparison, values: np.ndarray) -> Comparison:
    section = replace(comparison.maps["colde"]["section"], values=values.astype(np.float32))
    return replace(comparison, results=(), maps={"colde": {"section": section}})


def test_texts_stand_there_before_any_model_has_finished(show: Show) -> None:
    empty = replace(example(), results=(), maps={}, evidence=())
    page = show(view_payload(empty))
    expect(page.get_by_test_id("text-a")).to_contain_text("Along most coasts")
    expect(page.get_by_text("The map of the two texts will stand here.")).to_be_visible()
    expect(heatmap(page)).to_be_hidden()


def test_maps_that_fill_in_leave_the_reader_where_they_are(show: Show) -> None:
    whole = example()
    values = whole.maps["colde"]["section"].values
    half = values.copy()
    half[3:] = np.nan
    page = show(view_payload(with_section(whole, half), "colde"))
    expect(page.get_by_text("CoLDE is still reading; hatched cells follow.")).to_be_visible()
    click_cell(page, 1, 3)
    marked = current(page, "a")
    pane = page.get_by_test_id("text-b")
    pane.evaluate("e => { e.scrollTop = 37 }")
    node = heatmap(page).element_handle()
    update(page, view_payload(with_section(whole, values), "colde"))
    assert current(page, "a") == marked
    assert pane.evaluate("e => e.scrollTop") == 37
    assert heatmap(page).evaluate("(now, before) => now === before", node)
    update(page, view_payload(whole, "colde"))
    expect(page.get_by_text("still reading")).to_be_hidden()
    expect(page.get_by_role("button", name="Sentences")).to_be_visible()
    assert current(page, "a") == marked


def test_other_documents_start_afresh(show: Show) -> None:
    whole = example()
    page = show(view_payload(whole, "colde"))
    click_cell(page, 1, 3)
    swapped = replace(whole, a=whole.b, b=whole.a, results=(), maps={}, evidence=())
    update(page, view_payload(swapped, "colde"))
    expect(page.get_by_test_id("text-a")).to_contain_text("People counted days")
    assert page.locator('[aria-current="true"]').count() == 0


def test_a_selection_is_told_and_shows_again_in_another_session(show: Show) -> None:
    payload = view_payload(example(), "colde")
    page = show(payload)
    click_cell(page, 1, 3)
    page.wait_for_function("said.length === 1")
    click_cell(page, 0, 0)
    page.wait_for_function("said.length === 2")
    said = page.evaluate("said[1]")
    assert len(json.dumps(said)) < 1000
    assert said["level"] == "chunk"
    assert said["path"] == [{"map": "section", "row": 1, "column": 3}]
    again = show({**payload, "wanted": said})
    for side in ("a", "b"):
        assert current(again, side) == current(page, side)
        expect_in_sight(again, side)
    again.wait_for_timeout(300)
    assert again.evaluate("said") == []  # what was asked for is not told back
    assert again.locator(".lv-here").text_content() == page.locator(".lv-here").text_content()


def test_a_selection_within_one_text_shows_that_text_on_both_sides(show: Show) -> None:
    wanted = {"map": "within_a_section", "row": 1, "column": 3, "path": []}
    page = show({**view_payload(example(), "colde"), "wanted": wanted})
    for pane in ("text-a", "text-a-again"):
        expect(page.get_by_test_id(pane)).to_contain_text("Along most coasts")
    expect(page.locator('[aria-current="true"]').first).to_be_visible()


def test_what_is_wanted_waits_for_the_map_and_is_obeyed_once(show: Show) -> None:
    whole = example()
    wanted = {"map": "section", "row": 1, "column": 3, "path": []}
    nothing = replace(whole, results=(), maps={}, evidence=())
    page = show({**view_payload(nothing, "colde"), "wanted": wanted})
    assert page.locator('[aria-current="true"]').count() == 0
    early = with_section(whole, whole.maps["colde"]["section"].values)
    update(page, {**view_payload(early, "colde"), "wanted": wanted})
    assert current(page, "a").startswith("Spring and neap tides")
    expect(heatmap(page)).to_have_attribute("data-level", "section")
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    expect(heatmap(page)).to_have_attribute("data-level", "chunk")  # as far as it was opened for the sender
    page.get_by_role("button", name="Next match").click()
    marked = current(page, "a")
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    assert current(page, "a") == marked


def test_what_is_wanted_never_undoes_what_the_reader_did_meanwhile(show: Show) -> None:
    whole = example()
    wanted = {"map": "section", "row": 1, "column": 3, "path": []}
    early = with_section(whole, whole.maps["colde"]["section"].values)
    page = show({**view_payload(early, "colde"), "wanted": wanted})
    click_cell(page, 0, 0)
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    assert current(page, "a").startswith("Why the sea rises")


def test_the_map_is_put_away_and_lines_join_the_texts(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    click_cell(page, 1, 3)
    page.get_by_role("button", name="Texts only").click()
    expect(heatmap(page)).to_be_hidden()
    line = settled_box(page.locator(".lv-link").first)
    left, right = (page.get_by_test_id(f"text-{side}").bounding_box() for side in "ab")
    assert left is not None
    assert right is not None
    assert line is not None
    assert left["x"] + left["width"] <= line["x"] + 5  # half the stroke
    assert line["x"] + line["width"] <= right["x"] + 5
    page.get_by_role("button", name="Show map").click()
    expect(heatmap(page)).to_be_visible()


def test_two_passages_can_be_asked_for_without_a_cell(show: Show) -> None:
    whole = example()
    found = whole.evidence[1]
    spans = {k: [p.start, p.end] for k, p in (("a", found.a), ("b", found.b))}
    page = show({**view_payload(whole, "colde"), "wanted": spans})
    assert current(page, "a") == whole.a.text[found.a.start : found.a.end]
    assert current(page, "b") == whole.b.text[found.b.start : found.b.end]


def test_overlapping_marks_stay_exact_to_the_character(show: Show) -> None:
    whole = example()
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


def test_pages_are_asked_for_one_by_one_and_boxes_lie_over_them(show: Show) -> None:
    a = paged()
    b = replace(a, title="B")
    sections = tuple(Span(s.start, s.end) for s in a.sections)
    values = np.eye(2, dtype=np.float32)
    section = SimilarityMap(values, sections, sections, "cosine", "Same section.")
    both = Comparison(a, b, (), (), (), {"colde": {"section": section}}, (), {})
    page = show(view_payload(both, "colde"))
    click_cell(page, 1, 1)
    page.get_by_role("button", name="Show pages").first.click()
    page.wait_for_function("asked.length > 0")
    assert page.evaluate("asked[0]") == ["a", 2]
    box = page.get_by_test_id("pages-a").locator('[aria-current="true"]').first
    expect(box).to_be_in_viewport()
    sheet = settled_box(page.get_by_test_id("pages-a").locator('[data-page="2"]'))
    drawn = settled_box(box)
    assert sheet is not None
    assert drawn is not None
    assert drawn["x"] - sheet["x"] == pytest.approx(0.1 * sheet["width"], abs=1.5)
    assert drawn["y"] - sheet["y"] == pytest.approx(0.25 * sheet["height"], abs=1.5)


def paged() -> Document:
    """Two pages of 200 × 400 points, a section and a sentence on each."""
    blocks = []
    for page, word in ((1, "One"), (2, "Two")):
        text = f"{word} sentence stands here."
        fragment = Fragment(0, len(text), Box(page, 20.0, 100.0, 120.0, 110.0))
        blocks += [Block(f"Section {word}", level=1), Block(text, fragments=(fragment,))]
    sizes = ((200.0, 400.0), (200.0, 400.0))
    return assemble(blocks, source="p.pdf", format="pdf", title="A", pages=2, page_sizes=sizes)


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
    sentence = SimilarityMap(values, rows, rows, "cosine", "Numbers drawn at random, one of them great.")
    heads = tuple(Span(s.start, s.end) for s in book.sections)
    section = SimilarityMap(np.eye(100, dtype=np.float32), heads, heads, "cosine", "Same chapter.")
    maps = {"colde": {"section": section, "sentence": sentence}}
    page = show(view_payload(Comparison(book, book, (), (), (), maps, (), {}), "colde"))
    page.get_by_role("button", name="Sentences").click()
    expect(heatmap(page)).to_have_attribute("data-rows", str(sentences))
    heatmap(page).hover()
    expect(page.locator(".lv-tip .lv-lens")).to_be_visible()  # cells smaller than a pixel
    page.get_by_test_id("strongest").click()
    last = book.text[rows[-1].start : rows[-1].end]
    for side in ("a", "b"):
        assert current(page, side) == last
        expect_in_sight(page, side)
