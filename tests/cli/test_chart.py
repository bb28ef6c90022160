"""`colde chart`: the files, the rows that are chosen, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import docx
import openpyxl
import pytest

import colde
from colde.cli import main
from colde.report.content.review_export import review_to_json
from colde.results.saved.review_decisions import Decisions, Mark

pytestmark = pytest.mark.slow

RULES = """# Rules

## Tools

The workshop is open on weekdays. Every borrower must clean the saw with a dry cloth after use.

## Fees

A borrower shall pay two crowns for each day on which a tool is late.
"""
HANDBOOK = """# Handbook

## Saws

Every borrower must clean the saw with a dry cloth after use. Blades are kept in the red drawer beside the window.

## Coffee

The kettle stands in the corner, and cups hang above it. Sugar is bought by whoever finds the tin empty.
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    a, b = tmp_path / "rules.md", tmp_path / "handbook.md"
    a.write_text(RULES, encoding="utf-8")
    b.write_text(HANDBOOK, encoding="utf-8")
    return a, b


def test_all_files_hold_the_same_rows(files: tuple[Path, Path], tmp_path: Path) -> None:
    targets = {kind: tmp_path / f"chart.{kind}" for kind in ("docx", "xlsx", "csv", "json")}
    options = [part for kind, path in targets.items() for part in (f"--{kind}", str(path))]
    assert main(["chart", *map(str, files), *options, "--quiet"]) == 0
    written = json.loads(targets["json"].read_text(encoding="utf-8"))
    texts = [row["a"]["text"] for row in written["rows"]]
    assert len(texts) == 2 and "clean the saw" in texts[0] and "two crowns" in texts[1]
    assert [row["cells"][0]["found"] for row in written["rows"]] == [True, False]
    with targets["csv"].open(encoding="utf-8", newline="") as file:
        assert [row["found"] for row in csv.DictReader(file)] == ["found", "not found"]
    sheet = openpyxl.load_workbook(targets["xlsx"]).worksheets[0]
    assert sheet.max_row == 3
    assert len(docx.Document(str(targets["docx"])).tables[0].rows) == 3


def test_without_a_file_the_chart_is_printed(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chart", *map(str, files)]) == 0
    printed = capsys.readouterr().out
    assert "1 found, 1 not found" in printed and "Not found in handbook.md" in printed
    assert "identical 99 %" in printed and "closest passage " in printed


def test_rows_of_named_passages(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart", *map(str, files), "--passages", "a:0", "--json", "-", "--quiet"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["a"]["text"].startswith("The workshop is open")


def test_the_review_is_in_the_chart(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = map(colde.read, files)
    shared = colde.compare(a, b, "tfidf").shared
    assert shared is not None
    first = next(p for p in shared.passages if p.kind == "identical")
    decisions = Decisions((Mark(first.a, first.b, "rejected", "another saw"),))
    review = tmp_path / "review.json"
    review.write_text(review_to_json(a, b, decisions, texts=False), encoding="utf-8")
    assert main(["chart", *map(str, files), "--review", str(review), "--json", "-", "--quiet"]) == 0
    cell = json.loads(capsys.readouterr().out)["rows"][0]["cells"][0]
    assert (cell["decision"], cell["note"]) == ("rejected", "another saw")
    assert main(["chart", str(files[0]), str(files[0]), "--review", str(review)]) == 2
    assert "review of other texts" in capsys.readouterr().err


def test_wrong_usage_is_refused(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chart", *map(str, files), "--csv", str(files[1])]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert main(["chart", *map(str, files), "--passages", "a:77", "--json", "-"]) == 2
    assert "sections 0 to" in capsys.readouterr().err
    assert main(["chart", str(files[0])]) == 2
    assert main(["chart", str(files[0]), str(tmp_path / "none.pdf")]) == 3
