"""Options of `colde compare` that name the files of its results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from colde.cli.options import path_option
from colde.cli.output_files import Outputs
from colde.errors import MissingExtraError

IMAGE_SUFFIXES = (".svg", ".png")
OPTIONS = (
    path_option("--json", "FILE|-", "Everything as JSON; - prints it and nothing else."),
    path_option("--html", "FILE", "One self-contained page."),
    path_option("--docx", "FILE", "The report as a Word document."),
    path_option("--pdf", "FILE", "The report as PDF."),
    path_option("--csv", "DIR", "A folder of tables: scores, evidence, maps."),
    path_option(
        "--matrix", "FILE.svg|FILE.png", "An image of a map with its labels and scale (see --matrix-map)."
    ),
    path_option("--graphml", "FILE", "Of many documents: the alike ones as a graph."),
)


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that name files, as `outputs`."""

    @wraps(command)
    def run(*positional: Any, **given: Any) -> Any:
        outputs = Outputs(**{name: given.pop(name) for name in Outputs.__dataclass_fields__})
        _check_formats(outputs)
        return command(*positional, outputs=outputs, **given)

    decorated: Callable[..., Any] = run
    for option in reversed(OPTIONS):
        decorated = option(decorated)
    return decorated


def _check_formats(outputs: Outputs) -> None:
    """Refuse files that cannot be made here, before minutes of work.

    Raises:
        click.UsageError: an image of another format.
        MissingExtraError: the packages for PDF and PNG are not installed.
    """
    suffix = _suffix(outputs.matrix)
    if outputs.matrix is not None and suffix not in IMAGE_SUFFIXES:
        raise click.UsageError(f"{outputs.matrix} must end with {' or '.join(IMAGE_SUFFIXES)}")
    if outputs.pdf is not None or suffix == ".png":
        from colde.report.typesetting import MISSING_EXTRA, can_typeset

        if not can_typeset():
            raise MissingExtraError(MISSING_EXTRA)


def _suffix(path: Path | None) -> str:
    return "" if path is None else path.suffix.lower()
