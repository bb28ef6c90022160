"""The studies' figures as Markdown tables, each between two markers of a file: what stands around them stays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from studies.papers.chunk_collapse import MEANINGS

FIGURES = ("accuracy", "precision", "recall", "f1", "auc")
Rows = Sequence[Mapping[str, Any]]


def update_tables(text: str, found: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with each part between `<!-- study NAME -->` and `<!-- end -->` written anew."""

    def written(match: re.Match[str]) -> str:
        name = match[1]
        if name not in found:
            return match[0]
        return f"<!-- study {name} -->\n{table(name, found[name])}<!-- end -->"

    return re.sub(r"<!-- study (\w+) -->\n.*?<!-- end -->", written, text, flags=re.DOTALL)


def table(name: str, corpora: Mapping[str, Any]) -> str:
    """A study on one or several corpora: a column each."""
    seeds = ", ".join(
        f"{corpus} {e['pairs']:,} pairs, {e['seeds']} seed{'s'[: e['seeds'] > 1]}"
        for corpus, e in corpora.items()
    )
    if name == "collapse":
        lines = _collapse(corpora)
    elif "documents" in next(iter(corpora.values()))["rows"][0]:
        lines = _changed(corpora)
    else:
        lines = _compared(corpora)
    return "\n".join([*lines, "", f"({seeds})"]) + "\n"


def figure(value: Mapping[str, float], digits: int = 3) -> str:
    """Mean ± standard deviation, the latter where there are several seeds."""
    return f"{value['mean']:.{digits}f}" + (f" ± {value['sd']:.{digits}f}" if value["sd"] else "")


def _compared(corpora: Mapping[str, Any]) -> list[str]:
    """Accuracy / precision / recall / F1 / AUC, and the test against the first row where there is one."""
    tested = any("difference" in r for e in corpora.values() for r in e["rows"])
    lines = [
        "| accuracy / precision / recall / F1 / AUC" + (", difference of accuracy (p) |" if tested else " |")
    ]
    lines[0] = lines[0] + "".join(f" {c} |" for c in corpora)
    lines.append("| --- " * (len(corpora) + 1) + "|")
    for row in _names(corpora, "name"):
        cells = []
        for e in corpora.values():
            r = next((r for r in e["rows"] if r["name"] == row), None)
            if r is None:
                cells.append("")
                continue
            cell = " / ".join(figure(r[m]) for m in FIGURES)
            if "difference" in r:
                cell += f", {r['difference']['accuracy']:+.3f} ({chance(r['difference']['p'])})"
            cells.append(cell)
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return lines


def chance(value: float) -> str:
    return "p < .001" if value < 0.001 else f"p = {value:.3f}"


def _changed(corpora: Mapping[str, Any]) -> list[str]:
    lines = ["| accuracy / AUC, points of accuracy lost | documents |" + "".join(f" {c} |" for c in corpora)]
    lines.append("| --- " * (len(corpora) + 2) + "|")
    for name in _names(corpora, "name"):
        for documents in _names(corpora, "documents"):
            cells = []
            for e in corpora.values():
                r = next((r for r in e["rows"] if (r["name"], r["documents"]) == (name, documents)), None)
                lost = "" if r is None or documents == "as they are" else f", {100 * r['lost']['mean']:+.2f}"
                cells.append("" if r is None else f"{figure(r['accuracy'])} / {figure(r['auc'])}{lost}")
            lines.append(f"| {name} | {documents} | " + " | ".join(cells) + " |")
    return lines


def _collapse(corpora: Mapping[str, Any]) -> list[str]:
    models = [(c, r) for c, e in corpora.items() for r in e["rows"]]
    lines = ["| mean cosine of a document's chunks |" + "".join(f" {r['name']}, {c} |" for c, r in models)]
    lines.append("| --- " * (len(models) + 1) + "|")
    for key, meaning in MEANINGS.items():
        lines.append(f"| {meaning} | " + " | ".join(figure(r[key]) for _, r in models) + " |")
    return lines


def _names(corpora: Mapping[str, Any], key: str) -> list[str]:
    """Values of a column in the order in which they first come."""
    return list(dict.fromkeys(r[key] for e in corpora.values() for r in e["rows"]))
