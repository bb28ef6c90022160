"""What README.md, CONTRIBUTING.md and the pages of docs/ tell people to type works as it stands there.

Every fenced block is either run or says why not. In `sh` blocks a comment line says which: `# tested` (its lines that
begin with `colde` are run, those of a page one after the other, in a folder that holds the project's assets) or
`# not run: …`. Commands inside sentences are looked up: each target of make and each command and option of `colde` must
exist. The guides that extend the program are run by tests/test_guides.py; the research log is history and is not run.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import click
import docx
import pytest
from docx.document import Document as DocxDocument

from colde.cli import cli
from colde.corpus.samples import sample_named
from tests.fenced_blocks import fenced_blocks
from tests.programs import COMMANDS, ROOT, run_python

DOCS = ROOT / "docs"
MODEL_GUIDE = DOCS / "guides" / "add_a_model.md"
ELSEWHERE = ("guides/add_a_*.md", "architecture.md", "corpus_format.md")
"""Pages of docs/ whose blocks other tests run."""
USED = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if page.relative_to(DOCS).parts[0] not in ("log", "results") and not any(map(page.match, ELSEWHERE))
]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *USED)
EVERY_PAGE = (*PAGES, *(page for pattern in ELSEWHERE for page in DOCS.glob(pattern)))


def commands(block: str) -> list[str]:
    """The `colde` lines of a block that is marked as tested."""
    lines = [line.strip() for line in block.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.startswith("colde ")] if "# tested" in lines else []


def title(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


FENCED = [
    (title(page), *block) for page in PAGES for block in fenced_blocks(page.read_text(encoding="utf-8"))
]
TESTED: dict[str, list[str]] = {}
PYTHON: dict[str, list[str]] = {}
for name, language, text in FENCED:
    if language == "sh" and commands(text):
        TESTED.setdefault(name, []).extend(commands(text))
    elif language == "python":
        PYTHON.setdefault(name, []).append(text)
PROSE = "\n".join(page.read_text(encoding="utf-8") for page in EVERY_PAGE)
RUN_PAGES = """
import json, os, shlex, sys, traceback
from pathlib import Path
from colde.cli import main
from tests.made_once import parse_samples_once
parse_samples_once()

def run(line):
    try:
        status = main(shlex.split(line)[1:])
    except SystemExit as end:
        status = end.code
    assert not status, f"{line}: status {status}"

faults = {}
for name, (folder, lines, code) in json.load(sys.stdin).items():
    os.chdir(folder)
    try:
        for line in lines:
            run(line)
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    except Exception:
        faults[name] = traceback.format_exc()
