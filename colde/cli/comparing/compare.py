"""`colde compare`: two files, or many, on the terminal or into files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from colde.cli.comparing.compare_many import compare_many
from colde.cli.comparing.compare_options import CompareOptions, compare_options
from colde.cli.comparing.compare_pair import PairOptions, SentencePair, compare_pair
from colde.cli.options import Settings, common_options, path_option, split_list
from colde.cli.output_files import Outputs, output_options

if TYPE_CHECKING:
    from colde.results.shared_text import Exclusion


def _parse_exclusions(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[Exclusion, ...]:
    from colde.results.shared_text import EXCLUSIONS

    asked = split_list(value)
    unknown = [x for x in asked if x not in EXCLUSIONS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} cannot be left out; there are: {', '.join(EXCLUSIONS)}")
    return tuple(x for x in EXCLUSIONS if x in asked)


def _parse_sentences(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> SentencePair | None:
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
    callback=_parse_exclusions,
    metavar="quotes,references,boilerplate,small",
    help="Do not count these in the table of shared text.",
)
@click.option(
    "--words",
    "sentences",
    callback=_parse_sentences,
    metavar="A:B|strongest",
    help=(
        "Explain the contribution of two sentences word by word: their numbers in contribution_sentence, or "
        "strongest for the two that add most."
    ),
)
@output_options
@click.option(
    "--matrix-map",
    metavar="[MODEL.]MAP",
    help="The map that --matrix draws: section, chunk, passages, …; by default the sections of the first model.",
)
@click.option(
    "--drill",
    type=click.IntRange(0, 50),
    default=0,
    metavar="N",
    help="For many documents: put the full reports of the N strongest pairs into the HTML page.",
)
@path_option(
    "--review review_path",
    "FILE",
    "A review saved by the explorer: its decisions and notes go into every output.",
)
@path_option(
    "--annotate annotate_folder",
    "DIR",
    "A folder for the PDFs among A and B with their shared passages as highlights and numbered notes.",
)
@click.pass_context
@common_options
def compare(
    settings: Settings,
    context: click.Context,
    paths: tuple[str, ...],
    options: CompareOptions,
    leave_out: tuple[Exclusion, ...],
    sentences: SentencePair | None,
    outputs: Outputs,
    matrix_map: str | None,
    drill: int,
    review_path: Path | None,
    annotate_folder: Path | None,
) -> None:
    """Compare the files A and B: how similar they are, and where. Or compare all files of a folder with each other.

    Prints a report, or writes the files that --json, --jsonl, --html, --docx, --pdf, --csv and --matrix name.

    \b
    Example:
      colde compare report.pdf draft.docx
      colde compare report.pdf draft.docx --model colde,tfidf --json result.json --html result.html
      colde compare report.pdf draft.docx --review report-and-draft.review.json --docx review.docx --pdf review.pdf
      colde compare report.pdf draft.docx --matrix chunks.svg --matrix-map chunk
      colde compare report.pdf draft.docx --include footnotes,captions
      colde compare a.pdf b.pdf --review a-and-b.review.json --annotate marked
      colde compare report.pdf draft.docx --leave-out quotes,small
      colde compare report.pdf draft.docx --template form.docx
      colde compare report.pdf draft.docx --prior 0.05
      colde compare report.pdf draft.docx --words strongest --json result.json
      colde compare papers/ --html papers.html --drill 3
      colde compare homework/ --template cover.docx

    With many documents, a file that cannot be read is named and skipped. Clusters and reasons come from the first
    model. By default, only the first of the default models is used.
    """
    if "" in paths:
        raise click.UsageError("the name of a document is empty")
    if len(paths) != 2 or any(Path(path).is_dir() for path in paths):
        if len(paths) == 1 and not Path(paths[0]).is_dir():
            raise click.UsageError("name two files or more, or a folder")
        asked = context.get_parameter_source("names") != ParameterSource.DEFAULT
        if sentences is not None:
            raise click.UsageError("--words is for two documents")
        if any((outputs.docx, outputs.pdf, outputs.matrix)):
            raise click.UsageError("--docx, --pdf and --matrix are for two documents")
        compare_many(settings, paths, options.names if asked else None, options, outputs, drill)
        return
    if outputs.graphml is not None or drill:
        raise click.UsageError("--graphml and --drill are for three documents and more")
    pair = PairOptions(leave_out, sentences, review_path, annotate_folder, matrix_map)
    compare_pair(settings, (paths[0], paths[1]), options, outputs, pair)
