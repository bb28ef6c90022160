"""`colde compare`: two files, or many, on the terminal or into files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from colde.cli.common import Settings, checked_profile, common, console, start_reader, type_file
from colde.cli.compare_many import Outputs, compare_many, write_tables
from colde.cli.compare_options import STANDARD_OUTPUT, CompareOptions, compare_files, compare_options
from colde.cli.outputs import check_inputs_kept, harmless, print_json, write_text
from colde.cli.progress import ProgressBar
from colde.results.shared import EXCLUSIONS, Exclusion

if TYPE_CHECKING:
    from colde.report.review import Mark
    from colde.results.comparison import Comparison


def _exclusions(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[Exclusion, ...]:
    """The names in a comma list; an unknown one is a usage error."""
    asked = [x.strip() for x in (value or "").split(",") if x.strip()]
    unknown = [x for x in asked if x not in EXCLUSIONS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} cannot be left out; there are: {', '.join(EXCLUSIONS)}")
    return tuple(x for x in EXCLUSIONS if x in asked)


def _sentences(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int | None, int | None] | None:
    """The numbers of two sentences; those that add most where `strongest` is asked for."""
    if value is None or value == "strongest":
        return None if value is None else (None, None)
    a, colon, b = value.partition(":")
    if not (colon and a.isdecimal() and b.isdecimal()):
        raise click.BadParameter("name two sentences by their numbers, as 12:40, or say strongest")
    return int(a), int(b)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="A B | DIR | FILE FILE FILE…")
@compare_options
@click.option(
    "--leave-out",
    callback=_exclusions,
    metavar="quotes,references,boilerplate,small",
    help="Do not count these in the table of shared text.",
)
@click.option(
    "--words",
    "sentences",
    callback=_sentences,
    metavar="A:B|strongest",
    help="Take two sentences apart word by word: their numbers in contribution_sentence, or those that add most.",
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
@click.option(
    "--graphml",
    "graphml_to",
    type=type_file,
    metavar="FILE",
    help="Of many documents: the alike ones as a graph.",
)
@click.option(
    "--drill",
    type=click.IntRange(0, 50),
    default=0,
    metavar="N",
    help="Of many documents: the N strongest pairs in full in the HTML page.",
)
@click.option(
    "--review",
    "review_from",
    type=type_file,
    metavar="FILE",
    help="A review saved by the explorer: its decisions and notes go into --html and --annotate.",
)
@click.option(
    "--annotate",
    "annotate_to",
    type=type_file,
    metavar="DIR",
    help="A folder for the PDFs among A and B with their matches as highlights and numbered notes.",
)
@click.pass_context
@common
def compare(
    settings: Settings,
    context: click.Context,
    paths: tuple[str, ...],
    options: CompareOptions,
    leave_out: tuple[Exclusion, ...],
    sentences: tuple[int | None, int | None] | None,
    json_to: Path | None,
    html_to: Path | None,
    csv_to: Path | None,
    graphml_to: Path | None,
    drill: int,
    review_from: Path | None,
    annotate_to: Path | None,
) -> None:
    """Compare the files A and B: how alike they are, and where. Or every file of a folder with each other.

    Prints a report, or writes the files that --json, --html and --csv name.

    \b
    Example:
      colde compare report.pdf draft.docx
      colde compare report.pdf draft.docx --model colde,tfidf --json result.json --html result.html
      colde compare report.pdf draft.docx --include footnotes,captions
      colde compare a.pdf b.pdf --review a-and-b.review.json --annotate marked
      colde compare report.pdf draft.docx --leave-out quotes,small
      colde compare report.pdf draft.docx --prior .05
      colde compare report.pdf draft.docx --words strongest --json result.json
      colde compare papers/ --html papers.html --drill 3

    Of many documents, a file that cannot be read is named and skipped; clusters and reasons are by the first model,
    by default the first of the defaults alone.
    """
    outputs = Outputs(json_to, html_to, csv_to, graphml_to, drill)
    if len(paths) != 2 or any(Path(path).is_dir() for path in paths):
        if len(paths) == 1 and not Path(paths[0]).is_dir():
            raise click.UsageError("name two files or more, or a folder")
        asked = context.get_parameter_source("names") != ParameterSource.DEFAULT
        if sentences is not None:
            raise click.UsageError("--words is for two documents")
        compare_many(settings, paths, options.names if asked else None, options, outputs)
        return
    if graphml_to is not None or drill:
        raise click.UsageError("--graphml and --drill are for three documents and more")
    a, b = paths
    inputs = (a, b, options.reference)
    outputs.check(inputs)
    marks = _marks(review_from) if review_from is not None else ()
    if annotate_to is not None and annotate_to.exists() and not annotate_to.is_dir():
        raise click.UsageError(f"{annotate_to} is a file: name a folder for the PDFs")

    ready = start_reader(a, b)
    from colde.models.preload import Preload
    from colde.report.html import to_html

    checked_profile(options.profile, options.names)
    with ProgressBar(settings) as bar, Preload(options.names if ready else ()) as loader:
        comparison, judged_by = compare_files(bar, a, b, options, loader)
        if json_to is not None or html_to is not None:
            bar.stage("leaving passages out")
            from colde.match.pair_worth import with_worth

            comparison = with_worth(comparison, reference=judged_by, loader=loader)
        words = None
        if sentences is not None:
            bar.stage("taking two sentences apart")
            from colde.match.word_cells import word_cells

            words = word_cells(comparison, *sentences, reference=judged_by, loader=loader)

    if leave_out:
        from colde.explain.kinds import shared_text

        comparison = replace(comparison, shared=shared_text(comparison, leave_out))
    if annotate_to is not None:
        _annotate(settings, comparison, (a, b), marks, annotate_to, options.password)
    if json_to is None and html_to is None and csv_to is None and annotate_to is None:
        from colde.report.terminal import print_report

        print_report(comparison, console())
        if words is not None:
            from colde.report.words import print_words

            print_words(comparison, words, console())
        return
    for result in comparison.results:
        if result.profile not in (None, options.profile):
            settings.note(
                f"note: {result.title} has no profile {options.profile}; "
                f"its threshold is that of {result.profile}"
            )
    if csv_to is not None:
        from colde.report.tables import tables

        files = {csv_to / name: table for name, table in tables(comparison)}
        write_tables(settings, csv_to, files, inputs)
    if html_to is not None:
        write_text(html_to, to_html(comparison, marks))
        settings.note(f"wrote {html_to}")
    if words is not None:
        from colde.match.word_cells import with_words

        comparison = with_words(comparison, words)
    if json_to == STANDARD_OUTPUT:
        print_json(comparison.to_json())
    elif json_to is not None:
        write_text(json_to, harmless(comparison.to_json()))
        settings.note(f"wrote {json_to}")


def _marks(file: Path) -> Sequence[Mark]:
    from colde.report.review import ReviewError, from_json

    try:
        return from_json(file.read_bytes()).marks
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from error
    except ReviewError as error:
        raise click.UsageError(f"{file}: {error}") from error


def _annotate(
    settings: Settings,
    comparison: Comparison,
    files: tuple[str, str],
    marks: Sequence[Mark],
    folder: Path,
    password: str | None,
) -> None:
    """Write each PDF of the two with its matches on its pages."""
    from colde.ingest import sandbox
    from colde.report.annotated import notes
    from colde.report.review import matches

    found = matches(comparison, marks)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for side, name, document in (("a", files[0], comparison.a), ("b", files[1], comparison.b)):
            if document.format != "pdf":
                settings.note(f"note: {name} is no PDF; it has no pages to annotate")
                continue
            made = notes(comparison, found, "a" if side == "a" else "b")
            target = folder / f"{side}.{Path(name).stem}.annotated.pdf"
            check_inputs_kept(files, [target])
            target.write_bytes(sandbox.annotate_apart(Path(name).read_bytes(), name, made, password))
            settings.note(f"wrote {target} ({len(made)} notes)")
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be written: {error.strerror}") from error
