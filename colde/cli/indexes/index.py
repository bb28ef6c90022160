"""`colde index`: a collection of documents on disk, and the documents in it that are most like a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from colde.cli import options
from colde.cli.output_files import print_json
from colde.cli.progress_bar import ProgressBar
from colde.serialise import json_pieces

if TYPE_CHECKING:
    from rich.console import Console

    from colde.index import Added, Hit

TITLE_WIDTHS = (10, 60)
"""Least and most characters of a title in a list, where names are never cut."""

OTHER_COLUMNS_WIDTH = 32
"""Characters of the other columns of a list."""

index_option = click.option(
    "--index",
    "folder",
    type=options.location_parameter,
    metavar="DIR",
    required=True,
    help="The folder of the index, or its URI on object storage (s3://BUCKET/NAME, gs://, az://).",
)


@click.group()
def index() -> None:
    """Keep documents in an index, and find those that are most like a file.

    \b
    Example:
      colde index add papers/ --index papers.index
      colde index search draft.pdf --index papers.index
    """


@index.command()
@click.argument("paths", nargs=-1, required=True, type=options.path_parameter, metavar="PATH…")
@index_option
@options.path_option(
    "--manifest",
    "FILE",
    "Keeps what was read here, so that the next run opens only files that are new or have changed.",
)
@options.encoder_option
@options.password_option
@options.common_options
def add(
    settings: options.Settings,
    paths: tuple[Path, ...],
    folder: Path | str,
    manifest: Path | None,
    encoder: str,
    password: str | None,
) -> None:
    """Add files, folders, corpora, or .jsonl files of records to the index DIR, which is created if it does not exist.

    Files are recognised by their content: adding one twice changes nothing. If the command is stopped, run it
    again: it continues where it stopped. A file that cannot be read is named and skipped. An index keeps the encoder
    that it was made with.

    \b
    Example:
      colde index add report.pdf papers/ records.jsonl.gz --index papers.index
      colde index add archive/ --index archive.index --manifest archive.manifest
    """
    from colde.index import Index

    with ProgressBar(settings) as bar:
        bar.stage(f"opening {folder}")
        added = Index(folder, encoder=encoder).add(
            paths, password=password, manifest=manifest, on_progress=bar
        )
    report_added(settings, added)


def report_added(settings: options.Settings, result: Added) -> None:
    """Note what was skipped, and how many files were added.

    Raises:
        ReadError: of the first file, where none could be read.
    """
    for file in result.unread:
        settings.note(f"skipped {file.error}")
    for name, warning in result.warnings:
        settings.note_warnings(name, [warning])
    if result.unread and not result.added and not result.known:
        raise result.unread[0].error
    known = f", {len(result.known):,} already indexed" if result.known else ""
    skipped = f", {len(result.unread):,} skipped" if result.unread else ""
    settings.note(f"added {len(result.added):,}{known}{skipped}")


@index.command(name="list")
@index_option
@options.json_flag("The documents as JSON, and nothing else.")
@options.common_options
def list_(settings: options.Settings, folder: Path | str, as_json: bool) -> None:
    """List the documents of the index DIR by name.

    \b
    Example:
      colde index list --index papers.index
    """
    from colde.index import Index

    documents = Index(folder).documents()
    if as_json:
        print_json(json_pieces({"documents": documents}))
        return
    from rich.table import Column
    from rich.text import Text

    from colde.report.formatting import clean, plain_table, shorten

    table = plain_table(
        Column("name", overflow="fold"),
        Column("title", no_wrap=True),
        Column("sections", justify="right", no_wrap=True),
        Column("chunks", justify="right", no_wrap=True),
        Column("id", style="dim", no_wrap=True),
    )
    out = options.console()
    title_width = out.width - max((len(d.name) for d in documents), default=0) - OTHER_COLUMNS_WIDTH
    for d in documents:
        table.add_row(
            Text(clean(d.name)),
            Text(shorten(clean(d.title), min(max(title_width, TITLE_WIDTHS[0]), TITLE_WIDTHS[1]))),
            str(d.sections),
            str(d.chunks),
            d.id[:8],
        )
    out.print(table)


@index.command()
@click.argument("file")
@index_option
@click.option(
    "--limit", type=click.IntRange(1, 1_000), default=10, show_default=True, metavar="N", help="Hits."
)
@click.option(
    "--by",
    "level",
    type=click.Choice(["document", "passage"]),
    default="document",
    show_default=True,
    help="Compare whole documents, or find documents with a passage that is like FILE or a part of it.",
)
@click.option("--where", metavar="CONDITION", help="Only documents for which this holds: \"format = 'pdf'\".")
@options.profile_option
@options.json_flag("The hits as JSON, and nothing else.")
@options.password_option
@options.common_options
def search(
    settings: options.Settings,
    file: str,
    folder: Path | str,
    limit: int,
    level: str,
    where: str | None,
    profile: str,
    as_json: bool,
    password: str | None,
) -> None:
    """Find the documents of the index DIR that are most like FILE, with the passages they share.

    Conditions name the columns name, folder, format and modified (YYYY-MM-DD), in SQL.

    \b
    Example:
      colde index search draft.pdf --index papers.index --limit 5
      colde index search paragraph.txt --index papers.index --by passage
    """
    from colde import ingest
    from colde.index import Index

    with ProgressBar(settings) as bar:
        bar.stage(f"reading {file}")
        document = ingest.read(file, password=password)
        settings.note_warnings(document.source, document.warnings)
        bar.stage(f"searching {folder}")
        hits = Index(folder).search(
            document,
            limit=limit,
            level="passage" if level == "passage" else "document",
            where=where,
            profile=profile,
            on_progress=bar,
        )
    if as_json:
        print_json(json_pieces({"hits": [h.to_dict() for h in hits]}))
    else:
        _print_hits(hits, options.console())


def _print_hits(hits: list[Hit], to: Console) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from colde.report.formatting import clean, shorten
    from colde.results.verdicts.verdict_words import percent_or_dash

    if not hits:
        to.print("nothing found")
    for number, hit in enumerate(hits, 1):
        likely = (
            "" if hit.probability is None else f", {hit.says}, {percent_or_dash(hit.probability)} related"
        )
        likely += f", no verdict: {hit.no_verdict}" if hit.no_verdict else ""
        title = f"  {clean(hit.document.title)}" if hit.document.title else ""
        line = Text(f"{number}. ")
        line.append(clean(hit.document.name), style="bold")
        line.append(f"{title}  ").append(f"{hit.score:z.2f}{likely}", style="dim")
        to.print(line)
        for passage in hit.passages:
            place = f"{clean(passage.section)}: " if passage.section else ""
            words = Text(place, style="dim").append(shorten(clean(passage.text), 200), style="not dim")
            to.print(Padding(words, (0, 0, 0, 4)))


@index.command()
@click.argument("name")
@index_option
@options.common_options
def remove(settings: options.Settings, name: str, folder: Path | str) -> None:
    """Remove the document NAME, or the one of this id, from the index DIR.

    \b
    Example:
      colde index remove report.pdf --index papers.index
    """
    from colde.index import Index

    settings.note(f"removed {Index(folder).remove(name).name}")


@index.command()
@click.argument("name")
@click.argument("new_name")
@index_option
@options.common_options
def rename(settings: options.Settings, name: str, new_name: str, folder: Path | str) -> None:
    """Give the document NAME, or the one of this id, another name in the index DIR.

    \b
    Example:
      colde index rename scan-17.pdf smith-2021.pdf --index papers.index
    """
    from colde.index import Index

    settings.note(f"renamed {name} to {Index(folder).rename(name, new_name).name}")


@index.command()
@index_option
@options.json_flag("The numbers as JSON, and nothing else.")
@options.common_options
def stats(settings: options.Settings, folder: Path | str, as_json: bool) -> None:
    """Show how much the index DIR contains, and what it was made with.

    \b
    Example:
      colde index stats --index papers.index
    """
    from colde.index import Index

    size = Index(folder).stats()
    if as_json:
        print_json(size.to_json())
        return
    from colde.report.formatting import counted

    counts = ((size.documents, "document"), (size.sections, "section"), (size.chunks, "chunk"))
    click.echo(f"{', '.join(counted(number, noun) for number, noun in counts)}, {size.bytes / 1e6:,.1f} MB")
    click.echo(
        f"made with {size.model}, encoder {size.encoder}, weights {size.weights[:12]}, index format {size.version}"
    )


@index.command()
@index_option
@options.common_options
def rebuild(settings: options.Settings, folder: Path | str) -> None:
    """Encode the documents of the index DIR anew with the weights of this version, from the texts it holds.

    \b
    Example:
      colde index rebuild --index papers.index
    """
    from colde.index import Index

    with ProgressBar(settings) as bar:
        rebuilt = Index(folder).rebuild(on_progress=bar)
    settings.note(f"encoded {len(rebuilt.added) + len(rebuilt.known):,} documents again")
