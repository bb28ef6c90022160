"""Does a huge comparison on one page keep another page's small one waiting? Two sessions in chromium, by the clock.

    python benchmarks/two_sessions.py ../shared/corpora/acl ../shared/documents/papers [--words 120000] [--alone 6]

One session compares two short texts again and again, each pair another one: first alone, then while the other session
opens the explorer's models for the first time, reads two PDFs of 300 pages, and compares two texts of as many words as
such documents have (of a corpus, each document once), until that is done. Waiting is counted from the files to the
verdict, and to everything. The browser of both runs on the same machine, and takes its part.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import tempfile
import time
import urllib.request
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from playwright.sync_api import Browser, FilePayload, Page, sync_playwright

from colde.cli.app import command
from colde.data.files import entries

SAMPLES = Path(__file__).resolve().parents[1] / "assets" / "samples"
SHORT = 600  # words of a short text
PAGES = 300
PATIENCE = 600_000  # milliseconds


def short_text(chance: random.Random) -> str:
    held = [p for path in sorted(SAMPLES.glob("*.md")) for p in path.read_text("utf-8").split("\n\n")]
    parts, count = [f"# Text {chance.random()}"], 0
    while count < SHORT:
        parts.append(f"{chance.choice(held)} {chance.random()}.")
        count += len(parts[-1].split())
    return "\n\n".join(parts)


def long_texts(corpus: Path, words: int) -> tuple[str, str]:
    """Documents of a corpus after one another, each once."""
    there = iter(entries([corpus]))
    made = []
    for _ in range(2):
        parts, count = [], 0
        while count < words:
            document = next(there).read()
            parts.append(f"# {document.title}\n\n{document.text}")
            count += document.words()
        made.append("\n\n".join(parts))
    return made[0], made[1]


def long_pdf(folder: Path, out: Path) -> Path:
    """Pages of the PDFs of a folder, again and again."""
    made = pdfium.PdfDocument.new()
    for file in cycle(sorted(folder.glob("*.pdf"))):
        source = pdfium.PdfDocument(file)
        made.import_pages(source, list(range(min(len(source), PAGES - len(made)))))
        if len(made) == PAGES:
            break
    made.save(out)
    return out


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_role("button", name="Compare", exact=True).wait_for()
    return page


def put(page: Page, side: str, file: FilePayload | Path) -> None:
    page.get_by_test_id("stFileUploader").filter(has_text=f"Document {side}").locator(
        "input"
    ).set_input_files(file)


def text_file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def press(page: Page) -> None:
    page.get_by_role("button", name="Compare", exact=True).and_(page.locator(":enabled")).click()


def done(page: Page) -> bool:
    return page.get_by_role("button", name="Export").is_visible()


def short(browser: Browser, address: str, chance: random.Random) -> tuple[float, float]:
    """Seconds from two short files to the verdict and to everything."""
    page = opened(browser, address)
    begun = time.monotonic()
    for side in "AB":
        put(page, side, text_file(f"{side}.md", short_text(chance)))
    press(page)
    page.get_by_test_id("verdict").filter(has_text="in 100").wait_for()
    verdict = time.monotonic() - begun
    page.get_by_role("button", name="Export").wait_for()
    whole = time.monotonic() - begun
    page.context.close()
    return verdict, whole


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--words", type=int, default=120_000, help="of each of the two long texts")
    parser.add_argument("--alone", type=int, default=6)
    parser.add_argument(
        "--most", type=float, default=300, help="seconds of the long comparison that are watched"
    )
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    chance = random.Random(0)
    texts = long_texts(asked.corpus, asked.words)
    rows: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as held, socket.socket() as found, sync_playwright() as playwright:
        pdf = long_pdf(asked.papers, Path(held) / "long.pdf")
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
        found.close()
        address = f"http://127.0.0.1:{port}"
        server = subprocess.Popen(
            [*command(port), "--server.headless", "true"],
            env={**os.environ, "COLDE_CACHE": "off"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            healthy(address, server)
            rows["first of a server, models are loaded"] = [short(browser, address, chance)]
            rows["alone"] = [short(browser, address, chance) for _ in range(asked.alone)]

            other = opened(browser, address)
            for side in "AB":
                put(other, side, pdf)
            meanwhile = rows.setdefault(f"while two PDFs of {PAGES} pages are read", [])
            enabled = other.get_by_role("button", name="Compare", exact=True).and_(other.locator(":enabled"))
            while not enabled.is_visible():
                meanwhile.append(short(browser, address, chance))
            other.context.close()

            other = opened(browser, address)
            for side, text in zip("AB", texts, strict=True):
                put(other, side, text_file(f"long {side}.md", text))
            press(other)
            begun = time.monotonic()
            meanwhile = rows.setdefault(f"while two texts of {asked.words:,} words are compared", [])
            while not done(other) and time.monotonic() - begun < asked.most:
                meanwhile.append(short(browser, address, chance))
            spent = time.monotonic() - begun
            print(
                f"the long comparison was {'' if done(other) else 'not yet '}done after {spent:.0f} s",
                flush=True,
            )
            rows["after it, its page still open"] = [short(browser, address, chance) for _ in range(3)]
        finally:
            browser.close()
            server.terminate()
            server.wait(30)
    usual = np.median(rows["alone"], axis=0)
    print(f"load of the machine {os.getloadavg()[0]:.1f}; seconds to the verdict and to everything")
    for what, spent in rows.items():
        if spent:
            half, most = np.median(spent, axis=0), np.max(spent, axis=0)
            print(
                f"{half[0]:6.2f} {half[1]:6.2f} in the middle ({half[0] / usual[0]:.1f} and {half[1] / usual[1]:.1f} × "
                f"alone), {most[0]:6.2f} {most[1]:6.2f} at most, of {len(spent):2}   {what}"
            )
    if asked.json is not None:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def healthy(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        if server.poll() is not None:
            raise SystemExit("the explorer did not start")
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
            return
        time.sleep(0.2)
    raise SystemExit("the explorer does not answer")


if __name__ == "__main__":
    main()
