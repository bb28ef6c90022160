"""What shows docs/results/accuracy.json: README, model card, docs/log/accuracy.md and assets/figures.json.

    python -m studies.accuracy.results_pages

A test fails when page and JSON differ, so no figure is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from colde import models
from colde.judge.profiles import GENERAL, profile_table
from colde.models.checkpoint import read_config
from colde.models.validation_figures import BOTH_NEW, FEWEST_PAIRS, FIGURES, ONE_NEW
from studies import ROOT
from studies.accuracy.result_rows import ALL, AUTO, COMMANDS, OWN, RESULTS, SECOND, Results, read_results
from studies.release.made_with import record
from studies.tables import markdown_table, replace_between, write_json

BEGIN, END = "<!-- accuracy -->", "<!-- end accuracy -->"
TITLES = {ONE_NEW: "One of the two documents is new", BOTH_NEW: "Both documents are new"}
MEASURES = {
    "accuracy": "Accuracy",
    "f1": "F1",
    "roc_auc": "Area under the ROC curve",
    "calibration_error": "Calibration error; in square brackets, what exactly right probabilities stay below in 95 "
    "of 100 samples",
}
SECOND_TITLE = (
    "Documents that chose nothing: CoLDE and its words were trained again with other documents set aside, with the "
    "settings that ship, and measured once."
)
CARD_MODELS = ("colde_words", "colde", "tfidf", "exact")
Column = tuple[str, str]
"""Kind of documents, or `all`, and the profile that judges them: `own`, `auto` or `general`."""


def write(root: Path = ROOT, results: Results | None = None) -> None:
    """Write every page that shows the figures, below `root`."""
    shown = read_results() if results is None else results
    for page, text in pages(shown, read_results(SECOND)).items():
        replace_between(root / page, BEGIN, END, text)
    path = root / "assets" / FIGURES
    write_json(path, figures(shown))
    record(path, [name for name, about in shown.models.items() if about["weights"] == _weights(name)])


def _weights(name: str) -> str:
    """Fingerprint of the weights that ship."""
    return read_config(models.checkpoint(name)).fingerprint(judged=False)


def pages(results: Results, second: Results) -> dict[str, str]:
    """The generated part of each page; `second` are the figures on the second set of documents, if it was measured."""
    card, table = model_card(results), details(results, RESULTS)
    if second.models:
        card += f"\n{SECOND_TITLE}\n\n{model_card(second)}"
        table += f"\n### A second set of documents\n\n{SECOND_TITLE}\n\n{details(second, SECOND)}"
    return {"README.md": readme(results, second), "docs/model_card.md": card, "docs/log/accuracy.md": table}


def readme(results: Results, second: Results) -> str:
    """Accuracy of all models on pairs of which one document is new, by kind, and of the first on the second set."""
    kinds = [kind for kind in profile_table() if results.pairs.get(ONE_NEW, {}).get(kind, 0) >= FEWEST_PAIRS]
    rows = []
    for name in _ranked(results):
        values = [results.row(name, "accuracy", ONE_NEW, kind, OWN) for kind in kinds]
        rows.append(
            [
                results.models[name]["title"],
                *(f"{row['value']:.2f}" if row else "" for row in values),
                _with_interval(results, "accuracy", name, ONE_NEW, (ALL, OWN), digits=2),
            ]
        )
    pairs = results.pairs.get(ONE_NEW, {})
    introduction = (
        f"Share of {sum(pairs.values()):,} labelled pairs that each model judges correctly (accuracy). Half of "
        "the pairs are related, so guessing gives 0.50. One document of each pair stands in no training pair of any "
        "model. Each pair is judged by the profile of its kind."
    )
    head = ["model", *(f"{kind} ({pairs[kind]:,} pairs)" for kind in kinds), "all kinds (95 % interval)"]
    return f"{introduction}\n\n{markdown_table(head, rows)}{_second_sentence(second)}"


def _second_sentence(second: Results) -> str:
    if not second.models:
        return ""
    name = _ranked(second)[0]
    one, both = (_with_interval(second, "accuracy", name, b, (ALL, OWN), digits=2) for b in TITLES)
    return (
        "\nThese documents also chose hyper-parameters. On a second set, whose documents chose nothing, "
        f"{second.models[name]['title']} has an accuracy of {one} with one new document and {both} with two.\n"
    )


def details(results: Results, path: Path) -> str:
    """Every measure with its interval: a table for each block of pairs and measure; `path` is the file of the rows."""
    parts = [f"    {COMMANDS[path]}\n\n{_dates(results)}\n"]
    for block, title in TITLES.items():
        parts.append(f"**{title}.**\n")
        for measure, name in MEASURES.items():
            table = _table(results, block, lambda *cell, m=measure: _with_interval(results, m, *cell))  # type: ignore[misc]
            parts.append(f"{name}:\n\n{table}")
    return "\n".join(parts)


def model_card(results: Results) -> str:
    """The default models and TF-IDF, with intervals."""
    head = ["documents (pairs)", "model", "accuracy", "AUC", "calibration error [by chance]"]
    shown = [(name, results.models[name]["title"]) for name in CARD_MODELS if name in results.models]
    parts = []
    for block, title in TITLES.items():
        rows = [
            [
                _heading(results, block, column),
                model,
                *(
                    _with_interval(results, m, name, block, column)
                    for m in ("accuracy", "roc_auc", "calibration_error")
                ),
            ]
            for column in _columns(results, block)
            for name, model in shown
        ]
        parts.append(f"{title}:\n\n{markdown_table(head, rows)}")
    return "\n".join(parts)


def figures(results: Results) -> dict[str, Any]:
    """The content of assets/figures.json."""
    return {
        name: {
            "made_with": about["weights"],
            "seconds": about["seconds"],
            "blocks": {block: _profile_figures(results, name, block) for block in TITLES},
        }
        for name, about in results.models.items()
    }


def _profile_figures(results: Results, name: str, block: str) -> dict[str, Any]:
    """By profile: a kind of documents by its profile, and all of them by `general`."""
    by_profile = {}
    for profile in profile_table():
        column = (ALL, GENERAL) if profile == GENERAL else (profile, OWN)
        accuracy = results.row(name, "accuracy", block, *column)
        if accuracy is None:
            continue
        measured = {m: results.row(name, m, block, *column) for m in ("accuracy", "f1", "roc_auc")}
        error, chance = (
            results.row(name, m, block, *column) for m in ("calibration_error", "calibration_error_by_chance")
        )
        by_profile[profile] = {
            "pairs": accuracy["pairs"],
            "measures": {m: [row["value"], row["low"], row["high"]] for m, row in measured.items() if row},
            "calibration_error": error and error["value"],
            "by_chance": chance and chance["value"],
            "reliability": results.models[name]["reliability"].get(block, []) if profile == GENERAL else [],
        }
    return by_profile


def _dates(results: Results) -> str:
    dates = sorted({about["date"] for about in results.models.values()})
    return f"Measured on {' and '.join(dates)}." if dates else "Not measured yet."


def _columns(results: Results, block: str) -> list[Column]:
    """The kinds of documents with enough pairs, then all kinds by each way to choose the profile."""
    pairs = results.pairs.get(block, {})
    kinds = [(kind, OWN) for kind in profile_table() if pairs.get(kind, 0) >= FEWEST_PAIRS]
    measured = {row["profile"] for row in results.rows}
    return [*kinds, (ALL, OWN), *((ALL, profile) for profile in (AUTO, GENERAL) if profile in measured)]


def _heading(results: Results, block: str, column: Column) -> str:
    documents, profile = column
    pairs = results.pairs.get(block, {})
    if profile != OWN:
        return f"`{profile}`"
    if documents == ALL:
        return f"all ({sum(pairs.values()):,})"
    return f"{documents} ({pairs[documents]:,})"


def _table(results: Results, block: str, cell: Callable[[str, str, Column], str]) -> str:
    """A row for each model, by the area under the curve over all pairs of the first block, the best first."""
    columns = _columns(results, block)
    rows = [
        [results.models[name]["title"], *(cell(name, block, column) for column in columns)]
        for name in _ranked(results)
    ]
    return markdown_table(["", *(_heading(results, block, column) for column in columns)], rows)


def _ranked(results: Results) -> list[str]:
    """The models by the area under the curve over all pairs of which one document is new, the best first."""

    def area(name: str) -> float:
        row = results.row(name, "roc_auc", ONE_NEW, ALL, OWN)
        return row["value"] if row else 0.0

    return sorted(results.models, key=area, reverse=True)


def _with_interval(
    results: Results, measure: str, name: str, block: str, column: Column, digits: int = 3
) -> str:
    row = results.row(name, measure, block, *column)
    if row is None:
        return ""
    value, low, high = (f"{row[key]:.{digits}f}" for key in ("value", "low", "high"))
    text = f"{value} ({low}–{high})"
    chance = results.row(name, f"{measure}_by_chance", block, *column)
    return f"{text} [{chance['value']:.3f}]" if chance else text


if __name__ == "__main__":
    write()
