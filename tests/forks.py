"""Programs that are forks of one that has imported the libraries, which takes each program seconds.

For tests that are not about the start of a program or about what it imports.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "colde.index",
        "colde.corpus.digest_manifest",
        "colde.encoders.encoder",
        "lance_namespace",
        "tests.index.light",
        "tests.index.loaded",
    ]
)
OURS = ("colde", "colde_explorer_app", "studies", "tests")
"""Packages of the project."""


def fork_python(
    *arguments: str | Path, cwd: Path, env: Mapping[str, str] | None = None, given: str = ""
) -> str:
    """`tests.programs.run_python` of `-c` and code, or of `-m` and a module, in a fork."""
    here = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "app")])}
    environment = {**os.environ, **here, **(env or {})}
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / name for name in ("given", "printed", "errors")]
        for name, text in zip(names, (given, "", ""), strict=True):
            name.write_text(text, encoding="utf-8")
        words = [str(word) for word in arguments]
        process = FORKS.Process(target=_run, args=(words, str(cwd), environment, list(map(str, names))))
        process.start()
        process.join(PATIENCE)
        process.kill()
        process.join()
        printed, errors = (name.read_text(encoding="utf-8", errors="replace") for name in names[1:])
    assert process.exitcode == 0, printed[-4_000:] + errors[-4_000:]
    return printed


def _run(arguments: Sequence[str], cwd: str, environment: Mapping[str, str], files: Sequence[str]) -> None:
    """Run what follows `python` on a command line, with the code of the project that is first in the environment."""
    for number, name in enumerate(files):
        os.dup2(os.open(name, os.O_RDWR), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    sys.path[:0] = [cwd, *environment["PYTHONPATH"].split(os.pathsep)]
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    kind, what, *sys.argv[1:] = arguments
    sys.argv[0] = kind
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
