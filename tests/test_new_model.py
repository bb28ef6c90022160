"""`colde new-model` writes a model that passes the contract at once, in a package of its own or in a checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from colde.cli import cli
from colde.cli.options import Settings
from tests.programs import ROOT, run_python


def write(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(cli, ["new-model", *arguments], obj=Settings())
    return result.exit_code, result.output


def test_the_package_passes_the_contract_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, output = write(tmp_path, monkeypatch, "overlap")
    assert status == 0, output
    assert {p.name for p in (tmp_path / "overlap").iterdir()} == {
        "overlap.py", "overlap.toml", "test_overlap.py", "pyproject.toml",
    }  # fmt: skip
    run_python(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "overlap",
        "-k",
        "not sixty and not saves",
        cwd=tmp_path,
    )
    settings = ("--config", ROOT / "pyproject.toml", "overlap/overlap.py")
    run_python("-m", "ruff", "check", "--ignore", "I001", *settings, cwd=tmp_path)
    run_python("-m", "ruff", "format", "--check", *settings, cwd=tmp_path)


def test_in_a_checkout_it_joins_the_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "colde" / "models").mkdir(parents=True)
    (tmp_path / "colde" / "models" / "registry.py").touch()
    status, output = write(tmp_path, monkeypatch, "overlap")
    assert status == 0, output
    assert (tmp_path / "colde/models/overlap.toml").is_file()
    assert "import colde.models.overlap" in (tmp_path / "tests/models/test_overlap.py").read_text("utf-8")


@pytest.mark.parametrize("name", ["Overlap", "tfidf", "class", "a-b"])
def test_wrong_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, _ = write(tmp_path, monkeypatch, name)
    assert status != 0 and not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert write(tmp_path, monkeypatch, "overlap")[0] == 0
    status, output = write(tmp_path, monkeypatch, "overlap")
    assert status == 2 and "exists" in output
