"""`colde ledger A B`: every sentence of two texts once, with what became of it."""

from __future__ import annotations

from pathlib import Path

import click

from colde.cli.comparing.compare_options import read_files
from colde.cli.options import (
    Settings,
    common_options,
    console,
    encoder_option,
    include_option,
    password_option,
    path_option,
    template_option,
)
from colde.cli.output_files import STANDARD_OUTPUT, check_outputs, print_json, write_noted
from colde.cli.progress_bar import ProgressBar
from colde.text.document import Role

MODEL = "tfidf"
"""The fastest model: a ledger has no score."""


@click.command()
@click.argument("a")
@click.argument("b")
@include_option
@template_option
@encoder_option
@password_option
@path_option("--csv csv_path", "FILE", "The ledger as CSV.")
@path_option("--xlsx xlsx_path", "FILE", "The ledger as a spreadsheet.")
@path_option("--json json_path", "FILE|-", "The ledger as JSON; - prints it and nothing else.")
@common_options
def ledger(
    settings: Settings,
    a: str,
    b: str,
    include: tuple[Role, ...],
    templates: tuple[str, ...],
    encoder: str,
    password: str | None,
    csv_path: Path | None,
    xlsx_path: Path | None,
    json_path: Path | None,
) -> None:
    """List every sentence of A and of B once, with what became of it.

    Each row is the same, reworded, moved, merged, opposite, repeated, dropped (only in A) or new (only in B), with
    place, certainty and reason.

    \b
    Example:
      colde ledger contract_v1.docx contract_v2.docx --xlsx ledger.xlsx
      colde ledger contract_v1.pdf contract_v2.docx --csv ledger.csv --json ledger.json
    """
    on_disk = None if json_path == STANDARD_OUTPUT else json_path
    check_outputs((a, b, *templates), csv_path, xlsx_path, on_disk)

    from colde.comparison import pipeline
    from colde.comparison.ledger import ledger as ledger_of
    from colde.comparison.standard_text import prepare_documents
    from colde.report.ledger_and_chart import ledger_tables

    with ProgressBar(settings) as bar:
        documents = read_files(bar, (a, b), password)
        one, two = prepare_documents(documents, include, read_files(bar, templates, password), None)
        comparison = pipeline.compare(one, two, MODEL, encoder=encoder, on_progress=bar)
        bar.stage("listing sentences")
        result = ledger_of(comparison)
    settings.note_comparison(comparison)
    written = write_noted(
        settings,
        (csv_path, lambda: ledger_tables.to_csv(result)),
        (xlsx_path, lambda: ledger_tables.to_xlsx(result)),
        (on_disk, result.to_json),
    )
    if json_path == STANDARD_OUTPUT:
        print_json(result.to_json())
    elif not written:
        ledger_tables.print_ledger(result, console())
