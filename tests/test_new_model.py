"""`colde new-model` writes a model that passes the contract at once, in a package of its own or in a checkout."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from colde.cli import cli
from colde.cli.options import Settings
from tests.forks import fork_python
from tests.programs import ROOT, run_program, run_python
from tests.test_plain_words import wrong_names, wrong_terms


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
    tests = ("overlap", "-k", "not sixty and not saves")
    none_of_others = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    fork_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=tmp_path, env=none_of_others)
    settings = ("--config", ROOT / "pyproject.toml", "overlap")
    run_python("-m", "ruff", "check", "--ignore", "I001", *settings, cwd=tmp_path)
    run_python("-m", "ruff", "format", "--check", *settings, cwd=tmp_path)


def test_in_a_checkout_it_joins_the_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "colde" / "models").mkdir(parents=True)
    (tmp_path / "colde" / "models" / "registry.py").touch()
    status, output = write(tmp_path, monkeypatch, "overlap")
    assert status == 0, output
    assert (tmp_path / "colde/models/overlap.toml").is_file()
    assert '"colde.models.overlap"' in (tmp_path / "tests/models/test_overlap.py").read_text("utf-8")


@pytest.mark.parametrize("name", ["attention", "lexical"])
def test_a_name_that_a_module_has_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("registry.py", "colde/attention.py", "lexical/__init__.py"):
        file = tmp_path / "colde" / "models" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    status, output = write(tmp_path, monkeypatch, name)
    assert status == 2 and "exists" in output


@pytest.mark.slow
@pytest.mark.xdist_group("mypy")  # one program at a time writes its cache
def test_what_is_written_passes_all_checks(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of `make check`, and the tests of names and layout, in a copy of the code; also with a long name."""
    name = "zones_of_very_long_documents_compared"
    status, output = write(checkout, monkeypatch, name)
    assert status == 0, output
    files = [f"colde/models/{name}.py", f"colde/models/{name}.toml", f"tests/models/test_{name}.py"]
    code = [file for file in files if file.endswith(".py")]
    bin = Path(sys.executable).parent
    run_program(bin / "ruff", "check", *code, cwd=checkout)
    run_program(bin / "ruff", "format", "--check", *code, cwd=checkout)
    run_program(bin / "typos", *files, cwd=checkout)
    known = ROOT / ".mypy_cache"  # what `make check` has learned of the same files
    run_program(bin / "mypy", "--cache-dir", known, code[0], cwd=checkout)
    run_program(bin / "lint-imports", cwd=checkout)
    layout = ("test_files_are_short", "test_modules_of_the_product_have_names_of_their_own")
    assert not wrong_names([checkout / files[0]]) and not wrong_terms([checkout / files[0]])
    texts = "tests/test_plain_words.py::test_texts_are_plain"
    tests = (*(f"tests/test_layout.py::{test}" for test in layout), texts)
    modules = {"PYTHONPATH": os.pathsep.join([str(checkout), str(checkout / "app")])}
    fork_python("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=checkout, env=modules)


@pytest.mark.parametrize("name", ["Overlap", "tfidf", "class", "a-b"])
def test_wrong_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, _ = write(tmp_path, monkeypatch, name)
    assert status != 0 and not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert write(tmp_path, monkeypatch, "overlap")[0] == 0
    status, output = write(tmp_path, monkeypatch, "overlap")
    assert status == 2 and "exists" in output
