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
from colde.cli.output_files import Outputs
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
@path_option("--csv table", "FILE", "The ledger as CSV.")
@path_option("--xlsx", "FILE", "The ledger as a spreadsheet.")
@path_option("--json", "FILE|-", "The ledger as JSON; - prints it and nothing else.")
@common_options
def ledger(
    settings: Settings,
    a: str,
    b: str,
    include: tuple[Role, ...],
    templates: tuple[str, ...],
    encoder: str,
    password: str | None,
    **targets: Path | None,
) -> None:
    """List every sentence of A and of B once, with what became of it.

    Each row is the same, reworded, moved, merged, opposite, repeated, dropped (only in A) or new (only in B), with
    place, certainty and reason.

    \b
    Example:
      colde ledger contract_v1.docx contract_v2.docx --xlsx ledger.xlsx
      colde ledger contract_v1.pdf contract_v2.docx --csv ledger.csv --json ledger.json
    """
    outputs = Outputs(**targets)
    outputs.check((a, b, *templates))

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
    if not outputs.any:
        ledger_tables.print_ledger(result, console())
        return
    outputs.write(
        settings,
        json=result.to_json,
        table=lambda: ledger_tables.to_csv(result),
        xlsx=lambda: ledger_tables.to_xlsx(result),
    )
