"""Commands and the first page from a cold process: seconds by the clock and of processor time.

python -m studies.speed.cold_start      the cache is off; each command runs `ROUNDS` times, in turns

The first page: from the start of `colde app` until chromium, which is open before, shows its first sentence.
"""

from __future__ import annotations

import os
import platform
import re
import resource
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from urllib.error import URLError
from urllib.request import urlopen

from colde.assets import asset
from studies.tables import print_limit

ROUNDS = 3
LIMITS = {"colde read": 1.0, "colde compare, two short texts": 4.0, "first page": 4.0}
"""Seconds by the clock."""

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import torch'": ["-c", "import torch"],
    "colde read": ["-m", "colde", "read", str(asset("samples", "banks_money.md"))],
    "colde compare, two short texts": [
        "-m",
        "colde",
        "compare",
        str(asset("samples", "banks_money.md")),
        str(asset("samples", "banks_river.md")),
    ],
}


def run(arguments: list[str]) -> tuple[float, float]:
    """Seconds by the clock, and of processor time with that of its children."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"COLDE_CACHE": "off"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - clock, used


def first_page() -> tuple[float, float]:
    """Seconds by the clock until the first page is shown, and processor seconds of the server until it has ended."""
    from playwright.sync_api import sync_playwright

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "colde", "app", "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not answers(port):
                time.sleep(0.02)
            page.goto(f"http://127.0.0.1:{port}")
            page.get_by_role("button", name=re.compile("Use this pair")).first.wait_for(timeout=60_000)
            seconds = time.perf_counter() - clock
        finally:
            server.terminate()
            server.wait()
            browser.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def answers(port: int) -> bool:
    """Whether the server answers at all."""
    try:
        with urlopen(f"http://127.0.0.1:{port}", timeout=5):
            return True
    except (URLError, OSError):
        return False


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            times[name].append(run(arguments))
        if find_spec("playwright"):
            times.setdefault("first page", []).append(first_page())
    for name, own in times.items():
        columns = []
        for kind in (0, 1):
            values = sorted(t[kind] for t in own)
            columns.append(f"{values[len(values) // 2]:6.2f} s ({values[0]:.2f}–{values[-1]:.2f})")
        print(f"{name:34} clock {columns[0]}   processor {columns[1]}")
    for name, seconds in LIMITS.items():
        if name in times:
            print_limit(
                f"{name}, from a cold process", sorted(t[0] for t in times[name])[ROUNDS // 2], seconds, "s"
            )


if __name__ == "__main__":
    main()
