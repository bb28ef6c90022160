"""Programs that tests start: Python code, command lines, and servers on a free port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.patience import PATIENCE, wait_for_answer

Run = Callable[..., tuple[int, str, str]]
"""The fixture `run`: exit status, standard output and standard error of one command line in this process."""

ROOT = Path(__file__).resolve().parents[1]


def run_program(
    *command: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, given: str = ""
) -> str:
    """Standard output of a program that has to end without an error.

    Args:
        env: variables that differ from those of this process.
        given: its standard input.
    """
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-4_000:]
    return done.stdout


def run_python(
    *arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, given: str = ""
) -> str:
    """`run_program` of this Python, with the checkout among its modules: `run_python("-c", code)`."""
    here = os.pathsep.join([str(ROOT), str(ROOT / "app")])
    return run_program(
        sys.executable, *arguments, cwd=cwd, env={"PYTHONPATH": here, **(env or {})}, given=given
    )


COMMANDS = """
import shlex, sys
from colde.cli import main
for line in sys.argv[1:]:
    print(line, file=sys.stderr)
    try:
        status = main(shlex.split(line)[1:])
    except SystemExit as end:
        status = end.code
    assert not status, status
"""
"""Runs `colde` command lines one after the other in one process: loading the program takes seconds."""


@contextmanager
def serving(
    command: Callable[[int], Sequence[str | Path]],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: IO[bytes] | None = None,
    health: str = "_stcore/health",
) -> Iterator[str]:
    """The address of a server, by default the explorer, as soon as it answers.

    Args:
        command: command line for a port.
        log: file of what it prints.
        health: path that answers with status 200.
    """
    port = free_port()
    server = subprocess.Popen(
        [str(word) for word in command(port)],
        cwd=cwd,
        env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true", "COLDE_SANDBOX": "on", **(env or {})},
        stdout=log or subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for_answer(server, lambda: _is_healthy(f"{url}/{health}"))
        yield url
    finally:
        server.terminate()
        server.wait(PATIENCE)


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
