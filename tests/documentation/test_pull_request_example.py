"""The example of a comment on a pull request, run in a repository that is made here."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml

from colde.cli import main
from tests.programs import ROOT

FOLDER = ROOT / "docs" / "guides" / "pull_request"
SCRIPT = FOLDER / "comment_changes.py"
TEXT = "# Rules\n\n{}\n\nNo boat may pass without a lamp. The clerk keeps a ledger of all the fees that are paid.\n"
GATE = "The keeper shall open the gate at dawn for every boat that waits."

git_is_there = pytest.mark.skipif(shutil.which("git") is None, reason="needs Git")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    described = importlib.util.spec_from_file_location("comment_changes", SCRIPT)
    assert described is not None and described.loader is not None
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


def git(folder: Path, *arguments: str) -> None:
    about = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *about, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")


def in_this_process(command: list[str], **options: Any) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run`, but that `colde` is not started: that takes seconds for each document."""
    if command[0] != "colde":
        return subprocess.run(command, **options)
    assert options == {"capture_output": True, "text": True, "check": False}
    printed, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(printed), redirect_stderr(errors):
        status = main(command[1:])
    texts = (stream.buffer.getvalue().decode() for stream in (printed, errors))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(command, status, *texts)


@pytest.fixture(scope="module")
def comment(tmp_path_factory: pytest.TempPathFactory, script: ModuleType) -> str:
    """The comment on a branch that changes some documents, after the base went on."""
    repository = tmp_path_factory.mktemp("repository")
    git(repository, "init", "--quiet", "--initial-branch", "base")
    texts = {
        "rules/gate.md": TEXT.format(GATE),
        "kept.md": TEXT.format(GATE),
        "old name.txt": TEXT.format(GATE),
    }
    commit(repository, {**texts, "broken.pdf": b"%PDF-1.4 one", "code.py": "x = 1\n"})
    git(repository, "switch", "--quiet", "--create", "head")
    git(repository, "mv", "old name.txt", "new name.txt")
    hostile = f"{GATE} Ask @everyone <img src=x> [here](http://example.org) | `now`."
    changed = {
        "rules/gate.md": TEXT.format(GATE.replace("shall", "may")),
        "new name.txt": TEXT.format(hostile),
        "broken.pdf": b"%PDF-1.4 two",
        "code.py": "x = 2\n",
        "added.md": TEXT.format("A new file."),
    }
    commit(repository, dict(changed))
    git(repository, "switch", "--quiet", "base")
    commit(repository, {"kept.md": TEXT.format("The base went on.")})
    written = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(written):
        patch.chdir(repository)
        patch.setattr(script, "subprocess", SimpleNamespace(run=in_this_process))
        script.main("base", "head")
    return written.getvalue()


@git_is_there
@pytest.mark.slow
def test_the_comment_lists_the_changes_of_each_document(comment: str) -> None:
    headings = [line for line in comment.splitlines() if line.startswith("<h3>")]
    assert headings == [
        "<h3><code>broken.pdf</code></h3>",
        "<h3><code>old name.txt</code> → <code>new name.txt</code></h3>",
        "<h3><code>rules/gate.md</code></h3>",
    ]
    gate = comment.split("rules/gate.md")[1]
    assert "1 change" in gate and "<td>obligation</td>" in gate
    assert "<del><code>shall</code></del>" in gate and "<ins><code>may</code></ins>" in gate
    assert "<p>Not compared: <code>colde: " in comment.split("old name.txt")[0]


@git_is_there
@pytest.mark.slow
def test_texts_of_documents_format_nothing_in_the_comment(comment: str) -> None:
    assert "<img" not in comment and "&lt;img src=x&gt;" in comment
    inside = comment.split("<table>")[1].split("</table>")[0]
    assert "\n\n" not in inside  # a blank line would end the table, and Markdown would begin
    outside = comment
    for piece in comment.split("<code>")[1:]:
        outside = outside.replace(piece.split("</code>")[0], "")
    assert "@" not in outside and "http" not in outside


def test_what_does_not_fit_into_a_comment_is_counted(script: ModuleType) -> None:
    parts = ["x" * 20_000] * 5
    text = script.shortened(parts)
    assert len(text) <= script.MOST_COMMENT + 100 and text.endswith(
        "3 more documents do not fit into the comment.\n"
    )
    assert script.shortened(parts[:2]) == "\n".join(parts[:2])


def test_marks_of_a_long_sentence_stay_inside_it(script: ModuleType) -> None:
    place = {"start": 100, "text": "x" * 500}
    written = script.sentence(place, [[110, 120], [380, 600]], "ins")
    assert (
        written.count("<ins>") == 2 and written.count("x") == script.MOST_CHARACTERS and written.endswith("…")
    )
    assert script.sentence(None, [], "ins") == ""


def test_the_workflow_has_the_least_rights_and_runs_the_script() -> None:
    workflow: dict[Any, Any] = yaml.safe_load((FOLDER / "document_changes.yml").read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
    steps = workflow["jobs"]["comment"]["steps"]
    commands = "\n".join(step.get("run", "") for step in steps)
    assert SCRIPT.name in commands and "${{" not in commands  # values of others come by the environment
