"""Commands and the first page from a cold process: seconds by the clock and of processor time.

python -m studies.speed.cold_start      the cache is off; each command runs `ROUNDS` times, in turns

The first page: from the start of `colde app` until chromium, which is open before, shows its first sentence.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from importlib.util import find_spec

from colde.assets import asset
from studies.speed.process_memory import children_seconds
from studies.tables import print_limit

ROUNDS = 3
LIMITS = {"colde read": 1.0, "colde compare, two short texts": 4.0, "first page": 4.0}
"""Seconds by the clock."""

SHORT_TEXTS = [asset("samples", f"banks_{name}.md") for name in ("money", "river")]
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import torch'": ["-c", "import torch"],
    "colde read": ["-m", "colde", "read", str(SHORT_TEXTS[0])],
    "colde compare, two short texts": ["-m", "colde", "compare", *map(str, SHORT_TEXTS)],
}


def run(arguments: list[str]) -> tuple[float, float]:
    """Seconds by the clock, and of processor time with that of its children."""
    before, clock = children_seconds(), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"COLDE_CACHE": "off"},
    )
    return time.perf_counter() - clock, children_seconds() - before


def first_page() -> tuple[float, float]:
    """Seconds by the clock until the first page is shown, and processor seconds of the server until it has ended."""
    from studies.browser import chromium, explorer

    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        before, clock = children_seconds(), time.perf_counter()
        with explorer() as address:
            page.goto(address)
            page.get_by_role("button", name=re.compile("Use this pair")).first.wait_for(timeout=60_000)
            seconds = time.perf_counter() - clock
    return seconds, children_seconds() - before


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            times[name].append(run(arguments))
        if find_spec("playwright"):
            times.setdefault("first page", []).append(first_page())
    for name, runs in times.items():
        columns = []
        for kind in (0, 1):
            values = sorted(t[kind] for t in runs)
            columns.append(f"{values[len(values) // 2]:6.2f} s ({values[0]:.2f}–{values[-1]:.2f})")
        print(f"{name:34} clock {columns[0]}   processor {columns[1]}")
    for name, seconds in LIMITS.items():
        if name in times:
            print_limit(
                f"{name}, from a cold process", sorted(t[0] for t in times[name])[ROUNDS // 2], seconds, "s"
            )


if __name__ == "__main__":
    main()
