"""Joins figures of benchmarks/explanations.py: the file that the page reads, and the table of docs/results.

    python benchmarks/explanations_table.py --docs docs/results/explanations.md assets/explanations.json FILE.json …

The table stands between two marks in the document; the rest of it stays.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- table -->", "<!-- end of table -->"
KNOWN = ("random", "cosine", "chunk cosine", "TF-IDF")
"""Orders that know nothing of the model."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("asset", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--docs", type=Path, required=True)
    asked = parser.parse_args()
    models: dict[str, Any] = {}
    for file in asked.files:
        whole = json.loads(file.read_text(encoding="utf-8"))
        head = {k: whole[k] for k in ("corpus", "pairs", "passages", "shares", "seed")}
        models |= {name: {**head, **found} for name, found in whole["models"].items()}
    asked.asset.write_text(
        json.dumps({"models": models}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    text = asked.docs.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    asked.docs.write_text(f"{before}{BEGIN}\n\n{table(models)}\n{END}{after}", encoding="utf-8")


def table(models: Mapping[str, Any]) -> str:
    """A row a view, the best by deletion first, those that know nothing of the model last."""
    lines = [
        "| model, passages, pairs | view | loss by deletion | less chance | score by insertion | less chance | |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, found in models.items():
        views = found["views"]
        own = sorted((v for v in views if v not in KNOWN), key=lambda v: -views[v]["deletion"][0])
        for k, view in enumerate([*own, *(v for v in KNOWN if v in views)]):
            title = f"{name}, {found['passages']}, {found['pairs']}" if not k else ""
            lines.append(_row(title, view, views[view]))
    return "\n".join(lines) + "\n"


def _row(title: str, view: str, figures: Mapping[str, Sequence[float]]) -> str:
    more = [figures["deletion less chance"], figures["insertion less chance"]]
    better = "" if view == "random" else "better than chance" if max(m[1] for m in more) > 0 else "no better"
    cells = [
        f"{figures['deletion'][0]:.3f}",
        _interval(more[0]),
        f"{figures['insertion'][0]:.3f}",
        _interval(more[1]),
    ]
    return f"| {title} | {view} | {' | '.join(cells)} | {better} |"


def _interval(values: Sequence[float]) -> str:
    return f"{values[0]:+.3f} ({values[1]:+.3f} to {values[2]:+.3f})"


if __name__ == "__main__":
    main()
