"""`colde read`: what the program makes of one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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
from colde.text.words import count_words

if TYPE_CHECKING:
    from rich.console import Console

    from colde.text.document import Document


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
    import colde.ingest

    with ProgressBar(settings) as bar:
        bar.stage(f"reading {file}")
        document = colde.ingest.read(file, password=password)
    if as_json:
        from colde.ingest.document_json import to_dict

        settings.note_warnings(document.source, document.warnings)
        print_json(json.dumps(to_dict(document), ensure_ascii=False, allow_nan=False))
    else:
        _print_outline(document, console())


def _print_outline(document: Document, console: Console) -> None:
    from rich.table import Column
    from rich.text import Text

    from colde.report.formatting import clean, plain_table, print_warnings, section_name, size
    from colde.text.reading_grade import reading_grade

    console.print(Text(clean(document.title) or clean(document.source) or "(no title)", style="bold"))
    language = f", language {document.language}" if document.language else ""
    console.print(
        Text(f"{clean(document.source)}   {document.format}{language}   {size(document)}", style="dim")
    )
    console.print(Text(f"reading {clean(str(reading_grade(document)))}", style="dim"))
    print_warnings(document.warnings, console)
    console.print()
    numbers = ("words", "sentences", "page")
    taken = sum(map(len, (str(len(document.sections) - 1), *numbers))) + 2 * (len(numbers) + 2)
    # a narrow terminal cuts headings, not numbers
    heading_width = max(console.width - taken, 12)
    table = plain_table(
        Column("", justify="right", no_wrap=True, style="dim"),
        Column("section", overflow="ellipsis", no_wrap=True, max_width=heading_width),
        *(Column(name, justify="right", no_wrap=True) for name in numbers),
    )
    for number, section in enumerate(document.sections):
        page = document.page_at(section.start)
        label = Text("  " * (section.level - 1))
        if section.heading or section.role is None:
            label.append(section_name(document, section))
        if section.role is not None:
            label.append(f"{'  ' if section.heading else ''}({section.role}, not compared)", style="dim")
        table.add_row(
            str(number),
            label,
            f"{count_words(document.text[section.body : section.end]):,}",
            f"{len(section.sentences):,}",
            "" if page is None else str(page),
        )
    console.print(table)
