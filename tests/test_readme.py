"""Every command of the README that is marked as tested runs, as it stands there.

A block is marked by the comment line `# tested` in a fenced sh block; its lines that begin with `colde` are run,
one after the other, in a folder that holds the project's assets.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def marked_blocks(text: str) -> list[list[str]]:
    """The `colde` lines of each fenced sh block that holds the line `# tested`."""
    blocks = []
    for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        lines = block.replace("\\\n", " ").splitlines()
        if "# tested" in (line.strip() for line in lines):
            blocks.append([line.strip() for line in lines if re.match(r"\s*colde\s", line)])
    return blocks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the project's assets and a `colde` on the path."""
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    program = tmp_path / "bin" / "colde"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m colde.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def test_marked_blocks_are_found() -> None:
    text = "```sh\n# tested\ncolde read a.md \\\n  --json\nls\n```\n\n```sh\ncolde app\n```\n"
    assert marked_blocks(text) == [["colde read a.md    --json"]]


def test_the_readme_has_tested_commands() -> None:
    commands = " ".join(line for block in marked_blocks(README.read_text(encoding="utf-8")) for line in block)
    for command in ("colde read", "colde compare", "colde models"):
        assert command in commands


def blocks_of_the_readme() -> list[list[str]]:
    return marked_blocks(README.read_text(encoding="utf-8")) if README.is_file() else []


@pytest.mark.parametrize("block", blocks_of_the_readme(), ids=lambda block: " · ".join(block)[:80])
def test_commands_of_the_readme_run(folder: Path, block: list[str]) -> None:
    path = os.pathsep.join((str(folder / "bin"), os.environ.get("PATH", "")))
    python_path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(ROOT))))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": python_path}
    for line in block:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
