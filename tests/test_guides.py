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
from tests.programs import COMMANDS, ROOT, run_program

pytestmark = pytest.mark.slow

GUIDES = sorted((ROOT / "docs" / "guides").glob("add_a_*.md"))


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


def run(checkout: Path, lines: Iterable[str]) -> None:
    """Run command lines with `python` of this environment and the code of the copy."""
    environment = {
        "PYTHONPATH": os.pathsep.join([str(checkout), str(checkout / "app")]),
        "COLDE_PROFILES": str(checkout / "profiles"),
    }
    for program, some in groupby(lines, lambda line: line.split()[0]):
        if program == "colde":
            fork_python("-c", COMMANDS, *some, cwd=checkout, env=environment)
        elif program == "python":
            for line in some:
                fork_python(*shlex.split(line)[1:], cwd=checkout, env=environment)
        else:
            run_program("sh", "-e", "-c", "\n".join(some), cwd=checkout)


def test_there_are_three_guides() -> None:
    names = {guide.stem for guide in GUIDES}
    assert {"add_a_model", "add_a_format", "add_a_kind_of_documents"} <= names


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_works(guide: Path, checkout: Path) -> None:
    blocks = fenced_blocks(guide.read_text(encoding="utf-8"))
    commands = 0
    for language, some in groupby(blocks, lambda block: block[0]):
        texts = [text for _, text in some]
        if language in ("python", "toml"):
            for text in texts:
                write_file(checkout, text)
        elif language == "sh":
            assert all(text.startswith(("# tested\n", "# not run: ")) for text in texts), texts
            tested = [text for text in texts if text.startswith("# tested\n")]
            run(checkout, [line for text in tested for line in text.splitlines()[1:]])
            commands += 1
    assert commands
