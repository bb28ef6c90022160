"""What README.md and CONTRIBUTING.md tell people to type works as it stands there.

Every fenced block is either run or says why not. In `sh` blocks a comment line says which: `# tested` (its lines that
begin with `colde` are run, one after the other, in a folder that holds the project's assets) or `# not run: …`. The
example of a model goes through every output. Commands inside sentences are looked up: each target
of make and each command and option of `colde` must exist.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from pathlib import Path

import click
import docx
import pytest
from docx.document import Document as DocxDocument

from colde.cli import cli
from colde.corpus.samples import sample_named
from tests.fenced_blocks import fenced_blocks
from tests.programs import COMMANDS, ROOT, run_commands, run_python

PAGES = tuple(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))
ELSEWHERE = ("class Jaccard", 'class = "Jaccard"')
"""Lines of the blocks that hold the example of a model."""


def commands(block: str) -> list[str]:
    """The `colde` lines of a block that is marked as tested."""
    lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith("colde ")] if "# tested" in lines else []


FENCED = [(page.name, *block) for page in PAGES for block in fenced_blocks(page.read_text(encoding="utf-8"))]
TESTED = [lines for _, language, text in FENCED if language == "sh" and (lines := commands(text))]
PYTHON = [text for _, language, text in FENCED if language == "python" and ELSEWHERE[0] not in text]
PROSE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the project's assets and two files of one's own."""
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    shutil.copy(sample_named("lighthouse").a_pdf, tmp_path / "a.pdf")
    docx_of(sample_named("lighthouse").b.read_text(encoding="utf-8")).save(str(tmp_path / "b.docx"))
    return tmp_path


def docx_of(markdown: str) -> DocxDocument:
    """A Word document of the headings and paragraphs of a Markdown text."""
    document = docx.Document()
    for block in markdown.split("\n\n"):
        heading = re.match(r"(#+) (.*)", block)
        if heading:
            document.add_heading(heading[2], level=len(heading[1]))
        else:
            document.add_paragraph(" ".join(block.split()))
    return document


def cache_in(folder: Path) -> dict[str, str]:
    """A cache of vectors, as people have it."""
    return {"COLDE_CACHE": "on", "XDG_CACHE_HOME": str(folder / "cache")}


def test_blocks_and_their_commands_are_found() -> None:
    text = "```sh\n# tested\ncolde read a.md \\\n  --json\nls\n```\n\n```sh\ncolde app\n```\n"
    assert [commands(block) for _, block in fenced_blocks(text)] == [["colde read a.md    --json"], []]


def test_every_block_is_run_or_says_why_not() -> None:
    for page, language, text in FENCED:
        where = f"{page}: {text.splitlines()[0]}"
        if language == "sh":
            assert commands(text) or re.search(r"^# not run: \w", text, re.MULTILINE), where
        elif language != "python":  # python is run, all of it
            assert any(part in text for part in ELSEWHERE), where
    assert sum(ELSEWHERE[0] in text for _, _, text in FENCED) == 1


def test_the_readme_has_tested_commands() -> None:
    lines = " ".join(line for block in TESTED for line in block)
    for command in ("colde read", "colde compare", "colde models"):
        assert command in lines


@pytest.mark.slow
@pytest.mark.parametrize("block", TESTED, ids=lambda block: " · ".join(block)[:80])
def test_commands_run(folder: Path, block: list[str]) -> None:
    run_commands(*block, cwd=folder, env=cache_in(folder))


@pytest.mark.slow
@pytest.mark.parametrize("block", PYTHON, ids=lambda block: block.splitlines()[0])
def test_python_runs(folder: Path, block: str) -> None:
    run_python("-c", block, cwd=folder, env=cache_in(folder))


def test_targets_of_make_are_there() -> None:
    named = set(re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", PROSE, re.MULTILINE))
    targets = set(
        re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {"app", "test", "test-fast"} <= named <= targets


def test_commands_and_options_inside_sentences_are_there() -> None:
    context = click.Context(cli)
    for line in re.findall(r"`colde ([a-z][^`]*)`", PROSE):
        name, *words = line.split()
        command = cli.get_command(context, name)
        if isinstance(command, click.Group) and words:
            command = command.get_command(context, words[0])
        assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word.split("=")[0] for word in words if word.startswith("--")} <= known, line


def test_files_the_pages_point_at_are_there() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name}: {target}"


# ---------------------------------------------------------------- the README's example of a model


def model_block(language: str) -> str:
    return next(text for _, kind, text in FENCED if kind == language and "Jaccard" in text)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as another package would ship it, and a checkpoint of it."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "jaccard.py").write_text(model_block("python"), encoding="utf-8")
    (folder / "jaccard.toml").write_text(model_block("toml"), encoding="utf-8")
    described = folder / "jaccard-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: jaccard\nVersion: 1.0\n", encoding="utf-8"
    )
    (described / "entry_points.txt").write_text("[colde.models]\njaccard = jaccard\n", encoding="utf-8")
    save = (
        "from pathlib import Path; from colde import models; models.create('jaccard').save(Path('trained'))"
    )
    run_in(folder, "-c", save)
    return folder


def run_in(package: Path, *arguments: str, given: str = "", **variables: str) -> str:
    modules = os.pathsep.join([str(package), str(ROOT)])
    return run_python(*arguments, cwd=package, given=given, env={"PYTHONPATH": modules, **variables})


@pytest.fixture(scope="module")
def printed(package: Path) -> str:
    """What a comparison with the model prints; another one has written files into the folder of the package."""
    sample = sample_named("lighthouse")
    command = f"colde compare '{sample.a}' '{sample.b}' --model trained"
    files = f"{command} --json found.json --csv tables --html found.html"
    return run_in(package, "-W", "error", "-c", COMMANDS, command, files)


@pytest.mark.slow
def test_the_model_of_the_readme_in_the_terminal(printed: str) -> None:
    assert "Jaccard" in printed and "shared words" in printed


@pytest.mark.slow
@pytest.mark.usefixtures("printed")
def test_the_model_of_the_readme_in_files(package: Path) -> None:
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


@pytest.mark.slow
def test_the_model_of_the_readme_passes_ruff_and_mypy(package: Path) -> None:
    code, settings = (package / "jaccard.py").read_text(encoding="utf-8"), str(ROOT / "pyproject.toml")
    as_ours = str(ROOT / "colde" / "models" / "jaccard.py")
    for check in (("check",), ("format", "--check")):
        run_in(
            package, "-m", "ruff", *check, "--config", settings, "--stdin-filename", as_ours, "-", given=code
        )
    known = str(ROOT / ".mypy_cache")  # what `make check` has learned of the program
    arguments = ("--cache-dir", known, "--config-file", settings, "jaccard.py")
    run_in(package, "-m", "mypy", *arguments, MYPYPATH=str(ROOT))
