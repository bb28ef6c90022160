"""Joins lines of explanation_figures.py: the file that the page reads, and the tables of docs/results.

    python -m studies.explanations.explanation_tables --docs docs/results/explanations.md assets/explanations.json
        LINES.jsonl …

Models that have no line keep their figures. Of a model, the lines of its last version count: the one that was measured
last. The tables are between two marks of the page; the rest of it stays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from studies.arguments import command_line
from studies.release.made_with import record
from studies.significance import bootstrap_interval
from studies.tables import interval_text, markdown_table, read_json, read_lines, replace_between, write_json

BEGIN, END = "<!-- table -->", "<!-- end of table -->"
KNOWN = ("random", "cosine", "chunk cosine", "TF-IDF")
"""Orders that need no model."""
OWN = {"chunks": "contribution_chunk", "sentences": "contribution_sentence"}
"""The contribution map of the passages that are left out."""
COMPARED = (
    "deletion",
    "less random",
    "less cosine",
    "less TF-IDF",
    "A alone less random",
    "B alone less random",
)

Line = Mapping[str, Any]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("asset", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--docs", type=Path, required=True)
    asked = parser.parse_args()
    lines: dict[str, list[Line]] = defaultdict(list)
    for line in (one for file in asked.files for one in read_lines(file)):
        lines[line["model"]].append(line)
    models: dict[str, Any] = read_json(asked.asset, {"models": {}})["models"]
    for name, all_lines in lines.items():
        last = [one for one in all_lines if one["version"] == all_lines[-1]["version"]]
        deleted = [one for one in last if one["shares"]]
        if deleted:
            others = ("curves", "control")  # deletion_curves.py, deletion_controls.py
            curves = {k: v for k, v in models.get(name, {}).items() if k in others}
            models[name] = pooled(deleted) | curves
        if name in models:
            models[name]["complete"] = completeness(last)
    write_json(asked.asset, {"models": models})
    record(asked.asset, list(lines))
    replace_between(asked.docs, BEGIN, END, f"{contribution_tables(models)}\n{view_table(models)}")


def pooled(lines: Sequence[Line]) -> dict[str, Any]:
    """Figures of a model over all its pairs, and of each corpus by itself."""
    corpora = sorted({line["corpus"] for line in lines})
    figures = {
        "corpus": listed(corpora),
        "pairs": len(lines),
        **{key: lines[-1][key] for key in ("passages", "shares", "seed", "version")},
        "score": round(float(np.mean([line["score"] for line in lines])), 4),
        "residual": max((line["residual"] for line in lines if line["residual"] is not None), default=None),
        "views": _views(lines),
        "corpora": {},
    }
    view = OWN[lines[-1]["passages"]]
    for corpus in corpora:
        corpus_lines = [line for line in lines if line["corpus"] == corpus]
        figures["corpora"][corpus] = {"pairs": len(corpus_lines), **_against(corpus_lines, view)}
    return figures


def completeness(lines: Sequence[Line]) -> dict[str, Any]:
    """Greatest and mean residual as shares of the score, and the greatest error of nested sums; a pair counts once."""
    pairs = {(line["corpus"], line["pair"]): line for line in lines if line["residual"] is not None}
    if not pairs:
        return {"pairs": 0}
    residuals = [line["residual"] for line in pairs.values()]
    return {
        "pairs": len(pairs),
        "mean": float(np.mean(residuals)),
        "greatest": float(np.max(residuals)),
        "below 1 %": sum(r < 0.01 for r in residuals),
        "nested": max(line["nested"] for line in pairs.values()),
    }


def _views(lines: Sequence[Line]) -> dict[str, Any]:
    """The figures of every view that all pairs have."""
    figures = {}
    for view, first in lines[-1]["views"].items():
        if not all(view in line["views"] for line in lines):
            continue
        figures[view] = {"role": first["role"], "level": first["level"]}
        for measure in ("deletion", "insertion"):
            values, chance = (_values(lines, v, measure) for v in (view, "random"))
            figures[view] |= {measure: interval(values), f"{measure} less chance": interval(values - chance)}
    return figures


def _against(lines: Sequence[Line], view: str) -> dict[str, Any]:
    """Loss by deletion in the order of the contribution map, and how much more that is than in the other orders."""
    losses = _values(lines, view, "deletion")
    figures: dict[str, Any] = {"deletion": interval(losses)}
    for other in ("random", "cosine", "TF-IDF"):
        figures[f"less {other}"] = interval(losses - _values(lines, other, "deletion"))
    for side, letter in enumerate("AB"):
        if all(view in line["sides"] for line in lines):
            alone, chance = (np.array([line["sides"][v][side] for line in lines]) for v in (view, "random"))
            figures[f"{letter} alone less random"] = interval(alone - chance)
    return figures


def _values(lines: Sequence[Line], view: str, measure: str) -> np.ndarray:
    return np.array([line["views"][view][measure] for line in lines])


def interval(values: np.ndarray) -> list[float]:
    """Mean, and its 95 % interval over draws of pairs."""
    return [round(v, 4) for v in bootstrap_interval(values)]


def contribution_tables(models: Mapping[str, Any]) -> str:
    """A row for each model and corpus: the contribution map against the other orders; and how exact its sums are."""
    rows = [
        [
            name,
            f"{corpus}, {figures['pairs']}",
            *(interval_text(figures[h], "+") if h in figures else "–" for h in COMPARED),
        ]
        for name, model_figures in models.items()
        for corpus, figures in model_figures.get("corpora", {}).items()
    ]
    sums = [
        [
            name,
            known["pairs"],
            f"{known['mean']:.1e}",
            f"{known['greatest']:.1e}",
            known["below 1 %"],
            f"{known['nested']:.1e}",
        ]
        for name, model_figures in models.items()
        if (known := model_figures.get("complete") or {"pairs": 0})["pairs"]
    ]
    compared = ["model", "corpus, pairs", "loss by contribution", *COMPARED[1:]]
    exact = ["model", "pairs", "residual, mean", "greatest", "under 1 %", "nested sums, greatest error"]
    return f"{markdown_table(compared, rows)}\n{markdown_table(exact, sums)}"


def view_table(models: Mapping[str, Any]) -> str:
    """A row for each view, the best by deletion first, those that need no model last."""
    rows = []
    for name, figures in models.items():
        views = figures.get("views", {})
        best = sorted((v for v in views if v not in KNOWN), key=lambda v: -views[v]["deletion"][0])
        for k, view in enumerate([*best, *(v for v in KNOWN if v in views)]):
            title = "" if k else f"{name}, {figures['passages']}, {figures['pairs']}"
            rows.append([title, view, *_view_cells(view, views[view])])
    columns = "model, passages, pairs|view|loss by deletion|less chance|score by insertion|less chance|"
    return markdown_table(columns.split("|"), rows)


def _view_cells(view: str, figures: Mapping[str, Sequence[float]]) -> list[str]:
    cells, lower = [], []
    for measure in ("deletion", "insertion"):
        more = figures[f"{measure} less chance"]
        cells += [f"{figures[measure][0]:.3f}", interval_text(more, "+")]
        lower.append(more[1])
    better = "better than chance" if max(lower) > 0 else "no better"
    return [*cells, "" if view == "random" else better]


def listed(names: Sequence[str]) -> str:
    """“acl, peps and wiki”."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


if __name__ == "__main__":
    main()
