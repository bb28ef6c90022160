"""The matrix and the passages of the linked view, and what happens while results come in."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FloatRect, expect

from colde.report.html.html_report import to_html
from colde.report.html.view_payload import EndState, view_payload
from colde.results.comparison import Comparison
from tests.browser.looks import (
    Open,
    Show,
    click_cell,
    current,
    eventually,
    expect_in_sight,
    heatmap,
    settled_box,
    update,
)
from tests.report.example import example
from tests.report.several import several


def with_section(comparison: Comparison, values: np.ndarray) -> Comparison:
    section = replace(comparison.maps["colde"]["section"], values=values.astype(np.float32))
    return replace(comparison, models=(), maps={"colde": {"section": section}})


def test_texts_stand_there_before_any_model_has_finished(show: Show) -> None:
    empty = replace(example(), models=(), maps={})
    page = show(view_payload(empty))
    expect(page.get_by_test_id("text-a")).to_contain_text("Along most coasts")
    expect(page.get_by_text("The similarity map will appear here.")).to_be_visible()
    expect(heatmap(page)).to_be_hidden()


def test_maps_that_fill_in_leave_the_reader_where_they_are(show: Show) -> None:
    whole = example()
    values = whole.maps["colde"]["section"].values
    half = values.copy()
    half[3:] = np.nan
    page = show(view_payload(with_section(whole, half), "colde"))
    expect(page.get_by_text("CoLDE is still processing; its map fills in as it goes.")).to_be_visible()
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
    expect(page.get_by_text("still processing")).to_be_hidden()
    expect(page.get_by_role("button", name="Sentences")).to_be_visible()
    assert current(page, "a") == marked


def test_other_documents_start_afresh(show: Show) -> None:
    whole = example()
    page = show(view_payload(whole, "colde"))
    click_cell(page, 1, 3)
    swapped = replace(whole, a=whole.b, b=whole.a, models=(), maps={})
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
    assert said["path"] == [{"map": "passages_section", "row": 1, "column": 3}]
    again = show({**payload, "wanted": said})
    for side in ("a", "b"):
        assert current(again, side) == current(page, side)
        expect_in_sight(again, side)
    again.wait_for_timeout(300)
    assert again.evaluate("said") == []  # what was asked for is not told back
    assert again.locator(".lv-here").text_content() == page.locator(".lv-here").text_content()


def test_what_is_wanted_waits_for_the_map_and_is_obeyed_once(show: Show) -> None:
    whole = example()
    wanted = {"map": "section", "row": 1, "column": 3, "path": []}
    nothing = replace(whole, models=(), maps={})
    page = show({**view_payload(nothing, "colde"), "wanted": wanted})
    assert page.locator('[aria-current="true"]').count() == 0
    early = with_section(whole, whole.maps["colde"]["section"].values)
    update(page, {**view_payload(early, "colde"), "wanted": wanted})
    assert current(page, "a").startswith("Spring and neap tides")
    expect(heatmap(page)).to_have_attribute("data-level", "section")
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    expect(heatmap(page)).to_have_attribute("data-level", "chunk")  # as far as it was opened for the sender
    page.get_by_role("button", name="Next passage").click()
    marked = current(page, "a")
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    assert current(page, "a") == marked


def test_the_map_is_put_away_and_lines_join_the_texts(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    click_cell(page, 1, 3)
    page.get_by_role("button", name="Texts only").click()
    expect(heatmap(page)).to_be_hidden()
    line = settled_box(page.locator(".lv-link").first)
    left, right = (page.get_by_test_id(f"text-{side}").bounding_box() for side in "ab")
    assert left and right and line
    assert left["x"] + left["width"] <= line["x"] + 5  # half the stroke
    assert line["x"] + line["width"] <= right["x"] + 5
    page.get_by_role("button", name="Show map").click()
    expect(heatmap(page)).to_be_visible()


def test_the_switches_beside_the_tabs_stand_in_one_line(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    for width in (1440, 1280, 1060):
        page.set_viewport_size({"width": width, "height": 900})
        names = ("Sync scroll", "Texts only", "Keys and help")
        boxes = [page.get_by_role("button", name=name).bounding_box() for name in names]
        middles = [box["y"] + box["height"] / 2 for box in boxes if box]
        assert len(middles) == 3 and max(middles) - min(middles) < 2


def test_only_passages_that_say_the_same_are_counted(show: Show) -> None:
    whole = example()
    assert whole.shared is not None
    passages = tuple(replace(p, kind="same topic") for p in whole.shared.passages)
    page = show(view_payload(replace(whole, shared=replace(whole.shared, passages=passages)), "colde"))
    expect(page.get_by_role("tab", name="Passages 0")).to_be_visible()
    header = page.locator(".lv-items-header:visible")
    expect(header).to_contain_text("Shared passages0")
    header.get_by_role("button", name="Next passage").click()
    expect(header).to_contain_text(f"1 of {len(passages)}")


@pytest.mark.parametrize("ended", ["cancelled", "failed"])
def test_a_model_that_was_stopped_is_not_said_to_read(show: Show, ended: EndState) -> None:
    whole = several()
    growing = replace(whole, models=whole.models[:1])
    models = list(whole.maps)
    page = show({**view_payload(growing, models[1]), "active": True})
    view = page.get_by_test_id("linked-view")
    expect(view).to_contain_text("is still processing")
    page.evaluate("payload => window.view.receive(payload)", view_payload(growing, models[1], stopped=ended))
    expect(view).to_contain_text(f"The comparison {'was ' if ended == 'cancelled' else ''}{ended} before")
    expect(view).not_to_contain_text("still processing")
    payload = {**view_payload(growing, models[0], beside=True, stopped=ended), "settings": {"tab": "models"}}
    page.evaluate("payload => window.view.receive(payload)", payload)
    page.get_by_role("tab", name="Models").click()
    expect(page.get_by_test_id("multiple").locator("..").filter(has_text=f"· {ended}").first).to_be_visible()
    expect(view).not_to_contain_text("still processing")


def test_the_middle_has_tabs_and_passages_keep_their_room(show: Show) -> None:
    whole = example()
    page = show(view_payload(whole, "colde"))
    for height, tab in product((430, 520, 900), ("Map", "Passages")):
        page.add_style_tag(content=f":root {{ --colde-view-height: {height}px; }}")
        view = settled_box(page.get_by_test_id("linked-view"))
        assert view is not None
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()

        def has_room(view: FloatRect = view) -> None:
            box = settled_box(page.locator(".lv-items:visible"))
            assert box is not None
            assert box["height"] >= 180
            assert box["y"] + box["height"] <= view["y"] + view["height"] + 1

        eventually(page, has_room)
    first = page.locator(".lv-item").first
    assert whole.shared is not None
    found = whole.shared.passages[0]
    expect(first.locator("q").first).to_contain_text(whole.a.text[found.a.start : found.a.start + 30])
    page.keyboard.press("n")
    expect(first).to_have_attribute("aria-pressed", "true")
    page.get_by_role("tab", name="Map").click()
    expect(page.locator(".lv-item").first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("tab", name="Passages")).to_have_attribute("aria-selected", "false")


def test_every_row_is_named_and_the_crosshair_names_row_and_column(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    rows = page.locator(".lv-row-labels .lv-label")
    expect(rows).to_have_count(5)
    columns = page.locator(".lv-column-labels .lv-label")
    assert columns.all_text_contents() == [str(i) for i in range(1, 7)]
    click = settled_box(heatmap(page))
    assert click is not None
    page.mouse.move(click["x"] + click["width"] * 3.5 / 6, click["y"] + click["height"] * 1.5 / 5)
    expect(page.locator(".lv-row-labels .lv-label-at")).to_have_text("Spring and neap tides")
    at = page.locator(".lv-column-labels .lv-label-at")
    expect(at).to_have_text("4")
    expect(at).to_have_attribute("title", "The Moon and the harbour")


def test_a_lower_window_leaves_the_texts_in_their_place(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    page.set_viewport_size({"width": 1440, "height": 660})
    parts = (
        "[data-testid=text-a]",
        "[data-testid=text-b]",
        ".lv-scrollmap >> nth=0",
        "[data-testid=heatmap]",
    )

    def in_its_place() -> None:
        body = settled_box(page.locator(".lv-body"))
        assert body is not None
        for part in parts:
            box = settled_box(page.locator(part))
            assert box is not None, part
            assert box["y"] + box["height"] <= body["y"] + body["height"] + 1, part

    eventually(page, in_its_place)


def test_a_note_about_a_cell_goes_when_the_cell_is_opened(show: Show) -> None:
    page = show(view_payload(example(), "colde"))
    heatmap(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lv-tip")).to_be_visible()
    page.keyboard.press("Enter")
    expect(heatmap(page)).to_have_attribute("data-level", "chunk")
    expect(page.locator(".lv-tip")).to_be_hidden()


def test_hatching_covers_cells_without_a_value_and_nothing_between_them(show: Show) -> None:
    whole = example()
    values = whole.maps["colde"]["section"].values.copy()
    values[0, 0] = np.nan
    page = show(view_payload(with_section(whole, values), "colde"))
    expect(heatmap(page)).to_be_visible()
    alpha = heatmap(page).evaluate(
        """(c, columns) => {
          const { data } = c.getContext("2d").getImageData(0, 4, c.width, 1);
          const at = (x) => data[4 * Math.round(x) + 3];
          const step = c.width / columns;
          return [at(step / 2), at(step * 1.5), at(Math.round(2 * step) - 1)];
        }""",
        values.shape[1],
    )
    assert alpha == [255, 255, 0]


def test_a_view_that_hears_nothing_of_a_running_comparison_asks_again(show: Show) -> None:
    whole = view_payload(example(), "colde")
    page = show({**whole, "active": True}, alone=True)  # a clock is that of all pages of a context
    page.clock.install()
    update(page, {**whole, "active": True})
    for _ in range(2):
        page.clock.fast_forward(7_000)
    asked = page.evaluate("window.silences")
    assert asked >= 2
    update(page, {**whole, "active": False})
    page.clock.fast_forward(7_000)
    assert page.evaluate("window.silences") == asked


def test_data_of_another_version_is_refused_and_the_right_one_is_shown(show: Show) -> None:
    payload = view_payload(example(), "colde")
    page = show({**payload, "version": payload["version"] + 1})
    expect(page.get_by_role("alert")).to_contain_text("different versions of CoLDE Explorer")
    page.evaluate("window.view.repaint()")
    update(page, payload)
    expect(heatmap(page)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    update(page, {**payload, "version": 0})
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_raises_and_what_lowers_the_score_have_colours_of_their_own(
    open_file: Open, tmp_path: Path, scheme: str
) -> None:
    whole = example()
    parts = whole.maps["colde"]["contribution_section"]
    values = np.zeros(parts.values.shape, dtype=np.float32)
    values[0, 0], values[0, 1], values[0, 2], values[0, 3] = 0.02, -0.02, 0.01, -0.01
    maps = {**whole.maps, "colde": {**whole.maps["colde"], "made": replace(parts, values=values)}}
    path = tmp_path / "report.html"
    path.write_text(to_html(replace(whole, maps=maps)), encoding="utf-8")
    page = open_file(path, color_scheme=scheme)
    expect(heatmap(page)).to_have_attribute(
        "data-map", "passages_section"
    )  # contributions are chosen, never the first
    page.get_by_label("What is shown").select_option("made")
    expect(heatmap(page)).to_have_attribute("data-map", "made")
    expect(page.locator(".lv-legend .lv-scale")).to_have_text("−0.0200+0.020part of the score")
    expect(page.get_by_test_id("strongest")).to_have_text("Go to strongest, +0.020")
    rows, columns = values.shape
    drawn = heatmap(page).evaluate(
        """(c, [rows, columns]) => {
          const line = Math.round((0.12 * c.height) / rows);
          const { data } = c.getContext("2d").getImageData(0, line, c.width, 1);
          const at = (i) => 4 * Math.round(((i + 0.12) * c.width) / columns);
          return [0, 1, 2, 3, 4].map((i) => [...data.slice(at(i), at(i) + 3)]);
        }""",
        [rows, columns],
    )
    most, least, more, less, zero = (np.array(rgb, dtype=int) for rgb in drawn)
    for orange in (most, more):
        assert orange[0] > orange[2] + 20
    for blue in (least, less):
        assert blue[2] > blue[0] + 20
    assert np.ptp(zero) < 16, "no side at zero"
    away = [abs(int(rgb.sum()) - int(zero.sum())) for rgb in (more, most, less, least)]
    assert away[0] < away[1]
    assert away[2] < away[3]
    heatmap(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lv-tip-value")).to_have_text("−0.020 Contribution to score, part of the score")
