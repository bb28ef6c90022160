"""The table of docs/results.md: claims of the papers and of ours, with our number, its interval, and the verdict.

    python -m studies.documentation.findings

docs/results/findings.toml holds the claims; every number comes from the JSON file that a row names.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any

from colde.models.validation_figures import ONE_NEW
from studies import ROOT
from studies.accuracy.result_rows import ALL, OWN, read_results
from studies.tables import markdown_table, read_json, replace_between

PAGE = ROOT / "docs" / "results.md"
CLAIMS = ROOT / "docs" / "results" / "findings.toml"
BEGIN, END = "<!-- findings -->", "<!-- end findings -->"
VERDICTS = ("held", "partly", "not held", "not shown")
CORPORA = ("acl", "wiki", "peps", "textbooks")
Z = 1.96

Row = Mapping[str, Any]


def findings_table() -> str:
    """A table for each source of claims, the CoLDE paper first."""
    claims = tomllib.loads(CLAIMS.read_text(encoding="utf-8"))
    parts = []
    for group in claims["group"]:
        rows = [_row(finding) for finding in group["finding"]]
        head = ["claim", "our number (95 % interval)", "verdict", "command, JSON"]
        parts.append(f"## {group['title']}\n\n{group.get('about', '')}\n\n{markdown_table(head, rows)}")
    return "\n\n".join(parts)


def write() -> None:
    """Write the table into docs/results.md."""
    replace_between(PAGE, BEGIN, END, findings_table())


def number_text(finding: Row) -> str:
    """The number of a row, with its interval."""
    number = finding["number"]
    return NUMBERS[number["kind"]](number)


def _row(finding: Row) -> list[str]:
    verdict = finding["verdict"]
    assert verdict in VERDICTS, verdict
    detail = f": {finding['note']}" if "note" in finding else ""
    file = _file(finding)
    link = f"[{file}.json](results/{file}.json)" if file else f"[log]({finding['log']})"
    claim = f"{finding['claim']} ({finding['where']})" if "where" in finding else finding["claim"]
    return [
        claim,
        number_text(finding),
        f"**{verdict}**{detail}",
        f"`{finding['command'].removeprefix('python -m ')}`, {link}" if "command" in finding else link,
    ]


def _file(finding: Row) -> str:
    return str(finding["number"].get("file", ""))


def _accuracies(file: str, name: str, measure: str, corpus: str) -> tuple[float, int]:
    """The mean over seeds of a model's measure on a corpus, and the number of its pairs."""
    values, pairs = [], 0
    for row in read_json(ROOT / "docs" / "results" / f"{file}.json", []):
        if row["name"] != name:
            continue
        seeds = [row["corpora"], *(row.get("seeds") or {}).values()]
        for corpora in seeds:
            known = corpora.get("corpora", corpora)[corpus]
            value = known["measures"][measure]["value"] if "measures" in known else known[measure]
            values.append(value)
            pairs = known["pairs"]
    if not values:
        raise KeyError(f"{file}.json has no row of {name}")
    return mean(values), pairs


def _variance(measure: str, value: float, pairs: int) -> float:
    """Of a share of `pairs`, or of an area under the curve by Hanley and McNeil 1982, half of the pairs related."""
    if measure != "roc_auc":
        return value * (1 - value) / pairs
    half = pairs / 2
    one, two = value / (2 - value), 2 * value**2 / (1 + value)
    spread = value * (1 - value) + (half - 1) * (one + two - 2 * value**2)
    return spread / half**2


def _difference(number: Row) -> str:
    """Mean over the corpora of a model's measure less that of one other or of the mean of several, in points."""
    measure, corpora = number.get("measure", "accuracy"), number.get("corpora", CORPORA)
    others = [number["b"]] if isinstance(number["b"], str) else number["b"]
    texts = []
    for other in others:
        differences, variance = [], 0.0
        for corpus in corpora:
            a, pairs = _accuracies(number["file"], number["a"], measure, corpus)
            b, other_pairs = _accuracies(number["file"], other, measure, corpus)
            differences.append(a - b)
            variance += _variance(measure, a, pairs) + _variance(measure, b, other_pairs)
        half = Z * math.sqrt(variance) / len(corpora)
        texts.append(_points(mean(differences), half))
    unit = "points of accuracy" if measure == "accuracy" else "points of ROC AUC"
    if len(texts) == 1:
        return f"{texts[0]} {unit}"
    return f"{'; '.join(f'{t} over {o}' for t, o in zip(texts, number['titles'], strict=True))} ({unit})"


def _points(value: float, half: float) -> str:
    low, high = 100 * (value - half), 100 * (value + half)
    return f"{_signed(100 * value)} ({_signed(low)} to {_signed(high)})"


def _signed(value: float) -> str:
    text = f"{value:+.1f}".replace("-", "−")
    return "0.0" if text[1:] == "0.0" else text


def _study(number: Row) -> str:
    """A row of a study of the CoLDE paper less another row, in points of accuracy, with the intervals of its pairs."""
    study = read_json(ROOT / "docs" / "results" / "studies.json", {})[number["study"]]
    texts = []
    for corpus in number["corpora"]:
        known = study[corpus]
        a, b = (_study_row(known["rows"], number[side])["accuracy"]["mean"] for side in ("a", "b"))
        half = Z * math.sqrt(sum(_variance("accuracy", v, known["pairs"]) for v in (a, b)))
        texts.append(f"{_points(a - b, half)} on {corpus}")
    return f"{', '.join(texts)} (points of accuracy)"


def _study_row(rows: Sequence[Row], wanted: Row) -> Row:
    (wanted_row,) = (row for row in rows if all(row.get(k) == v for k, v in wanted.items()))
    return wanted_row


def _measured(number: Row) -> str:
    """Figures of models on pairs of which one document is new, all kinds by their profiles."""
    results, measure = read_results(), number.get("measure", "accuracy")
    profile, documents = number.get("profile", OWN), number.get("documents", ALL)
    texts = []
    for name in number["models"]:
        row = results.row(name, measure, number.get("pairs", ONE_NEW), documents, profile)
        assert row is not None, number
        text = f"{results.models[name]['title']} {row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        other = results.row(name, measure, ONE_NEW, documents, OWN) if profile != OWN else None
        texts.append(f"{text} against {other['value']:.3f}" if other else text)
    return f"{MEASURES[measure]}: {', '.join(texts)}"


MEASURES = {"accuracy": "accuracy", "roc_auc": "ROC AUC", "calibration_error": "calibration error"}


def _values(number: Row) -> str:
    """Values at paths of a JSON file, put into a text: `{0:.1f}`."""
    root = read_json(ROOT / "docs" / "results" / f"{number['file']}.json", {})
    values = []
    for path in number["paths"]:
        value = root
        for key in path.split("/"):
            value = value[int(key)] if isinstance(value, list) else value[key]
        values.append(value)
    return str(number["text"]).format(*values)


def _text(number: Row) -> str:
    return str(number["text"])


NUMBERS: dict[str, Callable[[Row], str]] = {
    "difference": _difference,
    "measured": _measured,
    "study": _study,
    "text": _text,
    "values": _values,
}
"""What makes the text of a number, by its kind."""


if __name__ == "__main__":
    write()
