"""Commands from a cold process: seconds by the clock and of processor time.

python benchmarks/cold_start.py      the cache is off; each command runs `ROUNDS` times, in turns
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time

from colde.assets import asset

ROUNDS = 3
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


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            times[name].append(run(arguments))
    for name, own in times.items():
        columns = []
        for kind in (0, 1):
            values = sorted(t[kind] for t in own)
            columns.append(f"{values[len(values) // 2]:6.2f} s ({values[0]:.2f}–{values[-1]:.2f})")
        print(f"{name:34} clock {columns[0]}   processor {columns[1]}")


if __name__ == "__main__":
    main()
