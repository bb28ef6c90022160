"""Markdown tables, their places on the pages of docs/, and the JSON files that hold their figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any


def table_head(columns: Sequence[str]) -> str:
    """The first two lines of a table."""
    return f"{table_row(columns)}\n{'| --- ' * len(columns)}|"


def table_row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def markdown_table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with its last line break."""
    return "\n".join([table_head(columns), *map(table_row, rows)]) + "\n"


def mean_and_spread(values: Sequence[float]) -> str:
    """A figure; of several seeds the mean and the standard deviation."""
    return f"{mean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")


def interval_text(values: Sequence[float], sign: str = "") -> str:
    """A value and its interval; `sign="+"` writes the sign of positive numbers."""
    value, low, high = (f"{v:{sign}.3f}" for v in values)
    return f"{value} ({low} to {high})"


def replace_between(page: Path, begin: str, end: str, text: str) -> None:
    """Put a table between two marks of a page, or at its end if the marks are missing."""
    before = page.read_text(encoding="utf-8") if page.is_file() else ""
    first, _, rest = before.partition(begin)
    last = rest.partition(end)[2] or "\n"
    page.write_text(f"{first}{begin}\n\n{text}\n{end}{last}", encoding="utf-8")


def read_json(path: Path, default: Any) -> Any:
    """The content of a JSON file; `default` if the file does not exist."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file, and its folder if that does not exist."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_lines(path: Path | None) -> list[dict[str, Any]]:
    """The values of a file of JSON lines; none without a file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.is_file() else []
    return [json.loads(line) for line in lines]


def append_line(path: Path | None, value: Any) -> None:
    """Add a JSON line to a file, if one is given."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(value) + "\n")


def print_limit(what: str, value: float, limit: float, unit: str, *, least: bool = False) -> None:
    """Print `met` or `SHORT`, the limit and the value; with `least` the limit is a lower one."""
    within = value >= limit if least else value <= limit
    sign = "≥" if least else "≤"
    print(f"{'met' if within else 'SHORT':>7}   {what}: {value:.4g} {unit} ({sign} {limit:g})", flush=True)
