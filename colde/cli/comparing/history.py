"""`colde history V1 V2…`: in which version each sentence of a document came in, changed and was removed."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.comparing.compare_options import read_files
from colde.cli.options import (
    Settings,
    common_options,
    console,
    encoder_option,
    password_option,
    path_option,
)
from colde.cli.output_files import Outputs, check_formats
from colde.cli.progress_bar import ProgressBar


def _parse_names(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",")) if value else ()


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="V1 V2…")
@click.option(
    "--names", metavar="NAME,…", callback=_parse_names, help="Who made each version; by default their files."
)
@encoder_option
@password_option
@path_option("--json", "FILE|-", "Everything as JSON; - prints it and nothing else.")
@path_option("--html", "FILE", "One self-contained page: a click on a sentence shows who changed it.")
@path_option("--csv", "DIR", "A folder of tables: versions, sentences, steps.")
@common_options
def history(
    settings: Settings,
    files: tuple[str, ...],
    names: tuple[str, ...],
    encoder: str,
    password: str | None,
    **targets: Path | None,
) -> None:
    """Show in which version each sentence of a document came in, changed and was removed.

    Name the versions in their order, the oldest first.

    \b
    Example:
      colde history draft.docx buyer.docx seller.docx --html history.html
      colde history v1.pdf v2.pdf v3.pdf --names Draft,Buyer,Seller --json history.json
    """
    if len(files) < 2:
        raise click.UsageError("name two versions at least, the oldest first")
    if names and len(names) != len(files):
        raise click.UsageError(f"{len(names)} names for {len(files)} versions: name each version")
    outputs = Outputs(**targets)
    check_formats(outputs)
    outputs.check(files)

    from colde.comparison.version_history import version_history
    from colde.report.history.history_html import history_html
    from colde.report.history.history_tables import history_tables
    from colde.report.history.history_terminal import print_history

    with ProgressBar(settings) as bar:
        documents = read_files(bar, files, password)
        for document in documents:
            settings.note_warnings(document.source, document.warnings)
        result = version_history(documents, names, encoder=encoder, on_progress=bar)
    if not outputs.any:
        print_history(result, console())
        return
    outputs.write(
        settings,
        json=result.json_pieces,
        html=lambda: history_html(result),
        tables=lambda: history_tables(result),
        inputs=files,
    )
