"""The table of the trained baselines, from runs on a small corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde import models
from studies.papers import baselines_table
from tests.corpora import toy_corpus

pytestmark = pytest.mark.slow


def test_table_of_results(tmp_path: Path) -> None:
    corpora = tmp_path / "corpora"
    toy_corpus(corpora / "toy", ("tides", "bread"), words=10, train=30, valid=20)
    training = {"steps": 2, "pairs": 2, "validate_every": 2, "learning_rate": 1e-3}
    brief = tmp_path / "brief.json"
    brief.write_text(json.dumps({"model": {"tokens": 24, "layers": 1, "rank": 2}, "training": training}))
    arguments = [str(corpora), "--only", "toy", "--work", str(tmp_path / "runs"), "--models", "s_bert"]
    arguments += [
        "--config",
        str(brief),
        "--seeds",
        "2",
        "--output",
        str(tmp_path / "out"),
        "--draws",
        "9",
    ]
    baselines_table.main([*arguments, "--prepare"])
    assert list((tmp_path / "runs" / "prepared").glob("toy-*.npz")) and not (tmp_path / "out").exists()
    baselines_table.main(arguments)
    rows = json.loads((tmp_path / "out" / "baselines.json").read_text())
    assert [r["training"]["seed"] for r in rows] == [0, 1]
    stored = models.load(tmp_path / "runs" / "s_bert").profiles["toy"].measured
    measures = rows[0]["corpora"]["toy"]["measures"]
    assert measures["roc_auc"]["value"] == pytest.approx(stored["auc"], abs=0.02)  # scored again in float16
    assert measures["accuracy"]["low"] <= measures["accuracy"]["value"] <= measures["accuracy"]["high"]
    table = (tmp_path / "out" / "baselines.md").read_text()
    assert "S-BERT" in table and "±" in table
    before = (tmp_path / "runs" / "s_bert" / "config.json").stat().st_mtime_ns
    baselines_table.main([*arguments[:-6], "--seeds", "1", *arguments[-4:]])
    assert (tmp_path / "runs" / "s_bert" / "config.json").stat().st_mtime_ns == before  # not trained again
