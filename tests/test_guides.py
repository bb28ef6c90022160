"""The guides that extend the program work as they stand: files are written and commands run in a copy of the code."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import pytest

from tests.fenced_blocks import fenced_blocks
from tests.forks import fork_python
from tests.programs import COMMANDS, ROOT, Run, run_program

pytestmark = pytest.mark.slow

GUIDES = {
    guide.stem: fenced_blocks(guide.read_text(encoding="utf-8"))
    for guide in sorted((ROOT / "docs" / "guides").glob("add_a_*.md"))
}
"""The blocks of each, with their languages."""
WITH_CODE = [name for name, blocks in GUIDES.items() if any(language == "python" for language, _ in blocks)]


def write_file(checkout: Path, text: str) -> None:
    """Write a block whose first line is `# file: PATH`, or put it elsewhere.

    `# row: PATH` and `# example: PATH` put it into a table, `# end: PATH` behind the text of a file.
    """
    first, _, body = text.partition("\n")
    kind, _, name = first.removeprefix("# ").partition(": ")
    path = checkout / name
    if kind == "file":
        path.write_text(body, encoding="utf-8")
        return
    held = path.read_text(encoding="utf-8")
    if kind == "row":
        held = held.replace("    TEXT,\n)", f"    TEXT,\n{body})", 1)  # at the end: the order does not matter
        held = held.replace("from colde.ingest import (\n", "from colde.ingest import (\n    org,\n", 1)
    elif kind == "end":
        held += body
    else:
        assert kind == "example", first
        table = re.search(r"^(?:EXAMPLES\b.*\{|WRITERS = \()\n", held, flags=re.MULTILINE)
        assert table is not None
        held = held[: table.end()] + body + held[table.end() :]
    path.write_text(held, encoding="utf-8")


def run_in_copy(checkout: Path, lines: Iterable[str]) -> None:
    """Run command lines with `python` of this environment and the code of the copy."""
    environment = {"PYTHONPATH": os.pathsep.join([str(checkout), str(checkout / "app")])}
    for program, some in groupby(lines, lambda line: line.split()[0]):
        if program == "colde":
            fork_python("-c", COMMANDS, *some, cwd=checkout, env=environment)
        elif program == "python":
            for line in some:
                fork_python(*shlex.split(line)[1:], cwd=checkout, env=environment)
        else:
            run_program("sh", "-e", "-c", "\n".join(some), cwd=checkout)


def lines_to_run(texts: Iterable[str]) -> list[str]:
    """The lines of the blocks that are marked as tested; of the others each says why it is not run."""
    texts = list(texts)
    assert all(text.startswith(("# tested\n", "# not run: ")) for text in texts), texts
    return [line for text in texts if text.startswith("# tested\n") for line in text.splitlines()[1:]]


def test_there_are_three_guides() -> None:
    assert {"add_a_model", "add_a_format", "add_a_kind_of_documents"} <= GUIDES.keys()


@pytest.mark.parametrize("guide", WITH_CODE)
def test_a_guide_that_adds_code_works(guide: str, checkout: Path) -> None:
    commands = 0
    for language, some in groupby(GUIDES[guide], lambda block: block[0]):
        texts = [text for _, text in some]
        if language in ("python", "toml"):
            for text in texts:
                write_file(checkout, text)
        elif language == "sh":
            run_in_copy(checkout, lines_to_run(texts))
            commands += 1
    assert commands


@pytest.mark.usefixtures("kept_vectors")
@pytest.mark.parametrize("guide", sorted(GUIDES.keys() - WITH_CODE))
def test_a_guide_that_adds_none_works(
    guide: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLDE_PROFILES", str(tmp_path / "profiles"))
    lines = lines_to_run(text for language, text in GUIDES[guide] if language == "sh")
    assert lines
    for line in lines:
        program, *arguments = shlex.split(line)
        status, _, errors = run(*arguments)
        assert (program, status) == ("colde", 0), f"{line}: {errors}"
