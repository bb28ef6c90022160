"""`colde app`: the explorer in the browser."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import click

from colde.cli.options import Settings, common_options, encoder_option, path_option
from colde.errors import ModelError

APP_PACKAGE = "colde_explorer_app"


def streamlit_command(port: int = 8501, host: str = "127.0.0.1") -> list[str]:
    """The command line that serves the explorer on http://127.0.0.1:`port`.

    On every address it answers to the names of this machine alone (see `colde_explorer_app.server`). `-P` keeps the
    current folder out of the module path: no `streamlit.py` or `json.py` there is run.
    """
    server = str(main_page().with_name("server.py"))
    streamlit = [sys.executable, "-P", "-m", "streamlit", "run", server]
    return [*streamlit, *streamlit_options({"server.address": host, "server.port": port})]


def streamlit_options(overrides: Mapping[str, str | int] | None = None) -> list[str]:
    """All settings but the theme (address, hosts, upload limit, no usage statistics) as options of the command.

    Options override any `.streamlit/config.toml` in the current folder or the home.

    Args:
        overrides: settings that replace or complement those of the file.
    """
    file = main_page().parent / ".streamlit" / "config.toml"
    chosen = {
        f"{section}.{name}": setting
        for section, settings in tomllib.loads(file.read_text(encoding="utf-8")).items()
        for name, setting in settings.items()
        if section != "theme"
    } | dict(overrides or {})
    options = []
    for name, setting in chosen.items():
        for value in setting if isinstance(setting, list) else [setting]:
            options += [f"--{name}", str(value).lower() if isinstance(value, bool) else str(value)]
    return options


def main_page() -> Path:
    """The path of the explorer's first page, without importing it.

    Raises:
        ModelError: this installation has no explorer.
    """
    spec = find_spec(APP_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("the explorer is not installed; install it with: pip install colde-explorer")
    return Path(next(iter(spec.submodule_search_locations))) / "main.py"


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Where the page is served."
)
@path_option(
    "--indexes",
    "DIR",
    "The folder with the indexes that the page Search offers (see colde index add); by default the current folder.",
    default=".",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on: 0.0.0.0 in a container. It answers to the names localhost and 127.0.0.1 alone.",
)
@encoder_option
@common_options
def app(settings: Settings, port: int, indexes: Path, host: str, encoder: str) -> None:
    """Open the explorer in the browser, served on this machine only.

    \b
    Example:
      colde app --port 8600
    """
    arguments = streamlit_command(port, host)
    os.environ["COLDE_INDEXES"] = str(indexes.absolute())
    os.environ["COLDE_ENCODER"] = str(Path(encoder).absolute()) if Path(encoder).is_dir() else encoder
    os.chdir(main_page().parent)  # Streamlit would read a .streamlit/ in the current folder
    os.execvp(arguments[0], arguments)
