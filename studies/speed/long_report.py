"""How fluid a report is in a browser: milliseconds to its first cells and of a click, longest task, JavaScript heap.

python -m studies.speed.long_report REPORT.html … [--chromium /usr/bin/chromium]

Reports are those of `colde compare --html`, or of the documents of `long_documents.py --reports`.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from studies.arguments import command_line
from studies.browser import CHROMIUM, chromium

WATCH = """
window.tasks = [];
new PerformanceObserver((list) => { for (const e of list.getEntries()) window.tasks.push(e.duration); })
  .observe({ type: "longtask", buffered: true });
(function watch() {
  const canvas = document.querySelector("[data-testid=heatmap]");
  if (canvas && canvas.width > 1 && canvas.dataset.rows && canvas.clientWidth) window.first ??= performance.now();
  else requestAnimationFrame(watch);
})();
"""
CLICK = """
const canvas = document.querySelector("[data-testid=heatmap]");
const box = canvas.getBoundingClientRect();
for (const kind of ["pointermove", "pointerdown", "pointerup", "click"]) {
  const at = { clientX: box.left + 0.31 * box.width, clientY: box.top + 0.43 * box.height };
  canvas.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0, ...at }));
}
"""
CHUNKS = """
[...document.querySelectorAll(".lv-toolbar button")].find((b) => b.textContent === "Chunks").click();
"""
TIMED = """
async (what) => {
  const begun = performance.now();
  new Function(what)();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - begun;
}
"""
REST = 3_000  # milliseconds until what follows a click is done


def longest_task_and_heap(page: Page) -> str:
    """The longest task since it was last asked, and the heap after a collection."""
    page.wait_for_timeout(REST)
    tasks = page.evaluate("() => window.tasks.splice(0)")
    heap = page.evaluate("() => { gc(); return performance.memory.usedJSHeapSize; }")
    return f"longest task {max(tasks, default=0):.0f} ms, heap {heap / 2**20:.0f} MiB"


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("reports", type=Path, nargs="+")
    parser.add_argument("--chromium", type=Path, default=CHROMIUM)
    chosen = parser.parse_args()
    options = "--js-flags=--expose-gc", "--enable-precise-memory-info"
    with chromium(*options, path=chosen.chromium) as browser:
        for report in chosen.reports:
            page = browser.new_page(viewport={"width": 1440, "height": 1000})
            page.set_default_timeout(180_000)
            page.add_init_script(WATCH)
            page.goto(report.resolve().as_uri())
            page.wait_for_function("() => window.first")
            first = page.evaluate("() => window.first")
            size = report.stat().st_size / 1e6
            print(
                f"{report.name}, {size:.1f} MB: first cells {first:.0f} ms; {longest_task_and_heap(page)}",
                flush=True,
            )
            for name, what in (("a cell opened", CLICK), ("all chunks", CHUNKS)):
                print(
                    f"  {name} {page.evaluate(TIMED, what):.0f} ms; {longest_task_and_heap(page)}", flush=True
                )
            page.close()


if __name__ == "__main__":
    main()
