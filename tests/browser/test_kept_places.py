"""What the reader has done in the linked view stays: places, the focus, what was typed, and decisions that are told."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import Page, expect

from colde.report.html.view_payload import view_payload
from colde.report.linked_view import script
from tests.browser.looks import COMPONENT, LATE, Show, update
from tests.report.example import example
from tests.report.several import several


def focused(page: Page) -> str:
    """The name of the control that has the focus."""
    name: str = page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    return name


def test_a_list_keeps_its_place_while_the_page_sends_news(show: Show) -> None:
    payload = view_payload(example(), "colde")
    page = show(payload)
    page.add_style_tag(content=".lv .lv-item-list { flex: none; height: 60px; overflow-y: auto }")
    listed = page.locator(".lv-item:visible")
    count = listed.count()
    assert count == len(payload["passages"])
    items = page.locator(".lv-item-list:visible")
    items.evaluate("e => { e.scrollTop = 40 }")
    update(page, payload)
    assert items.evaluate("e => e.scrollTop") == 40
    update(page, {**payload, "generation": "with more results"})
    expect(listed).to_have_count(count)


def test_the_focus_stays_in_the_view_where_its_control_goes(show: Show) -> None:
    """A focus that falls to the page leaves the keyboard outside of the view, where its shortcuts do nothing."""
    page = show(view_payload(example(), "colde"))
    page.get_by_role("tab", name="Passages").click()
    page.keyboard.press("n")
    page.keyboard.press("a")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert focused(page) == "Previous passage"

    page.locator(".lv-item:visible").first.focus()
    page.keyboard.press("?")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Keys and help")).to_be_focused()

    outline = page.get_by_role("button", name="Outline").first
    for key in ("Enter", "Escape"):
        outline.click()
        page.locator(".lv-outline-entry").first.press(key)
        expect(page.locator(".lv-outline").first).to_be_hidden()
        expect(outline).to_be_focused()

    page.get_by_role("tab", name="Why").click()
    page.get_by_role("checkbox").first.click()
    page.get_by_role("button", name="Restore all").press("Enter")
    expect(page.locator(".lv-what-if")).to_be_hidden()
    expect(page.locator(".lv-centre")).to_be_focused()


def test_a_map_among_those_of_all_models_keeps_the_focus_when_another_comes(show: Show) -> None:
    whole = view_payload(several(), "colde", beside=True)
    page = show(whole)
    page.get_by_role("tab", name="Models").click()
    maps = page.get_by_test_id("multiple")
    maps.nth(1).focus()
    before = focused(page)
    names = [name for name in whole["comparable"] if name != "colde"]
    update(page, {**whole, "comparable": names, "generation": "with other maps"})
    assert focused(page) == before


def test_a_view_with_other_sections_keeps_the_place_and_the_focus(show: Show) -> None:
    payload = {**view_payload(example(), "colde"), "can_edit": True}
    page = show(payload)
    find = page.get_by_role("searchbox").nth(1)
    hits = page.locator(".lv-find output").nth(1)
    find.fill("the")
    expect(hits).to_contain_text("1/")
    find.press("Enter")
    expect(hits).to_contain_text("2/")
    page.get_by_role("button", name="Sync scroll").click()
    pressed = page.get_by_role("button", name="Sync scroll").get_attribute("aria-pressed")
    text = page.get_by_test_id("text-b")
    text.evaluate("e => { e.scrollTop = 150 }")
    page.wait_for_timeout(100)  # the other text follows in the next frame
    page.get_by_role("button", name="Edit sections").first.click()
    page.get_by_role("group", name="Sections of text A").get_by_role("button", name="Next section").press(
        "Enter"
    )
    top = text.evaluate("e => e.scrollTop")
    state = {"id": 1, "side": "a", "at": 0, "pages": False, "changes": {"a": [1, 0], "b": [0, 0]}}
    update(page, {**payload, "texts": "with other sections", "sections": state})
    expect(page.get_by_role("button", name="Next section")).to_be_focused()
    expect(find).to_have_value("the")
    expect(hits).to_contain_text("2/")
    assert page.get_by_role("button", name="Sync scroll").get_attribute("aria-pressed") == pressed
    assert top > 0 and abs(text.evaluate("e => e.scrollTop") - top) < 3

    page.get_by_role("group", name="Sections of text A").get_by_role("button", name="Done").press("Enter")
    expect(page.get_by_role("button", name="Edit sections").first).to_be_focused()

    other = {
        side: {**document, "text": document["text"][::-1]} for side, document in payload["documents"].items()
    }
    update(page, {**payload, "texts": "of another pair", "documents": other})
    expect(find).to_have_value("")


def test_texts_do_not_go_back_to_a_wanted_passage_when_the_other_maps_come(show: Show) -> None:
    whole = example()
    wanted = {"map": "section", "row": 3, "column": 3, "path": []}
    early = replace(whole, models=(), maps={"colde": {"section": whole.maps["colde"]["section"]}})
    page = show({**view_payload(early, "colde"), "wanted": wanted})
    text = page.get_by_test_id("text-b")
    expect(text.locator('[aria-current="true"]').first).to_be_visible()
    assert text.evaluate("e => e.scrollTop") > 0, "the wanted passage was shown"
    text.evaluate("e => { e.scrollTop = 0 }")
    update(page, {**view_payload(whole, "colde"), "wanted": wanted})
    expect(page.get_by_test_id("heatmap")).to_have_attribute("data-level", "chunk")
    assert text.evaluate("e => e.scrollTop") == 0


def test_the_same_decision_is_told_again(show: Show) -> None:
    """Streamlit passes over a value that it has already, although a review that was opened has replaced it."""
    payload = {**view_payload(example(), "colde"), "can_review": True}
    page = show(payload)
    page.evaluate(COMPONENT, [script(), payload])
    page.get_by_role("tab", name="Passages").click()
    page.locator(".lv-item:visible").first.click()
    page.keyboard.press("a")
    page.evaluate("data => window.draw(data)", {**payload, "review": {"id": "another", "marks": []}})
    expect(page.get_by_text("0 accepted")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("1 accepted")).to_be_visible()
    first, last = page.evaluate("window.sent.filter(([name]) => name === 'review').map(([, value]) => value)")
    assert first["value"] == last["value"] and first != last


def test_a_view_that_streamlit_makes_anew_stays_as_the_reader_has_set_it(show: Show) -> None:
    """It does so when one run of the page overtakes another."""
    payload = {**view_payload(example(), "colde"), "can_review": True}
    page = show(payload)
    page.evaluate(COMPONENT, [script(), payload])
    page.get_by_role("tab", name="Passages").click()
    page.locator(".lv-item:visible").first.click()
    page.get_by_role("spinbutton", name="Minimum words").fill("3")
    page.locator(".lv-item[aria-pressed=true]").focus()
    page.evaluate("data => { window.place(); window.draw(data); }", payload)
    expect(page.locator(".lv-item[aria-pressed=true]")).to_be_focused()
    expect(page.get_by_role("spinbutton", name="Minimum words")).to_have_value("3")
    page.keyboard.press("a")
    expect(page.get_by_text("1 accepted")).to_be_visible()
    page.evaluate(LATE, payload)
    expect(page.get_by_role("tab", name="Map", selected=True)).to_be_visible()
