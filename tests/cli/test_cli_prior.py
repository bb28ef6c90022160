"""`--prior`: probabilities for another share of related pairs, everything else as it was."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from colde.cli import main
from tests.cli.test_cli import LIGHTHOUSE, TIDES, corpus, score_args

__all__ = ["corpus"]  # a fixture


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "a.md", tmp_path / "b.md"]
    for path, text in zip(paths, (LIGHTHOUSE, TIDES), strict=True):
        path.write_text(text, encoding="utf-8")
    return [str(p) for p in paths]


def compared(capfd: pytest.CaptureFixture[str], files: list[str], *more: str) -> dict[str, Any]:
    assert main(["compare", *files, "--model", "tfidf", "--json", "-", "--quiet", *more]) == 0
    (model,) = json.loads(capfd.readouterr().out)["models"]
    return dict(model)


def test_a_comparison_at_a_prior(capfd: pytest.CaptureFixture[str], files: list[str]) -> None:
    balanced, rare = compared(capfd, files), compared(capfd, files, "--prior", ".05")
    assert (balanced["prior"], rare["prior"]) == (0.5, 0.05)
    p = balanced["probability"]
    assert rare["probability"] == pytest.approx(p * 0.05 / (p * 0.05 + (1 - p) * 0.95))
    same = ("score", "threshold", "similar", "percentile")
    assert [rare[k] for k in same] == [balanced[k] for k in same]


def test_the_report_says_it(capfd: pytest.CaptureFixture[str], files: list[str]) -> None:
    assert main(["compare", *files, "--model", "tfidf", "--prior", "0.01"]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert "Where 1 in 100 pairs are related" in out
    assert "stay those of balanced pairs" in out


def test_what_if_keeps_the_prior(capfd: pytest.CaptureFixture[str], files: list[str]) -> None:
    command = ["what-if", *files, "--model", "tfidf", "--without", "a:2", "--prior", ".1", "--json", "-"]
    assert main([*command, "--quiet"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [found[when][0]["prior"] for when in ("before", "after")] == [0.1, 0.1]


@pytest.mark.parametrize("prior", ["0", "1", "5", "often"])
def test_a_prior_is_a_share(capfd: pytest.CaptureFixture[str], files: list[str], prior: str) -> None:
    assert main(["compare", *files, "--model", "tfidf", "--prior", prior]) == 2
    assert "--prior" in capfd.readouterr().err


def test_a_table_at_a_prior(capfd: pytest.CaptureFixture[str], corpus: Path, tmp_path: Path) -> None:
    found = []
    for name, more in (("balanced", ()), ("rare", ("--prior", ".05"))):
        output = tmp_path / name
        assert main(score_args(corpus, output, "--quiet", *more)) == 0
        with output.open(encoding="utf-8", newline="") as table:
            found.append(list(csv.DictReader(table, delimiter="\t")))
    balanced, rare = found
    assert [r["predicted"] for r in rare] == [r["predicted"] for r in balanced]
    both = [[float(r["probability"]) for r in rows] for rows in (rare, balanced)]
    assert all(low <= high for low, high in zip(*both, strict=True))
    assert sum(both[0]) < sum(both[1])
    assert main(score_args(corpus, tmp_path / "rare", "--quiet")) == 3, "rows of another prior are not mixed"


def test_measures_at_a_prior(
    capfd: pytest.CaptureFixture[str], corpus: Path, tmp_path: Path, few_draws: None
) -> None:
    table = tmp_path / "table.json"
    command = ["evaluate", "--corpus", str(corpus), "--pairs", str(corpus / "pairs.tsv"), "--model", "bm25"]
    assert main([*command, "--prior", ".1", "--json", str(table)]) == 0
    assert "weighted as if 10 in 100 were similar" in " ".join(capfd.readouterr().out.split())
    assert json.loads(table.read_text(encoding="utf-8"))["prior"] == 0.1
