"""PEPs and EIPs in every format but PDF reach the bars, measured as documents/score_structure.py does."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from colde.ingest import read
from colde.text.document import Document


def _score(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_structure", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _prediction(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "sections": [
            {"heading": s.heading, "level": s.level, "role": s.role, "text": document.text[s.body : s.end]}
            for s in document.sections
        ],
    }


@pytest.mark.parametrize(
    ("folder", "suffix"), [("peps", "rst"), ("peps", "html"), ("peps", "docx"), ("eips", "md")]
)
def test_bars(
    folder: str,
    suffix: str,
    shared: Callable[[str], Path],
    checked: Callable[[Document], Document],
    in_process: None,
) -> None:
    score = _score(shared("documents/score_structure.py")).score
    results = []
    for truth in sorted(shared(f"documents/{folder}").glob("*.truth.json")):
        document = checked(read(truth.with_name(truth.name.replace("truth.json", suffix))))
        results.append(score(json.loads(truth.read_text("utf-8")), _prediction(document)))

    def mean(name: str) -> float:
        values = [r[name] for r in results if r[name] is not None]
        return sum(values) / len(values)

    assert len(results) == 3
    assert mean("hF") >= 0.97
    assert mean("lev") >= 0.97
    assert mean("title") == 1.0
    assert mean("cov") >= 0.97
    assert mean("sec") >= 0.95
    assert mean("noise") <= 0.06
    assert all(not r["furn"] for r in results)
