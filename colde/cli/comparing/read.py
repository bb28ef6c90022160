"""`colde read`: what the program makes of one file."""

from __future__ import annotations

import json

import click

from colde.cli.options import (
    Settings,
    common_options,
    console,
    json_flag,
    password_option,
    warm_up_reader,
)
from colde.cli.output_files import print_json
from colde.cli.progress_bar import ProgressBar


class _CommandWithFormats(click.Command):
    """A command whose help names the formats; they are looked up only when it is shown."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from colde.ingest.formats import format_labels

        self.help = (self.help or "").replace("FORMATS", format_labels())
        super().format_help_text(ctx, formatter)


@click.command(cls=_CommandWithFormats)
@click.argument("file")
@json_flag("The whole document as JSON (docs/schema/read.schema.json).")
@password_option
@common_options
def read(settings: Settings, file: str, as_json: bool, password: str | None) -> None:
    """Read FILE and show its outline: title, sections, words and sentences.

    Reads FORMATS.

    \b
    Example:
      colde read report.pdf
      colde read report.pdf --json > report.json
    """
    warm_up_reader(file)
    # What prints the outline is imported while the reading process starts.
    import colde.ingest
    from colde.ingest.document_json import to_dict
    from colde.report.terminal.outline_report import print_outline

    with ProgressBar(settings) as bar:
        bar.stage(f"reading {file}")
        document = colde.ingest.read(file, password=password)
    if as_json:
        settings.note_warnings(document.source, document.warnings)
        print_json(json.dumps(to_dict(document), ensure_ascii=False, allow_nan=False))
    else:
        print_outline(document, console())
