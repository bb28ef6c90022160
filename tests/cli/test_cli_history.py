"""`colde history`: what it prints and writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.comparison.test_version_history import FIRST, FOURTH, SECOND, THIRD
from tests.programs import Run

pytestmark = pytest.mark.slow
FILES = ("v1.md", "v2.md", "v3.md", "v4.md")


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / name for name in FILES]
    for path, text in zip(paths, (FIRST, SECOND, THIRD, FOURTH), strict=True):
        path.write_text(text)
    return paths


def test_versions_and_changed_sentences_are_printed(run: Run, files: list[Path]) -> None:
    status, out, _ = run("history", *files)
    text = " ".join(out.split())
    assert status == 0
    assert "4 versions. Of the" in text and "1 sentence of earlier ones was removed" in text
    assert "Version 2 (v2.md): 1 number or date, 1 negation" in text or "1 negation, 1 number or date" in text
    assert "changed in 2 (number or date in 2): The rent is 450 crowns a month." in text
    assert "restored in 4 (removed in 3): No fire is lit" in text
    assert "removed in 4: Interest of two per cent" in text


def test_files_hold_every_sentence(run: Run, files: list[Path], tmp_path: Path) -> None:
    tables, page = tmp_path / "tables", tmp_path / "history.html"
    status, out, _ = run(
        "history", *files, "--names", "A,B,C,D<i>", "--json", "-", "--csv", tables, "--html", page
    )
    assert status == 0
    written = json.loads(out)
    every = [*written["sentences"], *written["removed"]]
    with (tables / "sentences.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == [sentence["text"]["text"] for sentence in every]
    with (tables / "versions.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["A", "B", "C", "D<i>"]
    with (tables / "steps.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == sum(len(sentence["steps"]) for sentence in every)
    html = page.read_text()
    assert html.count("<details") == len(every)
    assert "<del>400</del>" in html and "<ins>450</ins>" in html
    assert "<i>" not in html and "Version 4 (D&lt;i&gt;): restored" in html


def test_one_version_or_another_number_of_names_is_refused(run: Run, files: list[Path]) -> None:
    for line in (files[:1], [*files, "--names", "A,B"]):
        status, _, err = run("history", *line)
        assert status == 2 and len(err.splitlines()) == 1
