"""With the network closed everything works as with it: no code, no weights and no word of a text go over a line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
CLOSED = """
import socket, sys

asked = []

def closed(self, address, *rest):
    asked.append(str(address))
    raise OSError(101, "Network is unreachable")

def unknown(name, *rest, **more):
    asked.append(str(name))
    raise socket.gaierror(-3, "Temporary failure in name resolution")

for name in ("connect", "connect_ex", "sendto", "sendmsg"):
    setattr(socket.socket, name, closed)
socket.getaddrinfo = socket.gethostbyname = socket.gethostbyname_ex = unknown
"""
COMPARE = """
from colde.cli import main
status = main(["compare", sys.argv[1], sys.argv[2], "--json", "result.json", "--html", "report.html", "--csv", "."])
print("status", status, "asked", asked)
"""
PAGE = """
import threading
from streamlit.testing.v1 import AppTest
import colde_explorer_app.server
from colde.cli.app import main_page
from colde_explorer_app import work

page = AppTest.from_file(str(main_page()), default_timeout=600).run()
assert not page.exception, page.exception
work.warm_up().result(600)
print("status", 0, "asked", asked)
"""


def run(code: str, folder: Path, *arguments: str) -> str:
    """What a program says that can reach nobody."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSED + code, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'app'}", "HOME": str(folder)},
        timeout=PATIENCE,
    )
    return f"{done.stdout.splitlines()[-1]}\n{done.stderr}" if done.stdout else done.stderr


def test_a_whole_comparison_with_the_default_models(tmp_path: Path) -> None:
    samples = ROOT / "assets" / "samples"
    said = run(COMPARE, tmp_path, str(samples / "banks_river.md"), str(samples / "banks_money.pdf"))
    assert said.startswith("status 0 asked []"), said
    assert {"result.json", "report.html", "scores.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_the_first_page_and_the_models_behind_it(tmp_path: Path) -> None:
    said = run(PAGE, tmp_path)
    assert said.startswith("status 0 asked []"), said
