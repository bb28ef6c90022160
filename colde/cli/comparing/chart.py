"""`colde chart`: the requirements of a document, and their counterparts in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli.comparing.compare_options import read_files
from colde.cli.comparing.review_files import decisions_of, open_review
from colde.cli.comparing.what_if import parts_option
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
from colde.comparison.part_notation import Parts
from colde.text.clauses_and_requirements.requirements import ROWS, Rows
from colde.text.document import Role

if TYPE_CHECKING:
    from colde.report.content.review_export import Review
    from colde.results.comparison import Comparison

MODEL = "tfidf"
"""The fastest model: a chart has no score."""


@click.command()
@click.argument("a")
@click.argument("others", nargs=-1, required=True, metavar="B…")
@click.option(
    "--rows",
    type=click.Choice(ROWS),
    default="requirements",
    show_default=True,
    help="The rows: requirements are numbered paragraphs, and sentences with words such as shall or must; or all "
    "clauses (paragraphs with the lists that they introduce), or all sentences.",
)
@click.option(
    "--passages",
    metavar="a:SECTIONS",
    callback=parts_option,
    help="The clauses of these sections of A are the rows: a:3,a:7-9; the characters a@120-245 are a row.",
)
@path_option(
    "--review reviews",
    "FILE",
    "Decisions and notes that were saved on the page, of a pair A and B.",
    multiple=True,
)
@include_option
@template_option
@encoder_option
@password_option
@path_option("--docx", "FILE", "The chart as a Word document.")
@path_option("--xlsx", "FILE", "The chart as a spreadsheet.")
@path_option("--csv table", "FILE", "The chart as CSV, a row for each counterpart.")
@path_option("--json", "FILE|-", "The chart as JSON; - prints it and nothing else.")
@common_options
def chart(
    settings: Settings,
    a: str,
    others: tuple[str, ...],
    rows: Rows,
    passages: Parts | None,
    reviews: tuple[Path, ...],
    include: tuple[Role, ...],
    templates: tuple[str, ...],
    encoder: str,
    password: str | None,
    **targets: Path | None,
) -> None:
    """Chart the requirements of A with their counterparts in B, or in several documents.

    A requirement without a counterpart is “not found”, with the probability that this is right.

    \b
    Example:
      colde chart specification.pdf offer.docx --docx chart.docx --xlsx chart.xlsx
      colde chart claims.pdf art1.pdf art2.pdf --json chart.json
      colde chart policy.docx handbook.docx --passages a:2-4 --csv chart.csv
    """
    outputs = Outputs(**targets)
    outputs.check((a, *others, *templates, *reviews))
    saved = {file: open_review(file) for file in reviews}

    from colde.comparison import pipeline
    from colde.comparison.claim_chart import claim_chart, named_passages
    from colde.comparison.standard_text import prepare_documents
    from colde.report.ledger_and_chart import chart_tables
    from colde.report.ledger_and_chart.chart_docx import to_docx

    with ProgressBar(settings) as bar:
        one, *rest = read_files(bar, (a, *others), password)
        template_texts = read_files(bar, templates, password)
        comparisons = []
        for other in rest:
            bar.stage(f"comparing with {other.source}")
            left, right = prepare_documents([one, other], include, template_texts, None)
            comparisons.append(pipeline.compare(left, right, MODEL, encoder=encoder, on_progress=bar))
        for file, review in saved.items():
            comparisons = _with_review(comparisons, file, review)
        bar.stage("listing counterparts")
        named = named_passages(one, passages["a"]) if passages else ()
        result = claim_chart(comparisons, rows, named)
    for comparison in comparisons:
        settings.note_comparison(comparison)
    if not outputs.any:
        chart_tables.print_chart(result, console())
        return
    outputs.write(
        settings,
        json=result.to_json,
        docx=lambda: to_docx(result),
        xlsx=lambda: chart_tables.to_xlsx(result),
        table=lambda: chart_tables.to_csv(result),
    )


def _with_review(comparisons: Sequence[Comparison], file: Path, review: Review) -> list[Comparison]:
    """The comparisons, that of the review's texts with its decisions.

    Raises:
        click.UsageError: it is a review of other texts.
    """
    fits = [review.fits(c.a, c.b) or review.fits(c.b, c.a) for c in comparisons]
    if not any(fits):
        raise click.UsageError(f"{file} is a review of other texts, or of another version of these")
    return [
        replace(c, review=decisions_of(file, review, c)) if fit else c
        for c, fit in zip(comparisons, fits, strict=True)
    ]
