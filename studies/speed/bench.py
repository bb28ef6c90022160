"""One table of this machine: what its processor multiplies, and whether it meets the limits of speed.

python -m studies.speed.bench FILE FILE FILE [--pages FOLDER]      six minutes; the table comes last

It runs `encoding_speed`, `cold_start` and `waiting_time`, which print more than the limits.

--pages FOLDER: PDFs that are joined to two of 10 and of 30 pages; else two of the files are what is waited for.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from studies.arguments import command_line
from studies.speed.matrix_products import machine, peaks
from studies.tables import markdown_table

LIMIT = re.compile(
    r"\s*(?P<met>met|SHORT) {3}(?P<what>.+): (?P<value>\S+) (?P<unit>\S+) \((?P<limit>[≤≥] \S+)\)\s*"
)
"""A line of `print_limit`."""


def limit_rows(lines: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """What was measured, its value, its limit, and whether it is met, of the lines that say so."""
    matches = (LIMIT.fullmatch(line) for line in lines)
    return [
        (
            m["what"],
            f"{m['value']} {m['unit']}",
            f"{m['limit']} {m['unit']}",
            "yes" if m["met"] == "met" else "**no**",
        )
        for m in matches
        if m
    ]


def run(program: str, *arguments: str | Path) -> list[str]:
    """The lines that a program of this folder prints, which are shown as they come."""
    command = [sys.executable, "-m", f"studies.speed.{program}", *map(str, arguments)]
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return lines


def table(rates: dict[str, float], rows: Sequence[tuple[str, str, str, str]]) -> str:
    """The table of this machine."""
    products = [(f"products in {name}, one core", f"{rate:.0f} GOPS", "", "") for name, rate in rates.items()]
    return markdown_table(
        (f"{machine()}, torch {torch.__version__}", "measured", "limit", "met"), [*products, *rows]
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--pages", type=Path)
    chosen = parser.parse_args()
    waiting = ("--pages", "10", "30", "--", chosen.pages) if chosen.pages else tuple(chosen.files[-2:])
    rates = peaks()
    programs = (("encoding_speed", *chosen.files), ("cold_start",), ("waiting_time", *waiting))
    lines = [line for program in programs for line in run(*program)]
    print(f"\n{table(rates, limit_rows(lines))}", end="")


if __name__ == "__main__":
    main()
