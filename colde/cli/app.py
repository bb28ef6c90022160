"""`colde app`: the explorer in the browser."""

from __future__ import annotations

import os

import click

from colde.cli.common import Settings, common


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Where the page is served."
)
@common
def app(settings: Settings, port: int) -> None:
    """Open the explorer in the browser, served on this machine only.

    \b
    Example:
      colde app --port 8600
    """
    from app.launch import command

    arguments = command(port)
    os.execvp(arguments[0], arguments)
