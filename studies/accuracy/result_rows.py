"""The rows of docs/results/accuracy.json: read, replaced for one model, and written."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from colde.models.validation_figures import BOTH_NEW, ONE_NEW
from studies import ROOT
from studies.tables import read_json

RESULTS = ROOT / "docs" / "results" / "accuracy.json"
SECOND = ROOT / "docs" / "results" / "second_set.json"
COMMANDS = {
    RESULTS: "python -m studies.accuracy.results_table ../shared/corpora --runs runs",
    SECOND: "python -m studies.accuracy.unseen_documents ../shared/corpora --runs runs",
}
ALL = "all"
"""The kind of a row over all kinds of documents."""
OWN, AUTO = "own", "auto"
"""What a row is judged by, beside `general`: the profile of the pair's kind, or the one that is detected."""
BLOCKS = {1: ONE_NEW, 2: BOTH_NEW}
"""Blocks of pairs, by how many of the two documents stand in no training pair."""


@dataclass(frozen=True)
class Results:
    """Measured figures.

    Attributes:
        pairs: by block, by kind of documents, how many pairs were measured.
        models: by name: title, fingerprint of the weights, seconds, date, and points of calibration plots by block.
        rows: model, profile, documents, block, pairs, measure, value, low, high.
    """

    pairs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] = ()

    def with_pairs(self, pairs: Mapping[str, Mapping[str, int]]) -> Results:
        """These results; none where they were measured on other pairs."""
        return self if self.pairs == pairs else Results(pairs)

    def with_model(
        self,
        name: str,
        about: Mapping[str, Any],
        rows: Sequence[Mapping[str, Any]],
        reliability: Mapping[str, Sequence[Sequence[float]]],
    ) -> Results:
        """A copy with other figures of a model, measured today.

        Args:
            about: what `models` holds beside `date` and `reliability`.
        """
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        about = {**about, "date": today, "reliability": reliability}
        others = [row for row in self.rows if row["model"] != name]
        return replace(
            self,
            models={**self.models, name: about},
            rows=[*others, *({"model": name, **row} for row in rows)],
        )

    def row(
        self, model: str, measure: str, block: str, documents: str = ALL, profile: str = OWN
    ) -> Mapping[str, Any] | None:
        """A figure with its interval; None where it was not measured."""
        return self._by_key.get((model, measure, block, documents, profile))

    @cached_property
    def _by_key(self) -> Mapping[tuple[str, ...], Mapping[str, Any]]:
        keys = ("model", "measure", "block", "documents", "profile")
        return {tuple(row[key] for key in keys): row for row in self.rows}


def read_results(path: Path = RESULTS) -> Results:
    """The results in a file; empty ones where there is none."""
    raw = read_json(path, {})
    return Results(raw.get("pairs", {}), raw.get("models", {}), raw.get("rows", ()))


def write_results(path: Path, results: Results) -> None:
    """Write results, a row a line."""
    head = {"command": COMMANDS.get(path, ""), "pairs": results.pairs, "models": results.models}
    text = json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}")
    rows = ",\n  ".join(json.dumps(row) for row in results.rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{text},\n "rows": [\n  {rows}\n ]\n}}\n', encoding="utf-8")
