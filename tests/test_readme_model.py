"""The README's example of a model is a whole model: as it stands there it goes through every output."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path

import pytest

from colde.corpus.samples import samples
from tests.programs import ROOT, run_python

pytestmark = pytest.mark.slow


def block(language: str, holds: str) -> str:
    found = re.findall(
        rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    return str(next(b for b in found if holds in b))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as another package would ship it, and a checkpoint of it."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "jaccard.py").write_text(block("python", "class Jaccard"), encoding="utf-8")
    (folder / "jaccard.toml").write_text(block("toml", "Jaccard"), encoding="utf-8")
    described = folder / "jaccard-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: jaccard\nVersion: 1.0\n", encoding="utf-8"
    )
    (described / "entry_points.txt").write_text("[colde.models]\njaccard = jaccard\n", encoding="utf-8")
    run(
        folder,
        "-c",
        "from colde import models; models.create('jaccard').save(__import__('pathlib').Path('trained'))",
    )
    return folder


def run(package: Path, *arguments: str, given: str = "", **variables: str) -> str:
    modules = os.pathsep.join([str(package), str(ROOT)])
    return run_python(*arguments, cwd=package, given=given, env={"PYTHONPATH": modules, **variables})


def compared(package: Path, *options: str) -> str:
    sample = samples()[0]
    files = str(sample.a), str(sample.b)
    return run(package, "-W", "error", "-m", "colde", "compare", *files, "--model", "trained", *options)


def test_in_the_terminal(package: Path) -> None:
    shown = compared(package)
    assert "Jaccard" in shown and "shared words" in shown


def test_in_files(package: Path) -> None:
    compared(package, "--json", "found.json", "--csv", "tables", "--html", "found.html")
    found = json.loads((package / "found.json").read_text(encoding="utf-8"))
    (result,) = found["models"]
    assert 0 < result["score"] < 1 and result["title"] == "Jaccard"
    ((section,),) = (maps.values() for maps in found["maps"].values())
    assert section["role"] == "words" and section["level"] == "section"
    greatest = max(max(row) for row in section["values"])
    assert found["evidence"][0]["weight"] == pytest.approx(greatest, abs=1e-5)
    (table,) = (t for t in (package / "tables").rglob("*.csv") if "section" in t.name)
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(section["rows"]) + 1
    page = (package / "found.html").read_text(encoding="utf-8")
    assert "Jaccard" in page and "shared words" in page


def test_passes_ruff_and_mypy_as_printed(package: Path) -> None:
    code, settings = (package / "jaccard.py").read_text(encoding="utf-8"), str(ROOT / "pyproject.toml")
    as_ours = str(ROOT / "colde" / "models" / "jaccard.py")
    for check in (("check",), ("format", "--check")):
        run(package, "-m", "ruff", *check, "--config", settings, "--stdin-filename", as_ours, "-", given=code)
    known = str(ROOT / ".mypy_cache")  # what `make check` has learned of the program
    run(
        package,
        "-m",
        "mypy",
        "--cache-dir",
        known,
        "--config-file",
        settings,
        "jaccard.py",
        MYPYPATH=str(ROOT),
    )
