"""The rows of systems.json, and the tables of systems.md that are made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

JUDGED = 400
"""The most pairs of a corpus that are judged."""

BEGIN, END = "<!-- table: studies/papers/systems_table.py -->", "<!-- end of the table -->"
BEGIN_FOUR, END_FOUR = (
    "<!-- CoLDE, table 2: studies/papers/systems_table.py -->",
    "<!-- end of CoLDE, table 2 -->",
)
FOUR = ("accuracy", "precision", "recall", "f1")

COLDE_TABLE_2 = ("colde", "s_long", "smith", "s_bert", "han", "arc_i", "dssm")
"""CoLDE and the systems that its table 2 compares it with."""

Row = Mapping[str, Any]


def add_seed(rows: Sequence[Row], row: Row, seed: int) -> list[dict[str, Any]]:
    """The rows with a new one: seed 0 is a row, the figures of others join it as its `seeds`."""
    there = next((r for r in rows if r["name"] == row["name"]), None)
    if there is None:
        return [*map(dict, rows), dict(row)]
    own = (
        dict(row) if seed == 0 else {**there, "seeds": {**there.get("seeds", {}), str(seed): row["corpora"]}}
    )
    return [own if r is there else dict(r) for r in rows]


def head(first: str, columns: Sequence[str]) -> list[str]:
    """The first two lines of a table."""
    return [f"| {first} | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 1) + "|"]


def table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """A line a system: accuracy / F1 / area under the curve; in brackets that of the same network untrained.

    With several seeds their mean and standard deviation. A row may have a `note`, written by hand into systems.json.
    """
    lines = head("", [*names, "minutes", "steps × pairs"])
    kinds = {"shipped": "ships", "another setting": "ships, set otherwise"}
    for row in rows:
        work = (
            f"{row['steps']} × {row['pairs_a_step']}"
            if row.get("steps") and row["weights"] == "recipe"
            else ""
        )
        if row.get("seeds"):
            work = ", ".join(w for w in (work, f"{len(row['seeds']) + 1} seeds") if w)
        pairs = max(c["pairs"] for c in row["corpora"].values())
        notes = [f"{pairs} pairs of each"] if pairs < JUDGED else []
        notes += [row["note"]] if row.get("note") else []
        label = ", ".join([f"`{row['name']}`", *notes])
        cells = " | ".join(_cell(row, n) for n in names)
        minutes = kinds.get(row["weights"], row["minutes"])
        lines.append(f"| {row['title']} ({label}) | {cells} | {minutes} | {work} |")
    return "\n".join(lines) + "\n"


def four_measures(rows: Sequence[Row], names: Sequence[str]) -> str:
    """CoLDE's table 2: a line a system, with accuracy, precision, recall and F1."""
    by_name = {row["name"]: row for row in rows}
    lines = head("", names)
    for row in (by_name[n] for n in COLDE_TABLE_2 if n in by_name):
        cells = [" / ".join(f"{row['corpora'][n][m]:.3f}" for m in FOUR) for n in names]
        lines.append(f"| {row['title']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(row: Row, corpus: str) -> str:
    found = row["corpora"].get(corpus)
    if found is None:
        return ""
    every = [found, *(seed[corpus] for seed in row.get("seeds", {}).values())]
    said = " / ".join(mean_and_spread([f[m] for f in every]) for m in ("accuracy", "f1", "roc_auc"))
    if "gain" not in found:
        return said
    sure = all(f["gain"]["low"] > 0 for f in every)
    return f"{said} ({found['untrained_roc_auc']:.3f}{'' if sure else ', not beyond chance'})"


def mean_and_spread(values: Sequence[float]) -> str:
    """A figure; of several seeds mean and standard deviation."""
    return f"{mean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")


def read(output: Path) -> list[dict[str, Any]]:
    """The rows that are there."""
    path = output / "systems.json"
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def write(rows: Sequence[Row], names: Sequence[str], output: Path) -> None:
    """Keep the rows, and put the tables in their places on the page."""
    output.mkdir(parents=True, exist_ok=True)
    text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    (output / "systems.json").write_text(text, encoding="utf-8")
    replace_between(output / "systems.md", BEGIN, END, table(rows, names))
    replace_between(output / "systems.md", BEGIN_FOUR, END_FOUR, four_measures(rows, names))


def replace_between(page: Path, begin: str, end: str, text: str) -> None:
    """Put a table in its place on a page, between two marks; at the end of a page without them."""
    before = page.read_text(encoding="utf-8") if page.is_file() else ""
    head, _, rest = before.partition(begin)
    tail = rest.partition(end)[2] or "\n"
    page.write_text(f"{head}{begin}\n\n{text}\n{end}{tail}", encoding="utf-8")
