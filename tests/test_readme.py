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
import shlex
import shutil
from pathlib import Path

import click
import docx
import pytest
from docx.document import Document as DocxDocument

from colde.cli import cli
from colde.corpus.samples import sample_named
from tests.fenced_blocks import fenced_blocks
from tests.forks import fork_python
from tests.programs import COMMANDS, ROOT, Run, run_python

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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder is a new one with the project's assets and two files of one's own."""
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    (tmp_path / "docs").symlink_to(DOCS)
    shutil.copy(sample_named("lighthouse").a_pdf, tmp_path / "a.pdf")
    docx_of(sample_named("lighthouse").b.read_text(encoding="utf-8")).save(str(tmp_path / "b.docx"))
    monkeypatch.chdir(tmp_path)


HAVE_RUN: set[tuple[str, ...]] = set()
"""Command lines of the samples, which do the same on every page; an index is made on each page that uses it."""


@pytest.mark.slow
@pytest.mark.usefixtures("folder", "kept_vectors")
@pytest.mark.parametrize("page", TESTED)
def test_the_commands_of_a_page_run(page: str, run: Run) -> None:
    for line in TESTED[page]:
        words = tuple(shlex.split(line))
        if words in HAVE_RUN and "--index" not in words:
            continue
        status, _, errors = run(*words[1:])
        assert status == 0, f"{line}: {errors}"
        HAVE_RUN.add(words)


@pytest.mark.slow
@pytest.mark.usefixtures("folder", "kept_vectors")
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # as one line of the README leaves it
@pytest.mark.parametrize("page", PYTHON)
def test_the_python_of_a_page_runs(page: str) -> None:
    exec(compile("\n".join(PYTHON[page]), page, "exec"), {"__name__": "__main__"})


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
    """The example as another package would ship it."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "jaccard.py").write_text(model_block("python"), encoding="utf-8")
    (folder / "jaccard.toml").write_text(model_block("toml"), encoding="utf-8")
    described = folder / "jaccard-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: jaccard\nVersion: 1.0\n", encoding="utf-8"
    )
    (described / "entry_points.txt").write_text("[colde.models]\njaccard = jaccard\n", encoding="utf-8")
    return folder


SAVE = """
import sys, warnings
from pathlib import Path
from colde import models
sys.warnoptions.append("error")  # as `python -W error`
warnings.simplefilter("error")
models.create("jaccard").save(Path("trained"))
"""


def among_modules(package: Path) -> dict[str, str]:
    """The variable of the environment with which Python finds the modules of a folder, too."""
    return {"PYTHONPATH": os.pathsep.join([str(package), str(ROOT)])}


@pytest.fixture(scope="module")
def printed(package: Path) -> str:
    """What a comparison with a checkpoint prints; another one has written files into the folder of the package."""
    sample = sample_named("lighthouse")
    command = f"colde compare '{sample.a}' '{sample.b}' --model trained"
    files = f"{command} --json found.json --csv tables --html found.html"
    return fork_python("-c", SAVE + COMMANDS, command, files, cwd=package, env=among_modules(package))


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
@pytest.mark.xdist_group("mypy")  # one program at a time writes its cache
def test_the_model_of_the_guide_passes_ruff_and_mypy(package: Path) -> None:
    code, settings = (package / "jaccard.py").read_text(encoding="utf-8"), str(ROOT / "pyproject.toml")
    as_ours = str(ROOT / "colde" / "models" / "jaccard.py")
    ours = ("--config", settings, "--stdin-filename", as_ours, "-")
    for check in (("check",), ("format", "--check")):
        run_python("-m", "ruff", *check, *ours, cwd=package, given=code)
    known = str(ROOT / ".mypy_cache")  # what `make check` has learned of the program
    arguments = ("--cache-dir", known, "--config-file", settings, "jaccard.py")
    run_python("-m", "mypy", *arguments, cwd=package, env={**among_modules(package), "MYPYPATH": str(ROOT)})
