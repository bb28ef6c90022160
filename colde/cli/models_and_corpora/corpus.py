"""`colde corpus`: corpora of labelled pairs, as `colde train`, `fit`, `score` and `evaluate` read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli.options import Settings, common_options, path_option, path_parameter
from colde.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from colde.corpus.corpus_builder import BuiltCorpus

MAX_LISTED_NAMES = 5
"""Names of missing files that one note lists."""


@click.group()
def corpus() -> None:
    """Make corpora of labelled pairs of documents.

    \b
    Example:
      colde corpus make reports/ pairs.tsv --output corpora/reports
    """


@corpus.command()
@click.argument("folder", type=path_parameter)
@click.argument("pairs", type=path_parameter, metavar="PAIRS.tsv")
@path_option("--output", "DIR", "The corpus folder to write.", required=True)
@click.option(
    "--validation",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    metavar="SHARE",
    help="Share of the documents whose pairs are kept for validation.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the choice of these documents.")
@click.option("--force", is_flag=True, help="Overwrite a corpus in a folder that is not empty.")
@common_options
def make(
    settings: Settings, folder: Path, pairs: Path, output: Path, validation: float, seed: int, force: bool
) -> None:
    """Make a corpus from the files in FOLDER and a table of labelled pairs of them.

    PAIRS.tsv is tab separated, with the header source, target, label: two paths below FOLDER, and 1 for similar, 0 for
    not. The pairs are divided by documents: no document is in a training pair and in a validation pair. If the
    table has a column split (train, valid, test), that is used. docs/corpus_format.md describes the folder.

    \b
    Example:
      colde corpus make reports/ pairs.tsv --output corpora/reports
      colde evaluate --corpus corpora/reports --pairs corpora/reports/valid.tsv --model colde,tfidf
    """
    if not folder.is_dir():
        raise click.UsageError(f"{folder} is no folder")
    from colde.corpus.corpus_builder import build_corpus
    from colde.results.progress import Progress, Stage

    with ProgressBar(settings) as bar:
        built = build_corpus(
            folder,
            pairs,
            output,
            validation=validation,
            seed=seed,
            force=force,
            on_file=lambda name, done, total: bar(Progress(Stage.DOCUMENTS, done, total, subject=name)),
        )
    _print_notes(settings, built)
    click.echo(f"{output}: {built.documents:,} documents")
    for split, split_pairs in built.pairs.items():
        similar = sum(pair.label == 1 for pair in split_pairs)
        click.echo(f"{split}.tsv: {len(split_pairs):,} pairs, {similar:,} of them similar")


def _print_notes(settings: Settings, built: BuiltCorpus) -> None:
    """Which files and pairs the corpus does not hold, and why."""
    for error in built.unreadable:
        settings.note(f"note: left out: {error}")
    if built.missing:
        names = ", ".join(built.missing_names[:MAX_LISTED_NAMES])
        more = ", …" if len(built.missing_names) > MAX_LISTED_NAMES else ""
        settings.note(
            f"note: {built.missing:,} pairs left out, since a file is missing or unread: {names}{more}"
        )
    if built.divided:
        settings.note(
            f"note: {built.divided:,} pairs left out, since one of their documents is for training and the other for "
            "validation"
        )
    if built.seen:
        settings.note(
            f"note: {built.seen:,} validation pairs have a document that is in a training pair, too"
        )
    for split in ("train", "valid"):
        if not built.pairs.get(split):
            settings.note(f"note: there is no {split}.tsv, because no pair belongs to it")
