"""The lines between the texts end at the passages that they join, whatever moves these."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from colde.report.html.view_payload import view_payload
from tests.browser.looks import Show, click_cell, eventually
from tests.report.several import several

LINES = """() => {
  const root = document.querySelector("[data-testid=linked-view]");
  const frame = root.querySelector(".lv-body").getBoundingClientRect();
  const ends = (path) => {
    const length = path.getTotalLength();
    return [path.getPointAtLength(0), path.getPointAtLength(length)].map(({ x, y }) => [x + frame.left, y + frame.top]);
  };
  const middle = (box) => (box.top + box.bottom) / 2;
  const { slots, links } = window.view.panes;
  const passages = { a: [], b: [] };
  for (const { a, b } of links.pairs) {
    for (const [side, slot, span] of [["a", "left", a], ["b", "right", b]]) {
      const pane = slots[slot];
      const box = pane.box(...span);
      const { top, bottom } = pane.scroller.getBoundingClientRect();
      if (box && middle(box) > top + 5 && middle(box) < bottom - 5) passages[side].push(middle(box));
    }
  }
  const { view } = window;
  const cell = view.tab === "map" && view.selected ? view.figure.selectedBox(view.selected) : null;
  return {
    lines: [...root.querySelectorAll(".lv-links path")].map(ends),
    passages,
    cell: cell && [cell.left, middle(cell), cell.right],
    edges: [slots.left.element.getBoundingClientRect().right, slots.right.scroller.getBoundingClientRect().left],
  };
}"""
"""Ends of the lines between the texts, and where the passages that they join and the selected cell stand."""


def expect_lines_in_place(page: Page) -> None:
    """Each passage in sight has a line that ends beside it, and the line along the row runs at the selected cell."""

    def in_place() -> None:
        found = page.evaluate(LINES)
        points = [point for ends in found["lines"] for point in ends]
        assert found["passages"]["a"] or found["passages"]["b"], "something to point at"
        for side, x in zip("ab", found["edges"], strict=True):
            for y in found["passages"][side]:
                near = [point for point in points if abs(point[0] - x) < 1.5 and abs(point[1] - y) < 1.5]
                assert near, (side, x, y, points)
        if found["cell"] is not None:
            left, y, right = found["cell"]
            ends = [point for point in points if abs(point[1] - y) < 1.5]
            assert any(abs(x - left) < 1.5 for x, _ in ends) or any(abs(x - right) < 1.5 for x, _ in ends)

    eventually(page, in_place)


def test_lines_follow_everything_that_moves_the_texts_or_the_matrix(
    show: Show,
) -> None:
    page = show({**view_payload(several(), boxes=False), "can_ask": True})
    page.set_viewport_size({"width": 1440, "height": 900})
    click_cell(page, 1, 2)
    expect_lines_in_place(page)
    view = page.get_by_test_id("linked-view")
    info = view.get_by_role("button", name="About this map").or_(view.locator(".lv-info")).first
    info.click()
    expect_lines_in_place(page)
    for tab in ("Why", "Passages", "Models", "Map"):
        page.get_by_role("tab", name=tab).click()
        expect_lines_in_place(page)
    page.get_by_role("button", name="Leave out").first.click()
    expect(page.locator(".lv-what-if")).to_be_visible()
    expect_lines_in_place(page)
    page.get_by_role("button", name="Restore all").click()
    expect(page.locator(".lv-what-if")).to_be_hidden()
    expect_lines_in_place(page)
    page.get_by_role("button", name="Outline").first.click()
    expect_lines_in_place(page)
    page.get_by_role("button", name="Texts only").click()
    expect_lines_in_place(page)
    page.get_by_role("button", name="Show map").click()
    for size in ((1280, 720), (1800, 1000), (1100, 1000)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect_lines_in_place(page)
    page.get_by_test_id("text-a").evaluate("pane => { pane.scrollTop += 40 }")
    expect_lines_in_place(page)
    moved = page.get_by_test_id("text-b").locator("p").first
    moved.evaluate("first => { first.style.paddingTop = '37px' }")
    expect_lines_in_place(page)
