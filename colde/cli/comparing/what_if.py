"""`colde what-if`: two files compared again without some of their sections."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import click

from colde.cli.comparing.compare_options import CompareOptions, compare_files, compare_options
from colde.cli.options import Settings, checked_profile, common_options, console, path_option
from colde.cli.output_files import Outputs
from colde.cli.progress_bar import ProgressBar
from colde.comparison.part_notation import Parts, parse_parts
from colde.serialise import json_pieces


def parts_option(context: click.Context, parameter: click.Parameter, value: str | None) -> Parts | None:
    """Callback of an option that names passages."""
    try:
        return None if value is None else parse_parts(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("what-if")
@click.argument("a")
@click.argument("b")
@click.option(
    "--without",
    metavar="a:SECTIONS,b:SECTIONS",
    callback=parts_option,
    help="Leave these out: a:3,b:7-9, a:3.2, or a@120-245.",
)
@click.option(
    "--only", metavar="a:SECTIONS,b:SECTIONS", callback=parts_option, help="Leave out all but these."
)
@click.option(
    "--smallest",
    is_flag=True,
    help="Search for the fewest chunks whose removal flips the verdict of the first model.",
)
@click.option(
    "--enough",
    is_flag=True,
    help="Search for the fewest sections that alone keep the verdict of the first model.",
)
@compare_options
@path_option("--json json_path", "FILE|-", "Scores before and after; - prints them.")
@common_options
def what_if(
    settings: Settings,
    a: str,
    b: str,
    without: Parts | None,
    only: Parts | None,
    smallest: bool,
    enough: bool,
    options: CompareOptions,
    json_path: Path | None,
) -> None:
    """Compare A and B with and without some of their sections: how much did these add to the score?

    Sections are counted from 0, as colde read shows them; a:3.2 is chunk 2 of section 3, counted from 0 as well. A
    file without headings is compared in parts, which are counted likewise. a@120-245 are characters of the text, from
    120 up to 245: a sentence, or any passage of colde compare --json.

    \b
    Example:
      colde what-if report.pdf draft.docx --without a:3,b:7-9
      colde what-if report.pdf draft.docx --only a:3 --model colde,tfidf --json result.json
      colde what-if report.pdf draft.docx --smallest
      colde what-if report.pdf draft.docx --enough
    """
    if sum((without is not None, only is not None, smallest, enough)) != 1:
        raise click.UsageError("name what to leave out: one of --without, --only, --smallest and --enough")
    outputs = Outputs(json=json_path)
    outputs.check((a, b, *options.inputs))

    from colde import models
    from colde.comparison.questions import what_if as again

    checked_profile(options.profile, options.names)
    load = cache(models.load)
    with ProgressBar(settings) as bar:
        before, reference_set = compare_files(bar, a, b, options, load)
        bar.stage("comparing again")
        if smallest or enough:
            search = again.smallest if smallest else again.enough
            result = search(before, reference=reference_set, on_progress=bar, loader=load)
        else:
            parts = without if without is not None else only or {}
            result = again.without(
                before,
                parts["a"],
                parts["b"],
                only=only is not None,
                reference=reference_set,
                on_progress=bar,
                loader=load,
            )
    settings.note_comparison(before)
    if outputs.any:
        outputs.write(settings, json=lambda: json_pieces(result.to_dict()))
        return
    from colde.report.terminal.what_if_terminal import print_what_if

    print_what_if(result, console())
