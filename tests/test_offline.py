"""With the network closed everything works as with it: no code, no weights and no word of a text go over a line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.programs import ROOT, run_python

pytestmark = pytest.mark.slow

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
PAGE = """
from streamlit.testing.v1 import AppTest
import colde_explorer_app.server
from colde.cli.serving.app import main_page
from colde_explorer_app.session import comparison_jobs

page = AppTest.from_file(str(main_page()), default_timeout=600).run()
assert not page.exception, page.exception
comparison_jobs.PAGE_SECONDS = 0.0  # no browser fetches scripts
comparison_jobs.warm_up().result(600)
print("first page asked", asked)
"""
OTHER_PAGES = """
from tests.app.pages import open_page

for name in ("sources_page", "collection_page", "search_page", "models_page", "mistakes_page", "how_it_works_page"):
    page = open_page(name).run()
    assert not page.exception, (name, page.exception)
print("other pages asked", asked)
"""
COMMANDS = """
from colde.cli import main

one, two, pdf = sys.argv[1:]
for line in (
    ["compare", one, pdf, "--json", "result.json", "--html", "report.html", "--csv", "."],
    ["ledger", one, two, "--csv", "ledger.csv", "--xlsx", "ledger.xlsx", "--json", "ledger.json"],
    ["chart", one, two, "--rows", "sentences", "--docx", "chart.docx", "--xlsx", "chart.xlsx", "--csv", "chart.csv"],
    ["redline", one, two, "--docx", "redline.docx", "--pdf", "redline.pdf"],
    ["history", one, two, "--html", "history.html", "--json", "history.json"],
    ["compare", one, two, "--model", "tfidf", "--docx", "report.docx", "--pdf", "report.pdf"],
    ["what-if", one, two, "--without", "a:1", "--model", "tfidf"],
    ["index", "add", one, two, "--index", "held"],
    ["index", "search", one, "--index", "held"],
    ["sources", one, "--index", "held", "--html", "sources.html", "--docx", "sources.docx", "--json", "sources.json"],
):
    assert main([*line, "--quiet"]) == 0, line
print("commands asked", asked)
"""


WRITTEN = (
    "result.json", "report.html", "scores.csv", "ledger.xlsx", "chart.docx", "redline.docx", "history.html",
    "report.pdf", "sources.html",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("offline")


@pytest.fixture(scope="module")
def printed(folder: Path) -> list[str]:
    """What one program prints that draws all pages and then runs the commands."""
    tides = ROOT / "tests" / "data" / "small_files"
    files = [tides / f"tides-{name}_tides.md" for name in ("spring", "neap")]
    environment = {"HOME": str(folder), "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "app")])}
    code = CLOSED + PAGE + OTHER_PAGES + COMMANDS
    pdf = ROOT / "assets" / "samples" / "banks_money.pdf"
    return run_python("-c", code, *files, pdf, cwd=folder, env=environment).splitlines()


def test_the_first_page_and_the_models_behind_it(printed: list[str]) -> None:
    assert "first page asked []" in printed


def test_all_other_pages(printed: list[str]) -> None:
    assert "other pages asked []" in printed


def test_comparisons_ledgers_charts_redlines_histories_indexes_and_sources(
    printed: list[str], folder: Path
) -> None:
    assert printed[-1] == "commands asked []"
    assert set(WRITTEN) <= {path.name for path in folder.iterdir()}
