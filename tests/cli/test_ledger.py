"""`colde ledger`: the files, what is printed, and what is refused."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import openpyxl
import pytest

from colde.cli import main

pytestmark = pytest.mark.slow

OLD = """# Rules

The workshop is open on weekdays. Every borrower must clean the saw with a dry cloth after use.

A borrower shall pay two crowns for each day on which a tool is late. The lamp is lit at dusk.
"""
NEW = OLD.replace("The lamp is lit at dusk.", "Cats are welcome beside the stove.").replace("two", "three")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    a, b = tmp_path / "old.md", tmp_path / "new.md"
    a.write_text(OLD, encoding="utf-8")
    b.write_text(NEW, encoding="utf-8")
    return str(a), str(b)


def test_all_files_hold_the_same_rows(files: tuple[str, str], tmp_path: Path) -> None:
    targets = {kind: tmp_path / f"ledger.{kind}" for kind in ("xlsx", "csv")}
    targets["json"] = tmp_path / "ledger.json.gz"
    options = [part for kind, path in targets.items() for part in (f"--{kind}", str(path))]
    assert main(["ledger", *files, *options, "--quiet"]) == 0
    rows = json.loads(gzip.decompress(targets["json"].read_bytes()))["rows"]
    with targets["csv"].open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    sheet = list(openpyxl.load_workbook(targets["xlsx"]).worksheets[0].iter_rows(values_only=True))
    header, *lines = sheet
    kinds = [row["kind"] for row in rows]
    assert kinds == [row["kind"] for row in table] == [line[header.index("kind")] for line in lines]
    assert kinds[:3] == ["same", "same", "reworded"] and "number" in rows[2]["reason"]
    for side in ("a", "b"):
        texts = [row[side]["text"] if row[side] else "" for row in rows]
        assert texts == [row[f"{side}_text"] for row in table]


def test_without_a_file_the_ledger_is_printed(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ledger", *files]) == 0
    printed = capsys.readouterr().out
    assert "2 same: both texts have it" in printed and "Changed: number or date." in printed
    assert "The workshop is open" not in printed


def test_json_alone_is_printed(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", *files, "--json", "-", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["same"] == 2


def test_wrong_usage_is_refused(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", *files, "--csv", files[1]]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert main(["ledger", files[0]]) == 2
    assert main(["ledger", files[0], "none.pdf"]) == 3
