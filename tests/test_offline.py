"""With the network closed everything works as with it: no code, no weights and no word of a text go over a line."""

from __future__ import annotations

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
comparison_jobs.warm_up().result(600)
print("page asked", asked)
"""
COMPARE = """
from colde.cli import main
status = main(["compare", *sys.argv[1:], "--json", "result.json", "--html", "report.html", "--csv", "."])
print("comparison", status, "asked", asked)
"""
OTHER_PAGES = """
from tests.app.pages import open_page

for name in ("sources_page", "collection_page", "search_page", "models_page", "mistakes_page", "how_it_works_page"):
    page = open_page(name).run()
    assert not page.exception, (name, page.exception)
"""
COMMANDS = """
from colde.cli import main

one, two = sys.argv[1:]
for line in (
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
print("asked", asked)
"""


def test_the_first_page_the_models_behind_it_and_a_comparison_with_all_of_them(tmp_path: Path) -> None:
    samples = ROOT / "assets" / "samples"
    files = samples / "banks_river.md", samples / "banks_money.pdf"
    printed = run_python("-c", CLOSED + PAGE + COMPARE, *files, cwd=tmp_path, env={"HOME": str(tmp_path)})
    lines = printed.splitlines()
    assert "page asked []" in lines and lines[-1] == "comparison 0 asked []"
    assert {"result.json", "report.html", "scores.csv"} <= {path.name for path in tmp_path.iterdir()}


def test_all_other_pages(tmp_path: Path) -> None:
    code = CLOSED + OTHER_PAGES + 'print("asked", asked)'
    printed = run_python("-c", code, cwd=tmp_path, env={"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)})
    assert printed.splitlines()[-1] == "asked []"


def test_ledgers_charts_redlines_histories_indexes_and_sources(tmp_path: Path) -> None:
    files = [
        ROOT / "tests" / "data" / "small_files" / f"tides-{name}_tides.md" for name in ("spring", "neap")
    ]
    printed = run_python("-c", CLOSED + COMMANDS, *files, cwd=tmp_path, env={"HOME": str(tmp_path)})
    assert printed.splitlines()[-1] == "asked []"
    written = {path.name for path in tmp_path.iterdir()}
    assert {
        "ledger.xlsx",
        "chart.docx",
        "redline.docx",
        "history.html",
        "report.pdf",
        "sources.html",
    } <= written
