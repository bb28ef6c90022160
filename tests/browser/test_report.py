"""The HTML report in a real browser, opened from the disk: both texts answer a click, and nothing is asked of
anybody."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from colde.report.html.html_report import to_html
from colde.report.maps.map_names import SECTION_PASSAGES_MEANING
from colde.results.comparison import Comparison
from tests.browser.looks import (
    Open,
    click_cell,
    current,
    expect_in_sight,
    expect_no_sideways,
    heatmap,
    violations,
    violations_in,
    words,
)
from tests.report.example import MARKUP, SCRIPT_END, example


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return example()


@pytest.fixture(scope="module")
def report(comparison: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(to_html(comparison), encoding="utf-8")
    return path


def brightest(comparison: Comparison) -> tuple[int, int]:
    values = comparison.maps["colde"]["section"].values
    row, column = np.unravel_index(int(np.nanargmax(values)), values.shape)
    return int(row), int(column)


def test_a_click_on_the_brightest_cell_shows_both_passages(
    open_file: Open, report: Path, comparison: Comparison
) -> None:
    page = open_file(report)
    row, column = brightest(comparison)
    click_cell(page, row, column)
    section = comparison.maps["colde"]["section"]
    for side, document, span in (
        ("a", comparison.a, section.rows[row]),
        ("b", comparison.b, section.columns[column]),
    ):
        expect_in_sight(page, side)
        assert current(page, side) == words(document.text[span.start : span.end])


def test_a_cell_opens_its_chunks_then_its_sentences_and_the_way_back_is_open(
    open_file: Open, report: Path, comparison: Comparison
) -> None:
    page = open_file(report)
    expect(heatmap(page)).to_have_attribute("data-level", "section")
    row, column = brightest(comparison)
    click_cell(page, row, column)
    expect(heatmap(page)).to_have_attribute("data-level", "chunk")
    expect(heatmap(page)).to_have_attribute("data-map", "passages")
    click_cell(page, 0, 0)
    expect(heatmap(page)).to_have_attribute("data-level", "sentence")
    click_cell(page, 0, 0)
    expect(heatmap(page)).to_have_attribute("data-level", "sentence")
    expect_in_sight(page, "a")
    heatmap(page).press("Escape")
    expect(heatmap(page)).to_have_attribute("data-level", "chunk")
    page.get_by_role("button", name="All", exact=True).click()
    expect(heatmap(page)).to_have_attribute("data-level", "section")
    expect(heatmap(page)).to_have_attribute("data-rows", "5")


def test_every_point_of_the_canvas_is_a_cell(open_file: Open, report: Path) -> None:
    page = open_file(report)
    canvas = heatmap(page)
    box = canvas.bounding_box()
    assert box is not None
    right, bottom = box["width"], box["height"]
    corners = product((0.5, right - 0.5), (0.5, bottom - 0.5))
    for x, y in (*corners, (right / 2, bottom / 2)):
        canvas.click(position={"x": x, "y": y})
        expect_in_sight(page, "a")
        expect_in_sight(page, "b")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(heatmap(page)).to_have_attribute("data-level", "section")


def test_the_keyboard_does_all_that_the_mouse_does(
    open_file: Open, report: Path, comparison: Comparison
) -> None:
    page = open_file(report)
    heatmap(page).focus()
    page.keyboard.press("Control+Home")
    expect(page.locator(".lv-live[role=status]")).to_contain_text("Why the sea rises twice a day")
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lv-live[role=status]")).to_contain_text(
        "Spring and neap tides by Festivals that wander"
    )
    page.keyboard.press("Enter")
    assert current(page, "a").startswith("Spring and neap tides The Sun raises")
    assert current(page, "b").startswith("Festivals that wander")
    page.keyboard.press("Escape")
    expect(heatmap(page)).to_have_attribute("data-level", "section")
    expect(heatmap(page)).to_be_focused()


def test_passages_are_walked_by_keys_and_are_exact(
    open_file: Open, report: Path, comparison: Comparison
) -> None:
    page = open_file(report)
    heatmap(page).focus()
    assert comparison.shared is not None
    listed = comparison.shared.passages
    for key, place in (("n", 0), ("n", 1), ("n", 2), ("p", 1), ("p", 0), ("p", -1)):
        page.keyboard.press(key)
        found = listed[place]
        assert current(page, "a") == words(comparison.a.text[found.a.start : found.a.end])
        assert current(page, "b") == words(comparison.b.text[found.b.start : found.b.end])
        expect_in_sight(page, "a")
        expect_in_sight(page, "b")


def test_a_sentence_shows_its_counterpart_and_only_the_other_pane_moves(
    open_file: Open, report: Path
) -> None:
    page = open_file(report, viewport={"width": 1440, "height": 640})
    left, right = page.get_by_test_id("text-a"), page.get_by_test_id("text-b")
    sentence = left.locator(".lv-sentence", has_text="Along most coasts the sea rises and falls twice a day.")
    page.get_by_test_id("linked-view").evaluate("view => view.scrollIntoView()")
    window, before = page.evaluate("scrollY"), left.evaluate("e => e.scrollTop")
    sentence.click()
    answer = right.locator(".lv-pinned")
    expect(answer).to_have_text("Along most coasts the sea rises and falls twice a day.")
    expect(answer).to_have_attribute("data-note", "1.00")
    expect(answer).to_be_in_viewport()
    assert left.evaluate("e => e.scrollTop") == before
    assert page.evaluate("scrollY") == window

    page.keyboard.press("Escape")
    page.get_by_test_id("text-b").locator(".lv-sentence", has_text="Along most coasts").hover()
    best = page.get_by_test_id("text-a").locator(".lv-best")
    expect(best).to_have_text("Along most coasts the sea rises and falls twice a day.")
    expect(best).to_have_attribute("data-note", "1.00")


def test_markup_in_a_document_stays_text(open_file: Open, report: Path) -> None:
    page = open_file(report)
    pane = page.get_by_test_id("text-a")
    expect(pane).to_contain_text(MARKUP)
    expect(pane).to_contain_text(SCRIPT_END)
    expect(page.get_by_role("heading", level=1)).to_contain_text(MARKUP)
    assert page.locator("main img").count() == 0
    kinds = page.locator("script").evaluate_all("scripts => scripts.map((s) => s.type)")
    assert sorted(kinds) == ["application/json", "application/json", "module"]  # record, payload, view
    assert "↔" in page.title()


def test_what_a_model_did_not_read_is_hatched_and_said(
    open_file: Open, report: Path, comparison: Comparison
) -> None:
    page = open_file(report)
    page.get_by_label("Model").select_option("half")
    expect(page.get_by_text("First half read 450 of 900 tokens")).to_be_visible()
    unread = comparison.models[1].read_a.unread[0]
    pieces = page.get_by_test_id("text-a").locator(".lv-unread").all_text_contents()
    hidden = "".join(comparison.a.text[unread.start : unread.end].split())
    assert "".join("".join(pieces).split()) == hidden


def test_what_is_shown_is_said_above_it(open_file: Open, report: Path, comparison: Comparison) -> None:
    page = open_file(report)
    maps = comparison.maps["colde"]
    meaning = page.locator(".lv-figure > .lv-meaning")
    expect(meaning).to_have_text(SECTION_PASSAGES_MEANING)  # some passages are shared
    page.get_by_role("button", name="Chunks").click()
    for button, name in (
        ("Topic similarity", "chunk"),
        ("Attention", "chunk_attention"),
        ("Shared passages", "passages"),
    ):
        page.get_by_label("What is shown").select_option(label=button)
        expect(meaning).to_have_text(maps[name].meaning)
        expect(heatmap(page)).to_have_attribute("data-map", name)


def test_a_text_with_itself_stands_on_both_sides(open_file: Open, report: Path) -> None:
    page = open_file(report)
    page.get_by_label("Texts", exact=True).select_option("A × A")
    click_cell(page, 0, 1)
    assert current(page, "a").startswith("Why the sea rises")
    again = page.get_by_test_id("text-a-again").locator('[aria-current="true"]')
    expect(again.first).to_have_text("Spring and neap tides")


def test_find_and_the_outline_lead_to_places(open_file: Open, report: Path, comparison: Comparison) -> None:
    page = open_file(report)
    page.get_by_label("Find in text A").fill("longer the record")
    hit = page.get_by_test_id("text-a").locator(".lv-found")
    expect(hit).to_have_text("longer the record")  # behind two characters outside the basic plane
    expect(hit).to_be_in_viewport()
    page.get_by_label("Find in text A").fill("tide")
    expect(page.get_by_test_id("text-a").locator(".lv-found").first).to_be_visible()
    seen = comparison.a.text.lower().count("tide")
    expect(page.locator(".lv-find output").first).to_contain_text(f"1/{seen}")
    page.set_viewport_size({"width": 1440, "height": 640})
    page.get_by_role("button", name="Outline").first.click()
    page.get_by_role("navigation", name="Outline of text A").get_by_text("Work from the tide").click()
    expect(page.get_by_test_id("text-a").get_by_text("Work from the tide")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1440, 900, 400])
def test_it_holds_in_light_and_dark_wide_and_narrow(
    open_file: Open, report: Path, comparison: Comparison, width: int
) -> None:
    page = open_file(report, viewport={"width": width, "height": 900}, color_scheme="dark")
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-theme", "dark")
    expect_no_sideways(page, "html")
    click_cell(page, *brightest(comparison))
    if width > 700:
        expect_in_sight(page, "a")
        expect_in_sight(page, "b")
    else:  # one thing at a time: a sheet with both passages leads to each text
        sheet = page.get_by_role("region", name="Passages of the selected cell")
        expect(sheet).to_be_visible()
        assert violations(page) == []
        assert violations_in(page, "light") == []
        sheet.get_by_role("button", name="Show in B").click()
        expect(heatmap(page)).to_be_hidden()
        expect_in_sight(page, "b")
        page.get_by_role("group", name="Show").get_by_role("button", name="A", exact=True).click()
        expect_in_sight(page, "a")
    page.get_by_test_id("linked-view").press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    assert violations(page) == []
    assert violations_in(page, "light" if width > 700 else "dark") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_a_guided_minute_of_five_steps_can_be_left_and_light_turned_into_dark(
    open_file: Open, report: Path
) -> None:
    page = open_file(report, color_scheme="light")
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_role("button", name="Show me around").click()
    dialog = page.get_by_role("dialog", name="Help")
    for step, tab in enumerate(("Map", "Map", "Passages", "Models", "Map"), 1):
        expect(dialog).to_contain_text(f"{step} of 5")
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        if step == 2:
            expect(page.get_by_test_id("text-a").locator('[aria-current="true"]').first).to_be_visible()
        dialog.get_by_role("button").first.click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Keys and help")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show me around").click()
    page.get_by_role("button", name="Skip").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Light or dark").click()
    expect(page.get_by_test_id("linked-view")).to_have_attribute("data-theme", "dark")
