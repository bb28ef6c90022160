"""Decisions and notes are kept: through a reload, in another tab, for another file and back, until they are cleared."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.browser.explorer import (
    SLOW,
    compare,
    download,
    press,
    repeat_until,
    settled,
    text_file,
    upload,
    use_pair,
)
from tests.browser.looks import Open, violations

RULES = """# Rules of the quay

The warden gives a berth to every boat within two days. A boat that stays for thirty days pays 120 crowns.

Visitors must not touch the lens of the lamp without leave of the keeper, who writes each visit into his book.
"""
LATER_RULES = RULES.replace("two days", "three days").replace("120", "150")
GARDEN = """# A garden in winter

The beds are dug in autumn and covered with straw before the frost. Beans follow cabbage, and clover follows beans.
"""


STALE_OPACITY = """main => {
  const element = main.appendChild(document.createElement("div"));
  Object.assign(element.dataset, { stale: "true" });
  const faded = [element, main.querySelector(".stExpander summary")];
  for (const { style } of faded) style.opacity = "0.33";
  const seen = faded.map((one) => getComputedStyle(one).opacity);
  faded[1].style.opacity = "";
  element.remove();
  return seen;
}"""
"""The opacity of what Streamlit fades, since a run that takes long has not drawn it again yet: any element, and the
heading of a folded one."""


def decided(page: Page, tab: str, accepted: int, rejected: int) -> None:
    """Open this tab and wait until its list has so many decisions."""
    page.get_by_role("tab", name=tab).click(timeout=SLOW)
    counts = page.locator(".lv-reviewed .lv-count:visible")
    expect(counts).to_contain_text(f"{accepted} accepted · {rejected} rejected", timeout=SLOW)


def choose(page: Page, number: int) -> None:
    page.locator(".lv-reviewed .lv-item:visible").nth(number - 1).click()


def test_a_decision_and_a_note_typed_just_before_a_reload_stay_in_every_tab_until_they_are_cleared(
    visit: Open,
) -> None:
    page = visit()
    use_pair(page)
    decided(page, "Passages", 0, 0)
    choose(page, 1)
    page.get_by_role("textbox", name="Note on passage 1").click()
    page.keyboard.type("Word for word")
    page.get_by_role("button", name="Reject").click()
    page.reload()
    decided(page, "Passages", 0, 1)
    expect(page.locator(".lv-item-note")).to_have_text("Word for word")
    rejected = page.locator(".lv-item[data-decision=rejected]")
    for text in (rejected, rejected.locator(".lv-item-quote").first):
        expect(text).to_have_css("text-decoration-line", "none")

    opacity = page.get_by_test_id("stMain").evaluate(STALE_OPACITY)
    assert opacity == ["1", "1"], "texts stay readable while a slow run draws the page again"

    other = page.context.new_page()
    other.goto(page.url)
    decided(other, "Passages", 0, 1)
    choose(other, 2)
    other.get_by_role("button", name="Accept").click()
    decided(page, "Passages", 1, 1)
    review = json.loads(download(page, "Review file").read_text(encoding="utf-8"))
    assert sorted((m["decision"], m["note"]) for m in review["marks"]) == [
        ("accepted", ""),
        ("rejected", "Word for word"),
    ]
    page.keyboard.press("Escape")

    page.get_by_role("link", name="How it works").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("How it works", timeout=SLOW)
    settled(page)
    page.get_by_role("link", name="Compare").click()
    decided(page, "Passages", 1, 1)
    clear = page.get_by_role("button", name="Clear all decisions")
    press(page.get_by_role("button", name="Review"), clear, 10_000)
    expect(page.get_by_text("This browser keeps decisions and notes on 1 pair.")).to_be_visible()
    assert violations(page, page.get_by_test_id("stPopoverBody")) == []
    page.get_by_role("button", name="Clear the decisions on this pair").click()
    page.get_by_role("button", name="Clear", exact=True).click()
    page.keyboard.press("Escape")
    for tab in (page, other):
        decided(tab, "Passages", 0, 0)
    choose(page, 1)
    page.get_by_role("button", name="Reject").click()
    page.reload()
    decided(page, "Passages", 0, 1)  # the others were cleared for good
    undo = page.get_by_role("button", name="Undo", exact=True)
    undo.click()
    decided(page, "Passages", 0, 0)
    expect(undo).to_be_disabled()


def test_another_file_waits_for_compare_and_the_decisions_on_the_first_pair_come_back(visit: Open) -> None:
    page = visit()
    for side, text in (("A", RULES), ("B", LATER_RULES)):
        upload(page, side, text_file(f"{side}.md", text))
    compare(page)
    decided(page, "Changes", 0, 0)
    choose(page, 1)
    page.get_by_role("button", name="Accept").click()
    decided(page, "Changes", 1, 0)

    uploader = page.get_by_test_id("stFileUploader").filter(has_text="Document A")
    button = page.get_by_role("button", name="Compare", exact=True)

    def replace(name: str, text: str) -> None:
        if not uploader.is_visible():
            press(page.get_by_role("button", name="Change", exact=True), uploader, 10_000)
        settled(page)
        upload(page, "A", text_file(name, text))

    replace("garden.md", GARDEN)
    expect(page.locator(".st-key-inputs")).to_contain_text("A garden in winter")
    expect(button).to_be_enabled()
    page.wait_for_timeout(2_000)  # whatever would start by itself
    settled(page)
    expect(uploader).to_be_visible()
    expect(page.get_by_test_id("verdict")).to_have_count(0)
    compare(page)
    replace("rules.md", RULES)
    expect(page.locator(".st-key-inputs")).not_to_contain_text("A garden in winter")
    expect(page.get_by_test_id("verdict")).to_have_count(0)
    compare(page)
    decided(page, "Changes", 1, 0)

    page.reload()
    decided(page, "Changes", 1, 0)
    recent = page.get_by_role("button", name="A.md: Rules of the quay × B.md: Rules of the quay")

    def open_recent() -> None:
        page.get_by_role("button", name="Recent").click()

    repeat_until(open_recent, lambda wait: recent.wait_for(timeout=wait))
    expect(page.locator("[class*=st-key-recent_]")).to_have_count(3)