Path(sys.argv[1]).write_text(json.dumps(faults), encoding="utf-8")
"""
"""Runs the command lines and the code of each page in a folder, and writes the errors by page into a file."""


def working_folder(parent: Path) -> Path:
    """A new folder with the project's assets and two files of one's own."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    (folder / "assets").symlink_to(ROOT / "assets")
    (folder / "docs").symlink_to(DOCS)
    shutil.copy(sample_named("lighthouse").a_pdf, folder / "a.pdf")
    docx_of(sample_named("lighthouse").b.read_text(encoding="utf-8")).save(str(folder / "b.docx"))
    return folder


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


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Errors of all pages, run in one program: loading it and the models takes seconds.

    It has a cache of vectors, as people have it; the pages share it, since they name the same files. Nor are the
    samples parsed again for each command.
    """
    parent = tmp_path_factory.mktemp("pages")
    commands = {f"commands of {page}": (lines, "") for page, lines in TESTED.items()}
    code = {f"Python of {page}": ((), "\n".join(blocks)) for page, blocks in PYTHON.items()}
    pages = {name: (str(working_folder(parent)), *what) for name, what in (commands | code).items()}
    environment = {"COLDE_CACHE": "on", "XDG_CACHE_HOME": str(parent / "cache")}
    run_python("-c", RUN_PAGES, parent / "faults", cwd=parent, env=environment, given=json.dumps(pages))
    ended: dict[str, str] = json.loads((parent / "faults").read_text(encoding="utf-8"))
    return ended


def test_blocks_and_their_commands_are_found() -> None:
    text = "```sh\n# tested\ncolde read a.md \\\n  --json\nls\n```\n\n```sh\ncolde app\n```\n"
    assert [commands(block) for _, block in fenced_blocks(text)] == [["colde read a.md    --json"], []]


def test_every_block_is_run_or_says_why_not() -> None:
    for page, language, text in FENCED:
        where = f"{page}: {text.splitlines()[0]}"
        if language == "sh":
            assert commands(text) or re.search(r"^# not run: \w", text, re.MULTILINE), where
        else:  # python is run, all of it
            assert language in ("python", "text", ""), where


def test_the_documented_commands_are_tested() -> None:
    lines = " ".join(line for page in TESTED.values() for line in page)
    for command in ("read", "compare", "what-if", "models", "index add", "index search"):
        assert f"colde {command}" in lines


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*(f"commands of {page}" for page in TESTED), *(f"Python of {page}" for page in PYTHON)]
)
def test_what_a_page_shows_runs(faults: dict[str, str], name: str) -> None:
    assert not faults.get(name), faults[name]


def test_targets_of_make_are_there() -> None:
    named = set(re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", PROSE, re.MULTILINE))
    targets = set(
        re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {"app", "test", "test-fast"} <= named <= targets


def test_commands_and_options_inside_sentences_are_there() -> None:
    context = click.Context(cli)
    not_run = [line.partition("#")[0] for line in re.findall(r"^colde ([a-z].*)", PROSE, re.MULTILINE)]
    for line in [*re.findall(r"`colde ([a-z][^`]*)`", PROSE), *not_run]:
        name, *words = line.split()
        command = cli.get_command(context, name)
        if isinstance(command, click.Group) and words:
            command = command.get_command(context, words[0])
        assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word.split("=")[0] for word in words if word.startswith("--")} <= known, line


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_files_the_pages_point_at_are_there() -> None:
    for page in EVERY_PAGE:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name}: {target}"


# ---------------------------------------------------------------- the guide's example of a model


def model_block(language: str) -> str:
    """A file of the example, without the line that names it."""
    blocks = fenced_blocks(MODEL_GUIDE.read_text(encoding="utf-8"))
    named = next(text for kind, text in blocks if kind == language and "Jaccard" in text)
    return named.partition("\n")[2]


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
def test_the_model_of_the_guide_in_the_terminal(printed: str) -> None:
    assert "Jaccard" in printed and "shared vocabulary" in printed


@pytest.mark.slow
@pytest.mark.usefixtures("printed")
def test_the_model_of_the_guide_in_files(package: Path) -> None:
    found = json.loads((package / "found.json").read_text(encoding="utf-8"))
    (result,) = found["models"]
    assert 0 < result["score"] < 1 and result["title"] == "Jaccard"
    (maps,) = found["maps"].values()
    section = maps["section"]
    assert section["role"] == "words" and section["level"] == "section"
    assert found["shared"]["passages"]
    (table,) = (
        t for t in (package / "tables").rglob("*.csv") if "section" in t.name and "contribution" not in t.name
    )
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(section["rows"]) + 1
    page = (package / "found.html").read_text(encoding="utf-8")
    assert "Jaccard" in page and "Shared vocabulary" in page


@pytest.mark.slow
def test_the_model_of_the_guide_passes_ruff_and_mypy(package: Path) -> None:
    code, settings = (package / "jaccard.py").read_text(encoding="utf-8"), str(ROOT / "pyproject.toml")
    as_ours = str(ROOT / "colde" / "models" / "jaccard.py")
    for check in (("check",), ("format", "--check")):
        run_in(
            package, "-m", "ruff", *check, "--config", settings, "--stdin-filename", as_ours, "-", given=code
        )
    known = str(ROOT / ".mypy_cache")  # what `make check` has learned of the program
    arguments = ("--cache-dir", known, "--config-file", settings, "jaccard.py")
    run_in(package, "-m", "mypy", *arguments, MYPYPATH=str(ROOT))
