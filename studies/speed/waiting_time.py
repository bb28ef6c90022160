"""How long a reader waits with a warm server, cache off: seconds to texts, first cells, provisional and whole verdict.

python -m studies.speed.waiting_time A B                     two files
python -m studies.speed.waiting_time --pages 10 30 FOLDER    PDFs joined to two of so many pages each, from a folder
of PDFs

Then clicks in chromium, where playwright is installed: from a click on the map until both texts show its passages.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import colde
from colde import models
from colde.comparison.warm_up import warm_up
from colde.encoders.cores import usable_cores
from colde.encoders.runtime import runtime
from colde.ingest import sandbox
from colde.models.base import Matcher
from colde.report.html.html_report import to_html
from colde.results.comparison import Comparison
from colde.results.progress import Progress
from studies.arguments import command_line
from studies.tables import print_limit

CLICKS = 60
LIMITS = {10: {"verdict": 4.0, "everything": 8.0}, 30: {"first cells of the section map": 4.0}}
"""Seconds by the clock, for two PDFs of so many pages."""
WATCH = """
() => {
  window.taken = [];
  const after = new MessageChannel();
  let begun = 0;
  after.port1.onmessage = () => {
    const shown = (side) => document.querySelector(`[data-testid=text-${side}] [aria-current=true]`);
    window.taken.push(shown("a") && shown("b") ? performance.now() - begun : -1);
  };
  addEventListener("click", (event) => {
    begun = event.timeStamp;
    requestAnimationFrame(() => after.port2.postMessage(0));
  }, true);
}
"""
"""Notes after each click how many milliseconds it takes until both texts show a passage; -1 where one does not."""


def joined(folder: Path, pages: int, made: Path) -> tuple[Path, Path]:
    """Two PDFs of so many pages, the files of the folder dealt to both in turn."""
    import pypdfium2 as pdfium

    files = sorted(folder.glob("*.pdf"))
    paths = []
    for side in range(2):
        out = pdfium.PdfDocument.new()
        for file in files[side::2]:
            source = pdfium.PdfDocument(file)
            out.import_pages(source, list(range(min(len(source), pages - len(out)))))
            if len(out) >= pages:
                break
        if len(out) < pages:
            raise SystemExit(f"{folder}: not enough pages for two documents of {pages}")
        paths.append(made / f"{pages}-{'ab'[side]}.pdf")
        out.save(paths[-1])
    return paths[0], paths[1]


def wait(a: Path, b: Path, loaded: dict[str, Matcher]) -> tuple[dict[str, tuple[float, float]], Comparison]:
    """Seconds by the clock, and of this process's processor time, from the two files to each mark."""
    begun = time.perf_counter(), time.process_time()
    marks: dict[str, tuple[float, float]] = {}

    def mark(name: str) -> None:
        marks.setdefault(name, (time.perf_counter() - begun[0], time.process_time() - begun[1]))

    def watch(progress: Progress) -> None:
        for partial_map in progress.partial.values():
            known = ~np.isnan(partial_map.values)
            if known.any():
                mark("first cells of the section map")
            if known.all():
                mark("section map, provisional")
        if progress.provisional is not None:
            mark("provisional verdict")

    with ThreadPoolExecutor() as threads:  # as the page reads them
        one, other = threads.map(colde.read, (a, b))
    mark("texts read")
    for comparison in colde.compare_steps(one, other, on_progress=watch, loader=loaded.__getitem__):
        if comparison.models and comparison.models[0].name == next(iter(loaded)):
            mark("verdict")
    mark("everything")
    return marks, comparison


def clicks(report: Path) -> list[float]:
    """Milliseconds from a click on the heatmap until both texts with its passages are on the screen."""
    from studies.browser import chromium

    chance = random.Random(0)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(180_000)
        page.goto(report.as_uri())
        page.evaluate(WATCH)
        canvas = page.get_by_test_id("heatmap")
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box is not None
        for _ in range(CLICKS):
            x, y = (box[side] * chance.uniform(0.02, 0.98) for side in ("width", "height"))
            page.mouse.click(box["x"] + x, box["y"] + y)
            page.wait_for_timeout(30)
        taken: list[float] = page.evaluate("window.taken")
    return [x for x in taken if x >= 0]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, nargs="*", default=[])
    chosen = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    sandbox.warm_up(files=2)
    loaded = {name: models.load(name) for name in models.DEFAULTS}
    warm_up(loaded, loaded.__getitem__)  # as the server does
    print(f"{runtime()}; {usable_cores()} cores may be used")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = [(0, *chosen.paths[:2])] if not chosen.pages else []
        pairs += [(pages, *joined(chosen.paths[0], pages, folder)) for pages in chosen.pages]
        for pages, a, b in pairs:
            measure(pages, a, b, loaded, folder / "report.html")


def measure(pages: int, a: Path, b: Path, loaded: dict[str, Matcher], report: Path) -> None:
    """Print the times of one pair, and of clicks in its report."""
    marks, comparison = wait(a, b, loaded)
    read = comparison.models[0]
    tokens = read.read_a.tokens + read.read_b.tokens
    print(f"\n{comparison.a.pages} and {comparison.b.pages} pages, {tokens:,} tokens")
    for what, (clock, processor) in marks.items():
        print(f"{clock:7.2f} s by the clock, {processor:7.2f} of processor time   {what}")
    for what, seconds in LIMITS.get(pages, {}).items():
        print_limit(f"two PDFs of {pages} pages, {what}", marks[what][0], seconds, "s")
    if find_spec("playwright"):
        report.write_text(to_html(comparison), encoding="utf-8")
        spent = np.array(clicks(report))
        half, most = np.quantile(spent, (0.5, 0.95))
        size = report.stat().st_size / 1e6
        print(
            f"click → both texts: {half:.0f} ms in the middle of {len(spent)} clicks; the page has {size:.1f} MB"
        )
        print_limit("click → both texts, 95th percentile", float(most), 50, "ms")


if __name__ == "__main__":
    main()
