"""The animated tour of the README: drives a running explorer and films it.

colde app --port 8611 & python -m studies.release.tour http://127.0.0.1:8611
"""

from __future__ import annotations

import io

import click
from PIL import Image
from playwright.sync_api import Locator, Page

from studies import ROOT
from studies.browser import PATIENCE, SETTLED, chromium

FILE = ROOT / "assets" / "screenshots" / "tour.webp"
SIZE = {"width": 1280, "height": 720}
SHOWN = (960, 540)
MOST = 3_000_000
"""Bytes of the file."""
POINTER = """
  const dot = document.createElement("div");
  Object.assign(dot.style, {
    position: "fixed", zIndex: "99999", width: "18px", height: "18px", margin: "-9px", left: "-40px", top: "-40px",
    borderRadius: "50%", background: "rgb(194 65 12 / 75%)", boxShadow: "0 0 0 3px rgb(255 255 255 / 80%)",
    pointerEvents: "none",
  });
  document.body.append(dot);
  const follow = (e) => Object.assign(dot.style, { left: e.clientX + "px", top: e.clientY + "px" });
  document.addEventListener("mousemove", follow, true);
"""


class Film:
    """Pictures of a page with the time each is shown, in milliseconds."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shot(self, milliseconds: int) -> None:
        """The page as it is now."""
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self.frames.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))
        self.times.append(milliseconds)

    def point(self, target: Locator, then: int = 2200, wait: int = 900) -> None:
        """Move the pointer there, press, wait, and look at what has come for `then` milliseconds."""
        self.page.locator(SETTLED).wait_for()
        self.page.wait_for_timeout(300)  # lists are drawn again after a run of the page
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + min(box["width"] / 2, 60), box["y"] + box["height"] / 2, steps=3)
        self.page.wait_for_timeout(150)
        self.shot(700)
        target.click()
        self.page.wait_for_timeout(wait)
        self.shot(then)

    def open(self, address: str) -> None:
        """Open a page, with the pointer in it."""
        self.page.goto(address)
        self.page.locator(SETTLED).wait_for()
        self.page.wait_for_timeout(800)
        self.page.evaluate(POINTER)

    def result(self) -> None:
        """Wait for a comparison, and look at it."""
        self.page.get_by_role("button", name="Export").wait_for()
        self.page.locator(SETTLED).wait_for()
        self.page.wait_for_timeout(1500)
        self.shot(3000)


@click.command()
@click.argument("address")
def main(address: str) -> None:
    """Write tour.webp: the changes of a contract; the map of two patents, what if, the models, and the review."""
    with chromium() as browser:
        context = browser.new_context(viewport=SIZE, color_scheme="light")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        film = Film(page)
        film.open(address)
        film.shot(2000)
        film.point(page.locator(".st-key-sample_licence button"), then=1000)
        film.result()
        for number in (0, 1, 4):
            film.point(page.locator(".lv-item:visible").nth(number))
        film.open(f"{address}/?sample=battery")
        film.result()
        for number in (0, 1):
            film.point(page.locator(".lv-item:visible").nth(number))
        film.point(page.locator(".lv-segmented button", has_text="Sentences").first, then=2200)
        film.point(page.get_by_role("tab", name="Why"), then=2800)
        film.point(page.get_by_role("button", name="Leave out").first, then=3200, wait=5000)
        film.point(page.get_by_role("button", name="Restore all"), then=700)
        film.point(page.get_by_role("tab", name="Models"), then=2800)
        film.point(page.get_by_role("tab", name="Passages"), then=1300)
        film.point(page.locator(".lv-item:visible").nth(1), then=1200)
        film.point(page.get_by_role("button", name="Accept").first, then=1800)
        film.point(page.get_by_role("button", name="Export"), then=3000)
    for quality in (70, 55, 40, 30):
        first, *rest = film.frames
        first.save(
            FILE, save_all=True, append_images=rest, duration=film.times, loop=0, quality=quality, method=4
        )
        if FILE.stat().st_size <= MOST:
            break
    click.echo(
        f"wrote {FILE.name}: {sum(film.times) / 1000:.0f} s, {FILE.stat().st_size / 1e6:.1f} MB", err=True
    )


if __name__ == "__main__":
    main()
