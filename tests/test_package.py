"""What `pip install` gives: the wheel holds everything, and runs in an environment that has no checkout."""

from __future__ import annotations

import json
import sys
import tomllib
import urllib.request
import venv
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import colde
from tests.forks import fork_python
from tests.programs import ROOT, run_program, serving

PARTS = {
    "colde": "colde",
    "app/colde_explorer_app": "colde_explorer_app",
    "assets/samples": "colde/_assets/samples",
}
PARTS |= {"assets/models": "colde/_assets/models", "docs/schema": "colde/_docs/schema"}
SINGLE = {
    "assets/figures.json": "colde/_assets/figures.json",
    "assets/explanations.json": "colde/_assets/explanations.json",
    "assets/mistakes.json": "colde/_assets/mistakes.json",
    "docs/how_it_works.md": "colde/_docs/how_it_works.md",
    "docs/model_card.md": "colde/_docs/model_card.md",
}

FIRST_PAGE = """
from colde_explorer_app.session import comparison_jobs
comparison_jobs.warm_up = lambda: None
from streamlit.testing.v1 import AppTest
from colde.cli.serving.app import main_page
page = AppTest.from_file(str(main_page()), default_timeout=600).run()
assert not page.exception, page.exception
print(page.button(key="compare").label)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it but without asking for anything."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder), cwd=ROOT)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel in it; what it depends on is borrowed from this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (packages,) = folder.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages / "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    where = run(str(python), "-c", "import colde; print(colde.__file__)", cwd=folder).strip()
    assert Path(where).is_relative_to(packages), "the installed package is what is tested"
    return folder / "bin"


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Standard output of a program that somebody without a checkout runs."""
    return run_program(*command, cwd=cwd, env={"PYTHONPATH": "", "COLDE_SANDBOX": "on"})


def test_every_file_of_the_program_travels(names: set[str]) -> None:
    """Code, settings, style sheets, scripts, pictures, weights, samples and the pages of help."""
    wanted = set(SINGLE.values())
    for part, place in PARTS.items():
        for path in (ROOT / part).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                wanted.add(f"{place}/{path.relative_to(ROOT / part).as_posix()}")
    assert "colde_explorer_app/.streamlit/config.toml" in wanted
    assert wanted - names == set()


def test_nothing_else_travels(names: set[str]) -> None:
    """Two packages and their description: no module called `app`, no tests, no notebooks."""
    tops = {name.split("/")[0] for name in names}
    assert tops == {"colde", "colde_explorer_app", f"colde_explorer-{colde.__version__}.dist-info"}
    assert not [name for name in names if "__pycache__" in name or "node_modules" in name]


def test_the_description_agrees_with_the_package(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = f"colde_explorer-{colde.__version__}.dist-info"
    with ZipFile(wheel) as archive:
        said = Parser().parsestr(archive.read(f"{folder}/METADATA").decode())
        points = archive.read(f"{folder}/entry_points.txt").decode()
    assert said["Version"] == project["version"] == colde.__version__
    assert {*said["Requires-Python"].split(",")} == {*project["requires-python"].split(",")}
    for name, target in project["scripts"].items():
        assert f"{name} = {target}" in points
    assert f"## {colde.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


COMPARED = """
import colde
from colde.cli import main
from colde.corpus.samples import samples

sample = samples()[2]
main(["compare", str(sample.a), str(sample.b), "--model", "tfidf,dssm", "--json", "found.json", "--quiet"])
print(colde.__file__, sample.a, sample.b)
"""


@pytest.mark.slow
def test_the_command_line_runs_once_installed(environment: Path, tmp_path: Path) -> None:
    trained = json.loads(run(environment / "colde", "models", "--json", cwd=tmp_path))
    assert {"colde", "colde_words", "smith"} <= {model["name"] for model in trained if model["trained"]}
    (packages,) = environment.parent.glob("lib/python*/site-packages")
    settings = {"PYTHONPATH": str(packages), "COLDE_SANDBOX": "on"}
    files = [Path(file) for file in fork_python("-c", COMPARED, cwd=tmp_path, env=settings).split()]
    assert all(file.is_relative_to(packages) for file in files)
    assert all("_assets" in file.parts for file in files[1:])
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [model["name"] for model in found["models"]] == ["tfidf", "dssm"]


@pytest.mark.slow
def test_the_explorer_opens_once_installed(environment: Path, tmp_path: Path) -> None:
    """`colde app` answers, with its settings; its first page is drawn without an error."""
    python = environment / "python"
    assert run(python, "-c", FIRST_PAGE, cwd=tmp_path).split()[-1] == "Compare"
    command = (environment / "colde", "app", "--port")
    with (
        serving(lambda port: (*command, str(port)), cwd=tmp_path, env={"PYTHONPATH": ""}) as address,
        urllib.request.urlopen(address, timeout=10) as answer,
    ):
        assert answer.status == 200 and "<title>" in answer.read().decode()
