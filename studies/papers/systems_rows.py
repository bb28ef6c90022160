"""The rows of systems.json, and the two tables of systems.md that show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.tables import markdown_table, mean_and_spread, read_json, replace_between, write_json

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

MINUTES = {"shipped": "ships", "another setting": "ships, set otherwise"}
"""What stands for the minutes of training of a row without a training run."""

Row = Mapping[str, Any]


def add_seed(rows: Sequence[Row], row: Row, seed: int) -> list[dict[str, Any]]:
    """The rows with a new one: seed 0 is a row, the figures of the other seeds join it as its `seeds`."""
    old = next((r for r in rows if r["name"] == row["name"]), None)
    if old is None:
        return [*map(dict, rows), dict(row)]
    new = dict(row) if seed == 0 else {**old, "seeds": {**old.get("seeds", {}), str(seed): row["corpora"]}}
    return [new if r is old else dict(r) for r in rows]


def table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """A line per system: accuracy / F1 / area under the curve; in brackets the area of the same network untrained.

    Several seeds are shown as mean and standard deviation. A row may have a `note`, which is edited in systems.json.
    """
    cells = [
        [
            f"{row['title']} ({_label(row)})",
            *(_cell(row, name) for name in names),
            MINUTES.get(row["weights"], row["minutes"]),
            _training(row),
        ]
        for row in rows
    ]
    return markdown_table(["", *names, "minutes", "steps × pairs"], cells)


def _label(row: Row) -> str:
    pairs = max(c["pairs"] for c in row["corpora"].values())
    notes = [f"{pairs} pairs of each"] if pairs < JUDGED else []
    notes += [row["note"]] if row.get("note") else []
    return ", ".join([f"`{row['name']}`", *notes])


def _training(row: Row) -> str:
    """Steps and pairs of the training, and how many seeds were trained."""
    trained = row.get("steps") and row["weights"] == "recipe"
    parts = [f"{row['steps']} × {row['pairs_a_step']}"] if trained else []
    parts += [f"{len(row['seeds']) + 1} seeds"] if row.get("seeds") else []
    return ", ".join(parts)


def four_measures(rows: Sequence[Row], names: Sequence[str]) -> str:
    """CoLDE's table 2: a line per system, with accuracy, precision, recall and F1."""
    by_name = {row["name"]: row for row in rows}
    chosen = [by_name[n] for n in COLDE_TABLE_2 if n in by_name]
    return markdown_table(
        ["", *names],
        (
            [r["title"], *(" / ".join(f"{r['corpora'][n][m]:.3f}" for m in FOUR) for n in names)]
            for r in chosen
        ),
    )


def _cell(row: Row, corpus: str) -> str:
    first = row["corpora"].get(corpus)
    if first is None:
        return ""
    seeds = [first, *(seed[corpus] for seed in row.get("seeds", {}).values())]
    text = " / ".join(mean_and_spread([s[m] for s in seeds]) for m in ("accuracy", "f1", "roc_auc"))
    if "gain" not in first:
        return text
    sure = all(s["gain"]["low"] > 0 for s in seeds)
    return f"{text} ({first['untrained_roc_auc']:.3f}{'' if sure else ', not beyond chance'})"


def read(output: Path) -> list[dict[str, Any]]:
    """The rows of systems.json."""
    return list(read_json(output / "systems.json", []))


def write(rows: Sequence[Row], names: Sequence[str], output: Path) -> None:
    """Write the rows, and both tables of the page."""
    write_json(output / "systems.json", rows)
    replace_between(output / "systems.md", BEGIN, END, table(rows, names))
    replace_between(output / "systems.md", BEGIN_FOUR, END_FOUR, four_measures(rows, names))
