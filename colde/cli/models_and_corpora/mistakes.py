"""`colde mistakes`: where a model is wrong on labelled pairs of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.cli import options
from colde.cli.models_and_corpora.labelled_pairs import LabelledPairs
from colde.cli.output_files import Outputs, indented_json
from colde.cli.progress_bar import ProgressBar
from colde.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console


@click.command()
@click.argument("corpus", type=options.path_parameter)
@options.path_option("--pairs", "TSV", "Labelled pairs; default: valid.tsv of the corpus.")
@options.path_option(
    "--trained", "TSV", "The pairs that the model was trained on; default: train.tsv, if it exists."
)
@options.model_option()
@options.fitted_profile_option
@options.path_option("--json json_path", "FILE", "For the page Known errors.")
@options.common_options
def mistakes(
    settings: options.Settings,
    corpus: Path,
    pairs: Path | None,
    trained: Path | None,
    names: tuple[str, ...],
    profile: str,
    json_path: Path | None,
) -> None:
    """Show where a model is wrong: its most confident mistakes, and what mistakes have in common.

    CORPUS is a folder with documents.jsonl.gz and valid.tsv. If several models are named, the first one is used.
    The file holds figures, titles and small maps, no text; the explorer shows it on the page "Known errors".

    \b
    Example:
      colde mistakes corpora/papers --model colde --profile papers --json mistakes.json
    """
    outputs = Outputs(json=json_path)
    outputs.check((corpus / "documents.jsonl.gz",))

    from colde.corpus.corpus_folder import read_pairs
    from colde.evaluation.known_errors import JudgedPairs, draw_maps_with, traits_of
    from colde.evaluation.known_errors import mistakes as known_errors

    options.checked_profile(profile, names)
    name = names[0]
    with ProgressBar(settings) as bar:
        without_labels = f"{corpus}: no pair has a label, so nothing can be wrong"
        labelled = LabelledPairs(corpus, pairs or corpus / "valid.tsv", without_labels, bar)
        training = trained or corpus / "train.tsv"
        seen = {n for p in read_pairs(training) for n in (p.source, p.target)} if training.is_file() else None
        model = labelled.judged_by(name, profile, None, bar)
        try:
            judged = JudgedPairs.of(model.pairs, model.scores, model.judged)
        except ValueError as error:
            raise ModelError(f"{name}: {error}") from None
        for skipped in model.skipped:
            settings.note(f"pairs are left out: {skipped}")
        bar.stage("analysing the mistakes")
        traits = traits_of(model.pairs, labelled.document, None if seen is None else frozenset(seen))
        draw = draw_maps_with(model.matcher, labelled.document)
        result = known_errors(judged, traits, draw, labelled.document)
    _print_mistakes(result, options.console())
    figures = {"models": {name: {"title": model.matcher.card.title, "profiles": {profile: result}}}}
    outputs.write(settings, json=lambda: indented_json(figures) + "\n")


def _print_mistakes(result: Mapping[str, Any], console: Console) -> None:
    from rich.text import Text

    from colde.evaluation.known_errors import TRAITS
    from colde.report.formatting import clean, plain_table, shorten

    related, pairs = result["related"], result["pairs"]
    console.print(
        f"{result['missed']} of {related:,} related pairs missed, {result['called']} of {pairs - related:,} unrelated "
        "pairs called related."
    )
    console.print()
    table = plain_table("labelled", "#probability", "A", "B")
    for mistake in result["shown"]:
        titles = (Text(shorten(clean(title), 44)) for title in mistake["titles"])
        table.add_row(mistake["label"], f"{mistake['probability']:.2f}", *titles)
    console.print(table)
    console.print()
    table = plain_table("", "#from", "#to", "#missed", "#called")
    for name, groups in result["common"].items():
        for k, group in enumerate(groups):
            shares = (_share(group[sort]) for sort in ("missed", "called"))
            table.add_row("" if k else TRAITS[name], f"{group['from']:g}", f"{group['to']:g}", *shares)
    console.print(table)


def _share(group: Mapping[str, Any]) -> str:
    return f"{group['wrong']} of {group['of']}"
