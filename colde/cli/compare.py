"""`colde compare`: two files, on the terminal or into files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from colde.cli.common import (
    Settings,
    checked_profile,
    common,
    console,
    include_option,
    model_option,
    password_option,
    profile_option,
    reference_option,
    type_file,
)
from colde.cli.outputs import check_inputs_kept, check_outputs, harmless, print_json, write_text, write_texts
from colde.cli.progress import ProgressBar
from colde.results.shared import EXCLUSIONS, Exclusion
from colde.text.document import Role

STANDARD_OUTPUT = Path("-")


def _exclusions(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[Exclusion, ...]:
    """The names in a comma list; an unknown one is a usage error."""
    asked = [x.strip() for x in (value or "").split(",") if x.strip()]
    unknown = [x for x in asked if x not in EXCLUSIONS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} cannot be left out; there are: {', '.join(EXCLUSIONS)}")
    return tuple(x for x in EXCLUSIONS if x in asked)


@click.command()
@click.argument("a")
@click.argument("b")
@model_option()
@profile_option
@reference_option
@include_option
@click.option(
    "--leave-out",
    callback=_exclusions,
    metavar="quotes,references,boilerplate,small",
    help="Do not count these in the table of shared text.",
)
@click.option(
    "--json",
    "json_to",
    type=type_file,
    metavar="FILE|-",
    help="Everything as JSON; - prints it and nothing else.",
)
@click.option("--html", "html_to", type=type_file, metavar="FILE", help="One self-contained page.")
@click.option(
    "--csv", "csv_to", type=type_file, metavar="DIR", help="A folder of tables: scores, evidence, maps."
)
@password_option
@common
def compare(
    settings: Settings,
    a: str,
    b: str,
    names: tuple[str, ...],
    profile: str,
    reference: Path | None,
    include: tuple[Role, ...],
    leave_out: tuple[Exclusion, ...],
    json_to: Path | None,
    html_to: Path | None,
    csv_to: Path | None,
    password: str | None,
) -> None:
    """Compare the files A and B: how alike they are, and where.

    Prints a report, or writes the files that --json, --html and --csv name.

    \b
    Example:
      colde compare report.pdf draft.docx
      colde compare report.pdf draft.docx --model colde,tfidf --json result.json --html result.html
      colde compare report.pdf draft.docx --include footnotes,captions
      colde compare report.pdf draft.docx --leave-out quotes,small
    """
    inputs = (a, b, reference)
    check_outputs(inputs, html_to, None if json_to == STANDARD_OUTPUT else json_to)
    if csv_to is not None and csv_to.exists() and not csv_to.is_dir():
        raise click.UsageError(f"{csv_to} is a file: name a folder for the tables")

    from colde import ingest
    from colde.judge.reference import read_reference
    from colde.match import pipeline
    from colde.report.html import to_html
    from colde.text import structure

    checked_profile(profile, names)
    with ProgressBar(settings) as bar:
        bar.stage(f"reading {a}")
        document_a = ingest.read(a, password=password)
        bar.stage(f"reading {b}")
        document_b = ingest.read(b, password=password)
        judged_by = read_reference(reference, bar) if reference is not None else None
        bar.stage("comparing")
        document_a, document_b = (structure.include(d, include) for d in (document_a, document_b))
        comparison = pipeline.compare(
            document_a, document_b, names, profile, reference=judged_by, on_progress=bar
        )

    if leave_out:
        from colde.explain.kinds import shared_text

        comparison = replace(comparison, shared=shared_text(comparison, leave_out))
    if json_to is None and html_to is None and csv_to is None:
        from colde.report.terminal import print_report

        print_report(comparison, console())
        return
    for result in comparison.results:
        if result.profile not in (None, profile):
            settings.note(
                f"note: {result.title} has no profile {profile}; its threshold is that of {result.profile}"
            )
    if csv_to is not None:
        from colde.report.tables import tables

        files = {csv_to / name: table for name, table in tables(comparison)}
        check_inputs_kept(inputs, files)
        try:
            csv_to.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.UsageError(f"{csv_to} cannot be made: {error.strerror}") from error
        write_texts(files)
        settings.note(f"wrote {csv_to}")
    if html_to is not None:
        write_text(html_to, to_html(comparison))
        settings.note(f"wrote {html_to}")
    if json_to == STANDARD_OUTPUT:
        print_json(comparison.to_json())
    elif json_to is not None:
        write_text(json_to, harmless(comparison.to_json()))
        settings.note(f"wrote {json_to}")
