"""Matrices side by side with one cursor, and texts shaded by what a model looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, expect

from colde.report.html.html_report import to_html
from colde.report.html.view_payload import view_payload
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from tests.browser.looks import (
    Open,
    Show,
    current,
    expect_in_sight,
    expect_no_sideways,
    heatmap,
    scroll_to,
    settled_box,
    violations,
    violations_in,
    words,
)
from tests.report.several import WORDS_READ, first_words, several

SIDE = {"tab": "models", "beside": "section"}


def opened(show: Show) -> Page:
    page = show({**view_payload(several(), "colde", beside=True), "settings": SIDE})
    expect(matrices(page)).to_have_count(3)
    return page


def matrices(page: Page) -> Locator:
    return page.get_by_test_id("multiple")


def matrix(page: Page, model: str) -> Locator:
    return page.locator(f'[data-testid="multiple"][data-model="{model}"]')


def value(page: Page, model: str) -> Locator:
    return page.locator(".lv-multiple").filter(has=matrix(page, model)).locator(".lv-at")


def point(page: Page, model: str, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    canvas = matrix(page, model)
    scroll_to(canvas)
    box = settled_box(canvas)
    assert box is not None
    rows, columns = (int(canvas.get_attribute(f"data-{k}") or 0) for k in ("rows", "columns"))
    return (
        box["x"] + box["width"] * (column + 0.5) / columns,
        box["y"] + box["height"] * (row + 0.5) / rows,
    )


def overlap(spans: tuple[Span, ...], span: Span) -> tuple[int, int]:
    """First and last + 1 of the spans that share a character with this one."""
    found = [i for i, s in enumerate(spans) if s.start < span.end and span.start < s.end]
    return found[0], found[-1] + 1


def short(number: float) -> str:
    return f"{number:.2f}"


def test_the_cursor_of_one_matrix_marks_the_same_place_in_all_and_in_both_texts(show: Show) -> None:
    whole = several()
    page = opened(show)
    section = whole.maps["colde"]["section"]
    page.mouse.move(*point(page, "counter", 0, 1))
    expect(matrix(page, "colde")).to_have_attribute("data-at", "0-1 1-2")
    expect(value(page, "counter")).to_have_text("1.00")
    expect(value(page, "colde")).to_have_text(short(section.values[0, 1]))
    lines = whole.maps["reader"]["sentence"]
    (r0, r1), (c0, c1) = overlap(lines.rows, section.rows[0]), overlap(lines.columns, section.columns[1])
    assert (r1 - r0) * (c1 - c0) > 1
    expect(matrix(page, "reader")).to_have_attribute("data-at", f"{r0}-{r1} {c0}-{c1}")
    expect(value(page, "reader")).to_have_text(f"up to {short(lines.values[r0:r1, c0:c1].max())}")
    for side, document, span in (("a", whole.a, section.rows[0]), ("b", whole.b, section.columns[1])):
        marked = page.get_by_test_id(f"text-{side}").locator(".lv-cursor")
        expect(marked.first).to_be_attached()
        said = words(" ".join(marked.all_text_contents()))
        assert said == words(document.text[span.start : span.end])
    expect(page.get_by_role("status").filter(has_text="Counter 1.00")).to_contain_text(
        "A: Why the sea rises twice a day"
    )
    assert page.evaluate("said") == []  # nothing is told to the server
    page.mouse.move(2, 2)
    expect(page.locator(".lv-cursor")).to_have_count(0)
    expect(value(page, "colde")).to_have_text("")

    # a place that a model did not read has no value
    page.mouse.move(*point(page, "colde", 4, 5))
    expect(value(page, "counter")).to_have_text("29.00")
    expect(value(page, "reader")).to_have_text("–")
    expect(matrix(page, "reader")).to_have_attribute("data-at", "")

    # a sentence lies in one section of the others
    page.mouse.move(*point(page, "reader", 3, 2))
    lines, section = whole.maps["reader"]["sentence"], whole.maps["colde"]["section"]
    row, column = overlap(section.rows, lines.rows[3])[0], overlap(section.columns, lines.columns[2])[0]
    for model in ("colde", "counter"):
        expect(matrix(page, model)).to_have_attribute("data-at", f"{row}-{row + 1} {column}-{column + 1}")
    expect(value(page, "reader")).to_have_text(short(lines.values[3, 2]))


def test_a_click_selects_the_pair_in_both_texts(show: Show) -> None:
    whole = several()
    page = opened(show)
    page.mouse.click(*point(page, "counter", 1, 3))
    section = whole.maps["colde"]["section"]
    for side, document, span in (("a", whole.a, section.rows[1]), ("b", whole.b, section.columns[3])):
        expect_in_sight(page, side)
        assert current(page, side) == words(document.text[span.start : span.end])
    page.wait_for_function("said.length === 1")
    assert page.evaluate("said[0].a") == [section.rows[1].start, section.rows[1].end]
    page.keyboard.press("Escape")
    expect(page.locator('[aria-current="true"]')).to_have_count(0)


def test_the_keyboard_moves_the_cursor_and_goes_from_matrix_to_matrix(show: Show) -> None:
    page = opened(show)
    expect(page.locator('[data-testid="multiple"][tabindex="0"]')).to_have_count(1)
    page.get_by_role("group", name="Maps").get_by_role("button").last.focus()
    page.keyboard.press("Tab")
    expect(matrix(page, "colde")).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(matrix(page, "counter")).to_have_attribute("data-at", "1-2 1-2")
    page.keyboard.press("PageDown")
    expect(matrix(page, "counter")).to_be_focused()
    expect(matrix(page, "counter")).to_have_attribute("data-at", "1-2 1-2")
    expect(page.locator('[data-testid="multiple"][tabindex="0"]')).to_have_attribute("data-model", "counter")
    page.keyboard.press("End")
    expect(value(page, "counter")).to_have_text("11.00")
    expect(page.locator(".lv-place")).to_contain_text("Spring and neap tides")
    page.keyboard.press("Enter")
    assert current(page, "a").startswith("Spring and neap tides")
    assert current(page, "b").startswith("Festivals that wander")
    expect(matrix(page, "counter")).to_be_focused()


def test_each_level_shows_every_model_at_its_own_finest_where_it_lacks_it(show: Show) -> None:
    page = opened(show)
    for button, maps in (
        ("Chunks", ["passages", "section", "sentence"]),
        ("Sentences", ["sentence", "section", "sentence"]),
        ("Sections", ["section", "section", "sentence"]),
    ):
        page.get_by_role("button", name=button).click()
        for i, name in enumerate(maps):
            expect(matrices(page).nth(i)).to_have_attribute("data-map", name)
        expect(page.get_by_role("button", name=button)).to_be_focused()
    expect(page.locator(".lv-multiple").nth(1)).to_contain_text("Shared vocabulary, sections · weight")


def test_the_switch_is_told_and_without_other_models_there_is_none(show: Show) -> None:
    whole = several()
    page = show(view_payload(whole, "colde"))
    tab = page.get_by_role("tab", name="Models")
    page.get_by_role("tab", name="Map").press("ArrowLeft")  # round the end
    expect(tab).to_be_focused()
    expect(page.get_by_text("The maps of the other models are loading.")).to_be_visible()
    expect(matrices(page)).to_have_count(1)
    page.wait_for_function("set.length === 1")
    assert page.evaluate("set[0]") == {
        "tab": "models",
        "beside": None,
        "shading": None,
        "rows": None,
        "out": None,
        "standard": None,
    }
    page.evaluate("p => window.view.receive(p)", view_payload(whole, "colde", beside=True))
    expect(matrices(page)).to_have_count(3)
    expect(page.get_by_text("on their way")).to_be_hidden()
    expect(tab).to_be_focused()
    tab.press("Home")
    expect(heatmap(page)).to_be_visible()
    expect(matrices(page).first).to_be_hidden()
    only = show(view_payload(replace(whole, maps={"colde": whole.maps["colde"]}), "colde"))
    expect(heatmap(only)).to_be_visible()
    only.get_by_role("tab", name="Models").click()  # the scores of all models are here all the same
    expect(only.locator(".lv-score")).to_have_count(len(whole.models))
    expect(matrices(only)).to_have_count(1)


def test_thresholds_of_all_models_stand_on_one_line_and_a_row_chooses_the_model(show: Show) -> None:
    whole = several()
    page = show(view_payload(whole))
    page.get_by_role("tab", name="Models").click()
    ticks = page.locator(".lv-track-tick")
    judged = [s for s in whole.models if s.threshold is not None]
    expect(ticks).to_have_count(len(judged))
    assert len(judged) > 1
    lefts = [settled_box(ticks.nth(i)) for i in range(len(judged))]
    assert max(b["x"] for b in lefts if b) - min(b["x"] for b in lefts if b) < 1
    for i, score in enumerate(judged):
        dot, tick = settled_box(page.locator(".lv-track-dot").nth(i)), lefts[i]
        assert dot is not None
        assert tick is not None
        assert (dot["x"] + dot["width"] / 2 > tick["x"]) == (score.score >= (score.threshold or 0.0))
    row = page.locator('.lv-score[data-model="reader"]')
    row.press("Enter")
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(row).to_be_focused()
    expect(page.locator(".lv-active")).to_contain_text("Reader")


def test_ten_models_with_many_cells_are_drawn_to_the_pixels(show: Show) -> None:
    whole = several()
    size = 400
    edges = np.linspace(0, min(len(whole.a.text), len(whole.b.text)), size + 1).astype(int)
    spans = tuple(Span(int(s), int(t)) for s, t in pairwise(edges))
    values = np.zeros((size, size), dtype=np.float32)
    values[: size // 2] = 1.0  # the upper half
    large = SimilarityMap(values, spans, spans, "cosine", "Upper half.", role="topic", level="sentence")
    names = [f"m{i}" for i in range(11)]
    maps = {
        name: {"sentence": replace(large, values=values * (1 - i % 10 / 50))} for i, name in enumerate(names)
    }
    many = replace(whole, maps=maps, models=tuple(replace(whole.models[0], name=n, title=n) for n in names))
    page = show(
        {**view_payload(many, "m0", beside=True), "settings": {"tab": "models", "beside": "sentence"}}
    )
    expect(matrices(page)).to_have_count(10)
    chips = page.get_by_role("group", name="Maps").get_by_role("button")
    expect(chips.first).to_have_text("m0, m10")  # equal maps are drawn once
    chips.nth(4).click()
    expect(matrices(page)).to_have_count(9)
    expect(chips.nth(4)).to_have_attribute("aria-pressed", "false")
    page.mouse.move(*point(page, "m9", 150, 250))
    expect(matrix(page, "m0")).to_have_attribute("data-at", "150-151 250-251")
    expect(value(page, "m0")).to_have_text("1.00")
    page.mouse.move(2, 2)
    expect(value(page, "m0")).to_have_text("")
    column = matrix(page, "m0").evaluate(
        """c => [...c.getContext("2d").getImageData(c.width / 2, 0, 1, c.height).data]"""
    )
    tenth = len(column) // 40 * 4
    upper, lower = column[tenth : tenth + 3], column[-tenth : 3 - tenth]
    assert sum(upper) < sum(lower) - 200  # greater is darker


def test_the_report_has_it_too_and_a_model_of_its_own_choice(open_file: Open, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(to_html(several()), encoding="utf-8")
    page = open_file(path)
    page.get_by_role("tab", name="Models").click()
    page.mouse.move(*point(page, "colde", 2, 2))
    expect(matrix(page, "counter")).to_have_attribute("data-at", "2-3 2-3")
    page.get_by_label("Model", exact=True).select_option("reader")
    expect(page.locator(".lv-active")).to_contain_text("Reader")
    expect(matrices(page)).to_have_count(3)


def test_side_by_side_and_shaded_it_holds_wide_and_narrow(open_file: Open, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(to_html(several()), encoding="utf-8")
    for width, scheme, other in ((1440, "dark", "light"), (390, "light", "dark")):
        page = open_file(path, viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.get_by_label("Model", exact=True).select_option("reader")
        page.get_by_label("Shade the texts by").select_option("word_attention_paragraph_hierarchy")
        page.get_by_role("tab", name="Models").click()
        page.mouse.click(*point(page, "colde", 1, 1))
        expect_no_sideways(page, "html")
        assert violations(page) == []
        assert violations_in(page, other) == []


def test_words_of_both_texts_are_shaded_by_their_share_of_attention(show: Show) -> None:
    whole = several()
    page = show(view_payload(whole, "reader"))
    page.get_by_label("Shade the texts by").select_option("word_attention_paragraph_hierarchy")
    total = WORDS_READ * (WORDS_READ + 1) / 2
    for side, document in (("a", whole.a), ("b", whole.b)):
        shaded = page.get_by_test_id(f"text-{side}").locator(".lv-weighed")
        expect(shaded).to_have_count(WORDS_READ)
        spans = first_words(document)
        assert shaded.all_text_contents() == [document.text[s.start : s.end] for s in spans]
        weights = shaded.evaluate_all("all => all.map((e) => Number(e.style.getPropertyValue('--w')))")
        assert weights == sorted(weights)
        assert weights[-1] == 1
        assert weights[0] < 0.05
    page.get_by_test_id("text-b").locator(".lv-weighed").nth(9).hover()
    expect(page.locator(".lv-share")).to_have_text(
        f"{100 * 10 / total:.2g} % of the model’s attention in this text"
    )
    expect(page.locator(".lv-shading")).to_contain_text("darker: more of the model’s attention")
    page.wait_for_function("set.length === 1")
    assert page.evaluate("set[0]") == {
        "tab": None,
        "beside": None,
        "shading": "word_attention_paragraph_hierarchy",
        "rows": None,
        "out": None,
        "standard": None,
    }
    page.get_by_label("Shade the texts by").select_option("")
    expect(page.locator(".lv-weighed")).to_have_count(0)
    expect(page.locator(".lv-shading")).to_be_hidden()


def test_the_darkest_are_reached_without_a_mouse(show: Show) -> None:
    whole = several()
    page = show({**view_payload(whole, "reader"), "settings": {"shading": "sentence_rank"}})
    shaded = page.get_by_test_id("text-a").locator(".lv-weighed")
    assert shaded.first.evaluate("e => e.style.getPropertyValue('--w')") == "1.00"
    button = page.get_by_role("button", name="Darkest in A, 1.00")
    ranked = whole.maps["reader"]["within_a_sentence_rank"].rows
    for span in ranked[:2]:
        button.press("Enter")
        pinned = page.get_by_test_id("text-a").locator(".lv-pinned")
        expect(pinned).to_have_text(whole.a.text[span.start : span.end])
    expect(page.locator(".lv-live[role=status]")).to_contain_text("0.75".removeprefix("0"))
