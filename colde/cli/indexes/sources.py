"""`colde sources DOC --index DIR`: where the passages of a document come from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli import options
from colde.cli.indexes.index import report_added
from colde.cli.output_files import Outputs, check_formats
from colde.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from colde.index import Index
    from colde.index.sources.counted_sources import Sources
    from colde.index.sources.source_stretches import SourceExclusion


def _parse_exclusions(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[SourceExclusion, ...]:
    from colde.index.sources.source_stretches import parse_source_exclusions

    try:
        return parse_source_exclusions(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("file", metavar="DOC")
@click.option(
    "--index",
    "folder",
    type=options.location_parameter,
    metavar="DIR",
    required=True,
    help="The folder or URI of an index, or a folder of files, which are indexed for this search alone.",
)
@click.option(
    "--leave-out",
    metavar="WHAT,…",
    default="versions",
    show_default=True,
    callback=_parse_exclusions,
    help="What does not count: versions (documents of which DOC is a version), standard (sentences of the kind of "
    "document), quotes, references; or nothing.",
)
@click.option(
    "--fewest-words",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Only passages of N words and more count.",
)
@click.option("--exclude", multiple=True, metavar="NAME", help="A document of the index that does not count.")
@options.path_option("--json", "FILE|-", "Everything as JSON; - prints it and nothing else.")
@options.path_option("--html", "FILE", "One self-contained page, with the texts of the sources.")
@options.path_option("--docx", "FILE", "The report as a Word document.")
@options.path_option("--pdf", "FILE", "The report as PDF.")
@options.path_option("--csv", "DIR", "A folder of tables: sources, passages.")
@options.password_option
@options.common_options
def sources(
    settings: options.Settings,
    file: str,
    folder: Path | str,
    leave_out: tuple[SourceExclusion, ...],
    fewest_words: int,
    exclude: tuple[str, ...],
    password: str | None,
    **targets: Path | None,
) -> None:
    """Find the documents of an index that DOC shares passages with, those with the most words first.

    Every word counts once in the total, however many sources have it. A document that is the same as DOC, or a version
    of it, is named and does not count.

    \b
    Example:
      colde sources thesis.pdf --index papers.index
      colde sources thesis.pdf --index papers/ --pdf sources.pdf --leave-out versions,quotes
    """
    from colde import ingest

    outputs = Outputs(**targets)
    check_formats(outputs)
    outputs.check([file])
    with ProgressBar(settings) as bar:
        bar.stage(f"reading {file}")
        document = ingest.read(file, password=password)
        settings.note_warnings(document.source, document.warnings)
        with _index_of(settings, folder, bar) as index:
            bar.stage(f"searching {folder}")
            result = index.sources(document, leave_out=leave_out, fewest_words=fewest_words, on_progress=bar)
    if exclude:
        result = result.excluding(documents=_ids(result, exclude))
    if outputs.any:
        _write(settings, result, file, outputs)
        return
    from colde.report.sources.sources_terminal import print_sources

    print_sources(result, options.console())


@contextmanager
def _index_of(settings: options.Settings, folder: Path | str, bar: ProgressBar) -> Iterator[Index]:
    """The index, or one of the files of a folder that is kept until the search is done."""
    from colde.index import Index

    index = Index(folder)
    if index.exists or not isinstance(folder, Path) or not folder.is_dir():
        yield index
        return
    with tempfile.TemporaryDirectory(prefix="colde-") as temporary:
        index = Index(Path(temporary) / "folder.index")
        bar.stage(f"indexing {folder}")
        report_added(settings, index.add([folder], on_progress=bar))
        yield index


def _ids(result: Sources, names: tuple[str, ...]) -> tuple[str, ...]:
    """Ids of the result documents of these names or ids; raises `UsageError` for an unknown one."""
    ids: list[str] = []
    for name in names:
        named = [f.document.id for f in result.sharing if name in (f.document.name, f.document.id)]
        if not named:
            raise click.UsageError(f"{name} is no source of the document: leave it out of --exclude")
        ids += named
    return tuple(ids)


def _write(settings: options.Settings, result: Sources, file: str, outputs: Outputs) -> None:
    from colde.report.sources.sources_html import sources_html
    from colde.report.sources.sources_printed import sources_docx, sources_pdf
    from colde.report.sources.sources_tables import sources_tables

    outputs.write(
        settings,
        json=result.to_json,
        html=lambda: sources_html(result),
        docx=lambda: sources_docx(result),
        pdf=lambda: sources_pdf(result),
        tables=lambda: sources_tables(result),
        inputs=[file],
    )
