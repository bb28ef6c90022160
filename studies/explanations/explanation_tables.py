"""Joins lines of studies/explanations/explanation_figures.py: the file that the page reads, and the tables of
docs/results.

    python -m studies.explanations.explanation_tables --docs docs/results/explanations.md assets/explanations.json
    LINES.jsonl …

What stands in the file of models that have no line stays. Of a model, the lines of its last version count: the one that
was measured last. The tables stand between two marks in the document; the rest of it stays.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from studies.arguments import command_line
from studies.release.made_with import record

DRAWS = 1_000
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
KNOWN = ("random", "cosine", "chunk cosine", "TF-IDF")
"""Orders that know nothing of the model."""
OWN = {"chunks": "contribution_chunk", "sentences": "contribution_sentence"}
"""The contribution map of the passages that are left out."""

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
    models: dict[str, Any] = {}
    if asked.asset.is_file():
        models = json.loads(asked.asset.read_text(encoding="utf-8"))["models"]
    for name, all_lines in lines.items():
        last = [one for one in all_lines if one["version"] == all_lines[-1]["version"]]
        deleted = [one for one in last if one["shares"]]
        if deleted:
            curves = {k: v for k, v in models.get(name, {}).items() if k == "curves"}  # deletion_curves.py
            models[name] = pooled(deleted) | curves
        if name in models:
            models[name]["complete"] = completeness(last)
    asked.asset.write_text(
        json.dumps({"models": models}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    record(asked.asset, list(lines))
    text = asked.docs.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    told = f"{own_table(models)}\n{table(models)}"
    asked.docs.write_text(f"{before}{BEGIN}\n\n{told}\n{END}{after}", encoding="utf-8")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; none where there is no file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pooled(lines: Sequence[Line]) -> dict[str, Any]:
    """Figures of a model over all its pairs, and of each corpus by itself."""
    corpora = sorted({line["corpus"] for line in lines})
    found = {
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
        own = [line for line in lines if line["corpus"] == corpus]
        found["corpora"][corpus] = {"pairs": len(own), **_against(own, view)}
    return found


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
    found = {}
    for view, first in lines[-1]["views"].items():
        if not all(view in line["views"] for line in lines):
            continue  # some pairs have no such map
        found[view] = {"role": first["role"], "level": first["level"]}
        for measure in ("deletion", "insertion"):
            values, chance = (_values(lines, v, measure) for v in (view, "random"))
            found[view] |= {
                measure: interval(values),
                f"{measure} less chance": interval(values - chance),
            }
    return found


def _against(lines: Sequence[Line], view: str) -> dict[str, Any]:
    """Loss by deletion in the order of the contribution map, and how much more that is than in the other orders."""
    own = _values(lines, view, "deletion")
    found: dict[str, Any] = {"deletion": interval(own)}
    for other in ("random", "cosine", "TF-IDF"):
        found[f"less {other}"] = interval(own - _values(lines, other, "deletion"))
    for side, letter in enumerate("AB"):
        if all(view in line["sides"] for line in lines):
            alone, chance = (np.array([line["sides"][v][side] for line in lines]) for v in (view, "random"))
            found[f"{letter} alone less random"] = interval(alone - chance)
    return found


def _values(lines: Sequence[Line], view: str, measure: str) -> np.ndarray:
    return np.array([line["views"][view][measure] for line in lines])


def interval(values: np.ndarray) -> list[float]:
    """Mean, and its 95 % interval over draws of pairs."""
    random = np.random.default_rng(0)
    means = values[random.integers(len(values), size=(DRAWS, len(values)))].mean(1)
    return [round(float(v), 4) for v in (values.mean(), *np.quantile(means, (0.025, 0.975)))]


def own_table(models: Mapping[str, Any]) -> str:
    """A row a model and corpus: the contribution map against the other orders."""
    heads = (
        "deletion",
        "less random",
        "less cosine",
        "less TF-IDF",
        "A alone less random",
        "B alone less random",
    )
    lines = [
        f"| model | corpus, pairs | loss by contribution | {' | '.join(heads[1:])} |",
        f"| --- | --- |{' --- |' * len(heads)}",
    ]
    for name, found in models.items():
        for corpus, figures in found.get("corpora", {}).items():
            cells = [_interval(figures[h]) if h in figures else "–" for h in heads]
            lines.append(f"| {name} | {corpus}, {figures['pairs']} | {' | '.join(cells)} |")
    lines += ["", "| model | pairs | residual, mean | greatest | under 1 % | nested sums, greatest error |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name, found in models.items():
        known = found.get("complete") or {"pairs": 0}
        if known["pairs"]:
            figures = [f"{known['mean']:.1e}", f"{known['greatest']:.1e}", f"{known['below 1 %']}"]
            lines.append(f"| {name} | {known['pairs']} | {' | '.join(figures)} | {known['nested']:.1e} |")
    return "\n".join(lines) + "\n"


def table(models: Mapping[str, Any]) -> str:
    """A row a view, the best by deletion first, those that know nothing of the model last."""
    lines = [
        "| model, passages, pairs | view | loss by deletion | less chance | score by insertion | less chance | |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, found in models.items():
        views = found.get("views", {})
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


def listed(names: Sequence[str]) -> str:
    """“acl, peps and wiki”."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


if __name__ == "__main__":
    main()
