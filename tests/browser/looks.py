"""Questions that the tests of the linked view put to a page again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Error, FloatRect, Locator, Page, TimeoutError, ViewportSize, expect

Show: TypeAlias = Callable[..., Page]
"""The fixture `show`: mounts the linked view with a payload."""
Open: TypeAlias = Callable[..., Page]
"""The fixtures `open_file` and `visit`: open a file, or a page of the explorer."""


OVERLAPS, FOCUS_RING = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("overlaps.js", "focus_ring.js")
)
RULES_OF_COLOURS = ("color-contrast", "link-in-text-block")
AXE_VIOLATIONS = """async ([options, part]) => {
  const { violations } = await axe.run(part ?? document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) =>
    `${id}: ${JSON.stringify(target)} ${html.slice(0, 160)}`));
}"""
COMPONENT = """async ([script, data]) => {
  const { default: component } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  let parentElement, clean;
  window.place = () => {
    parentElement = document.createElement("div");
    parentElement.className = "component";
    parentElement.innerHTML = '<div class="lv-root"></div>';
    document.body.replaceChildren(parentElement);
    clean?.();
  };
  window.sent = [];
  const setStateValue = (name, value) => window.sent.push([name, value]);
  window.draw = (data) => { clean = component({ data, parentElement, setStateValue }); };
  window.place();
  window.draw(data);
}"""
"""Script that draws the view as Streamlit does, in a new place after `place`; `sent` has what it tells the page."""
LATE = """data => {
  const left = performance.now();
  window.place();
  performance.now = () => left + 2500;
  window.draw(data);
}"""
"""Script that draws the view of `COMPONENT` anew when the one before has been gone for two and a half seconds."""
SIZES: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720},
    {"width": 640, "height": 360},  # the same at 200 % zoom
    {"width": 390, "height": 844},
)
"""Windows in which no text may cover another one."""


def violations(page: Page, part: Locator | None = None, *, of_colours: bool = False) -> list[str]:
    """Rule and place of every violation of WCAG 2.2 AA and of what axe calls best practice.

    Names of controls begin with or hold their visible labels.

    Args:
        part: what is looked at alone, where the rest of the page was looked at before.
        of_colours: these rules alone, for a page that was seen in other colours.
    """
    levels = {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
    colours = {"type": "rule", "values": RULES_OF_COLOURS}
    options = {
        "runOnly": colours if of_colours else levels,
        # experimental in axe, hence off by default
        "rules": {} if of_colours else {"label-content-name-mismatch": {"enabled": True}},
        # what holds is neither written down nor sent: that takes two thirds of the time
        "resultTypes": ["violations"],
    }
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(AXE_VIOLATIONS, [options, part and part.element_handle()])
    return found


def violations_in(page: Page, scheme: Literal["light", "dark"]) -> list[str]:
    """What is wrong with the colours of the view once the system asks for the other scheme."""
    page.emulate_media(color_scheme=scheme)
    expect(page.locator(f"[data-theme={scheme}]").first).to_be_visible()
    return violations(page, of_colours=True)


def expect_no_overlaps(page: Page, name: str) -> None:
    """In none of the windows of `SIZES` does a text cover another one, from the top of the page to its end."""
    before = page.viewport_size
    main = page.get_by_test_id("stMain")
    for size in SIZES:
        page.set_viewport_size(size)
        for top in (0, size["height"] // 2, 10**6):
            main.evaluate("(e, top) => { e.scrollTop = top }", top)

            eventually(page, partial(_expect_apart, page, f"{name}, {size}"))
    main.evaluate("e => { e.scrollTop = 0 }")
    assert before is not None
    page.set_viewport_size(before)


def _expect_apart(page: Page, where: str) -> None:
    assert page.evaluate(OVERLAPS) == [], where


def tab_stops(page: Page, most: int) -> list[dict[str, Any]]:
    """Name and contrast of the ring of what Tab reaches, from the first link to the tabs between the texts."""
    page.locator("a[href='#stMain']").focus()
    stops: list[dict[str, Any]] = []
    while len(stops) < most and not (stops and stops[-1]["isTab"]):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS_RING))
    return stops


def words(text: str) -> str:
    """A text with one space between words."""
    return " ".join(text.split())


def heatmap(page: Page) -> Locator:
    return page.get_by_test_id("heatmap")


def click_cell(page: Page, row: int, column: int) -> None:
    """Click the middle of a cell of the matrix on screen."""
    canvas = heatmap(page)
    rows, columns = (int(canvas.get_attribute(f"data-{k}") or 0) for k in ("rows", "columns"))
    scroll_to(canvas)
    box = settled_box(canvas)
    assert box is not None
    at = {"x": (column + 0.5) * box["width"] / columns, "y": (row + 0.5) * box["height"] / rows}
    canvas.click(position=at)


def current(page: Page, side: str) -> str:
    """Text of the selected passage of a side, pieces joined."""
    pieces = page.get_by_test_id(f"text-{side}").locator('[aria-current="true"]')
    return " ".join(" ".join(pieces.all_text_contents()).split())


def expect_in_sight(page: Page, side: str) -> None:
    """The first marked passage lies inside the visible part of its pane."""
    pane = page.get_by_test_id(f"text-{side}")
    expect_inside(pane.locator('[aria-current="true"]').first, pane)


def expect_inside(inner: Locator, outer: Locator) -> None:
    """The top of an element can be seen in its pane, as soon as the pane has come to rest."""
    expect(inner).to_be_visible()
    for _ in range(100):
        box, frame = settled_box(inner), outer.bounding_box()
        if box and frame and frame["y"] - 1 <= box["y"] < frame["y"] + frame["height"]:
            return
    raise AssertionError(f"{box} does not begin inside {frame}")


def settled_box(locator: Locator) -> FloatRect | None:
    """Where an element stands once it has stood still for a moment: lines are drawn anew while a layout settles."""
    before = None
    for _ in range(100):
        box = locator.bounding_box()
        if box is not None and box == before:
            return box
        before = box
        locator.page.wait_for_timeout(50)
    return before


def scroll_to(locator: Locator) -> None:
    """Bring an element into view; one that is drawn anew just then is looked for again."""
    for _ in range(50):
        try:
            locator.scroll_into_view_if_needed()
            return
        except TimeoutError:
            raise
        except Error:
            locator.page.wait_for_timeout(100)
    locator.scroll_into_view_if_needed()


def eventually(page: Page, holds: Callable[[], object]) -> None:
    """Ask again until something holds, as `expect` does: a layout settles in its own time.

    Args:
        holds: raises AssertionError as long as it does not.
    """
    for _ in range(200):
        try:
            holds()
            return
        except AssertionError:
            page.wait_for_timeout(100)
    holds()


def expect_no_sideways(page: Page, selector: str) -> None:
    """Nothing of an element is reached by scrolling sideways only."""

    def fits() -> None:
        over = page.locator(selector).evaluate("e => e.scrollWidth - e.clientWidth")
        assert over <= 0, f"{selector} is {over} px too wide"

    eventually(page, fits)


def update(page: Page, payload: dict[str, Any]) -> None:
    """Give the mounted view another payload, as the page does after each message of the view."""
    page.evaluate("payload => window.view.receive(payload).then(() => window.view.repaint())", payload)
