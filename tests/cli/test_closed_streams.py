"""Every command ends quietly where nobody reads it, and with a sentence where its folder is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TextIO

import pytest

from colde.cli import main
from tests.patience import PATIENCE
from tests.programs import ROOT

UNREAD, CLOSED, ALL_CLOSED = "2>&1 | head -c {}; exit ${{PIPESTATUS[0]}}", ">&-", ">&- 2>&-"
AT_ONCE, LATER = UNREAD.format(0), UNREAD.format(5)
"""When the reader closes the pipe: before anything is written, or while it is."""
ENDS = [
    ("read long.md --json", LATER, 0, '{"tit'),
    ("models", AT_ONCE, 0, ""),
    ("--help", AT_ONCE, 0, ""),
    ("read missing.md", LATER, 3, "colde"),
    ("read long.md --json", CLOSED, 0, ""),
    ("--help", CLOSED, 0, ""),
    ("models", ALL_CLOSED, 0, ""),
    ("read missing.md", ALL_CLOSED, 3, ""),
]


@pytest.fixture
def folder(pair: tuple[Path, Path]) -> Path:
    """The JSON of one document is more than a pipe holds."""
    parts = "".join(f"\n## Part {k}\n\nThe lamp of part {k} was lit.\n" for k in range(400))
    long = pair[0].read_text("utf-8") + parts
    (pair[0].parent / "long.md").write_text(long, encoding="utf-8")
    return pair[0].parent


COLDE = f'"{sys.executable}" -c "from colde.cli import main; raise SystemExit(main())"'


def run_bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("command", "redirect", "status", "printed"), ENDS)
def test_closed_output_ends_a_command_quietly(
    command: str, redirect: str, status: int, printed: str, folder: Path
) -> None:
    done = run_bash(f"{COLDE} {command} {redirect}", folder)
    assert (done.returncode, done.stdout) == (status, printed)
    assert "Traceback" not in done.stderr and "bug" not in done.stderr
    assert done.stderr.count("\n") <= (status != 0)


@contextmanager
def unread(redirect: Callable[[TextIO], AbstractContextManager[TextIO]]) -> Iterator[None]:
    """Standard output or standard error is a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w", encoding="utf-8")
    with redirect(stream):
        yield
    with suppress(BrokenPipeError):
        stream.close()


def run_unread(*arguments: object) -> int:
    """Exit status of a command, also where Python could not write at its end what standard output still holds."""
    with unread(redirect_stdout), unread(redirect_stderr):
        status = main([str(argument) for argument in arguments])
        sys.stdout.flush()
    return status


def test_a_comparison_that_nobody_reads_is_done(pair: tuple[Path, Path]) -> None:
    assert run_unread("compare", *pair, "--model", "tfidf", "--json", "-") == 0


def test_files_are_written_though_nobody_reads_the_notes(folder: Path) -> None:
    many = folder / "many"
    many.mkdir()
    for name in ("a", "b", "c"):
        (many / f"{name}.md").write_text((folder / "lamp.md").read_text("utf-8") + f"\nOf {name}.\n", "utf-8")
    (many / "short.md").write_text("Too short.", "utf-8")
    out = folder / "out.json"
    assert run_unread("compare", many, "--model", "tfidf", "--json", out) == 0
    assert out.stat().st_size > 1_000


@pytest.mark.parametrize(
    "command", ["read {}/a.md", "compare {0}/a.md {0}/b.md --model tfidf", "new-model x", "models"]
)
def test_a_current_folder_that_is_gone_is_named(command: str, folder: Path) -> None:
    gone = folder / "gone"
    gone.mkdir()
    done = run_bash(f'rmdir "{gone}"; {COLDE} {command.format(folder)}', gone)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the current folder cannot be used (No such file or directory): change to another" in done.stderr
    assert done.stderr.count("\n") == 1
