"""How the explorer starts, and what it does not load before it is asked to."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

from colde.cli.app import main_page, streamlit_command
from tests.patience import PATIENCE

MAIN = main_page()

FIRST_PAGE = """
import sys
import colde_explorer_app.comparison_jobs as work
work.warm_up = lambda: None
from streamlit.testing.v1 import AppTest
page = AppTest.from_file({main!r}, default_timeout=600).run()
assert not page.exception, page.exception
assert page.button(key="compare").label == "Compare"
print(" ".join(sorted({{"torch", "transformers", "spacy", "sklearn"}} & set(sys.modules))) or "none")
"""


def test_the_command_runs_this_python_on_the_server_beside_the_main_page() -> None:
    program = streamlit_command(8600)
    assert program[0] == sys.executable
    server = MAIN.with_name("server.py")
    assert str(server) in program and server.is_file() and MAIN.is_file()
    assert program[-2:] == ["--server.port", "8600"]


def test_in_a_container_it_listens_for_others_and_answers_to_the_names_of_this_machine() -> None:
    program = streamlit_command(8600, "0.0.0.0")
    given = [value for name, value in pairwise(program) if name == "--server.address"]
    assert given == ["0.0.0.0"]
    names = [value for name, value in pairwise(program) if name == "--server.allowedHosts"]
    assert names == ["localhost", "127.0.0.1"]


def test_the_settings_keep_everything_on_this_computer() -> None:
    settings = tomllib.loads((MAIN.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["maxUploadSize"] == 50
    assert settings["browser"]["gatherUsageStats"] is False
    assert "http" not in (MAIN.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8")


def test_the_first_page_loads_no_heavy_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAGE.format(main=str(MAIN))],
        cwd=Path(MAIN).parent.parent,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1:] == ["none"], f"loaded before the first page: {done.stdout}"
