"""`colde mcp`: a local server for agents over standard input and output."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.options import Settings, common_options


@click.command()
@click.option(
    "--root",
    "roots",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    multiple=True,
    required=True,
    metavar="DIR",
    help="A folder whose files agents may read; can be named several times.",
)
@common_options
def mcp(settings: Settings, roots: tuple[Path, ...]) -> None:
    """Serve tools for agents by the Model Context Protocol: read, compare, chart requirements, search an index.

    Nothing is sent anywhere and nothing is written. Only files below the folders of --root are read.

    \b
    Example:
      colde mcp --root contracts --root templates
    """
    from colde.agents.mcp_server import mcp_server

    mcp_server(roots).run("stdio")
