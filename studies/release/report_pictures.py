"""The pictures of the gallery that need no running explorer: what commands of docs/gallery.md write, in a browser."""

from __future__ import annotations

import contextlib
import html
import io
import os
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, ViewportSize

from colde.cli import main
from studies import ROOT

SIZE: ViewportSize = {"width": 1280, "height": 800}
TERMINAL = "margin:0;padding:20px;font:16px/1.4 monospace;white-space:pre-wrap;background:#fff;color:#1f2328"


COLUMNS = 126  # characters of a line on the terminal


@dataclass(frozen=True)
class ReportPicture:
    """A picture of what commands write.

    Attributes:
        commands: the last one writes the page; what it prints is shown where it writes none.
        clicks: selectors of what is pressed in the page, the first match of each.
    """

    commands: tuple[str, ...]
    page: str | None = None
    clicks: tuple[str, ...] = ()


PICTURES = {
    "gallery-sources": ReportPicture(
        (
            "colde index add assets/samples/lens_history.md assets/samples/lens_physics.md "
            "assets/samples/battery_oil.md --index gallery.index",
            "colde sources docs/gallery/coast_report.txt --index gallery.index --html sources.html",
        ),
        "sources.html",
        ("[data-testid=sources-text] mark",),
    ),
    "gallery-chart": ReportPicture(("colde chart docs/gallery/claims.txt assets/samples/lens_physics.md",)),
    "gallery-translation": ReportPicture(
        (
            "colde compare assets/samples/lens_history.md docs/gallery/lens_german.txt --html translation.html",
        ),
        "translation.html",
        ("[role=tab][data-tab=passages]",),
    ),
    "gallery-collection": ReportPicture(
        (
            "colde compare assets/samples/lens_history.md assets/samples/lens_physics.md assets/samples/battery_oil.md "
            "assets/samples/battery_wax.md assets/samples/banks_river.md assets/samples/banks_money.md "
            "assets/samples/licence_v1.md assets/samples/licence_v2.md --html collection.html",
        ),
        "collection.html",
    ),
}
"""Pictures by their names."""


def take_report_picture(browser: Browser, name: str, folder: Path) -> None:
    """Run the commands of a picture, and write it into a folder."""
    picture = PICTURES[name]
    with _working_folder() as work:
        printed = [_printed(command) for command in picture.commands][-1]
        if picture.page is None:
            (work / "printed.html").write_text(f'<pre style="{TERMINAL}">{html.escape(printed)}</pre>')
        context = browser.new_context(viewport=SIZE)
        page = context.new_page()
        page.goto((work / (picture.page or "printed.html")).as_uri())
        page.wait_for_timeout(2000)
        for selector in picture.clicks:
            page.locator(selector).first.click()
            page.wait_for_timeout(1500)
        with Image.open(io.BytesIO(page.screenshot())) as taken:
            taken.convert("RGB").quantize(128).save(
                folder / f"{name}.png", optimize=True
            )  # a third of the size
        context.close()


@contextlib.contextmanager
def _working_folder() -> Iterator[Path]:
    """A folder with the files that the commands name, in which they run."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        for name in ("assets", "docs"):
            (work / name).symlink_to(ROOT / name)
        os.chdir(work)
        os.environ["COLUMNS"] = str(COLUMNS)
        try:
            yield work
        finally:
            os.chdir(before)


def _printed(command: str) -> str:
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(output):
        status = main(shlex.split(command)[1:])
    assert status == 0, f"{command}: status {status}"
    output.seek(0)
    return output.read()
