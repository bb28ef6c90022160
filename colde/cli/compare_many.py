"""`colde compare DIR`, or three files and more: each document with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from colde.cli.compare_options import STANDARD_OUTPUT, CompareOptions
from colde.cli.options import Settings, checked_profile, console
from colde.cli.output_files import (
    check_inputs_kept,
    check_outputs,
    escape_control_characters,
    print_json,
    write_files,
    write_text,
)
from colde.cli.progress_bar import ProgressBar


@dataclass(frozen=True, slots=True)
class Outputs:
    """Paths of the results; None for what is not asked for.

    Attributes:
        drill: how many of the strongest pairs the HTML report holds in full.
    """

    json: Path | None
    html: Path | None
    csv: Path | None
    graphml: Path | None = None
    drill: int = 0

    @property
    def any(self) -> bool:
        """Whether a file is asked for, so that nothing is printed."""
        return any(target is not None for target in (self.json, self.html, self.csv, self.graphml))

    def check(self, inputs: Sequence[str | Path | None]) -> None:
        """Say now that an output cannot be written; raises click.UsageError."""
        files = (self.html, self.graphml, None if self.json == STANDARD_OUTPUT else self.json)
        check_outputs(inputs, *files)
        if self.csv is not None and self.csv.exists() and not self.csv.is_dir():
            raise click.UsageError(f"{self.csv} is a file: name a folder for the tables")


def write_tables(
    settings: Settings, folder: Path, tables: Iterable[tuple[str, str]], inputs: Sequence[str | Path | None]
) -> None:
    """Write the tables of a result, each with its name, into a folder, which is made where there is none."""

    def files() -> Iterator[tuple[Path, str]]:
        for name, table in tables:
            check_inputs_kept(inputs, [folder / name])
            yield folder / name, table

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be made: {error.strerror}") from error
    write_files(files())
    settings.note(f"wrote {folder}")


def compare_many(
    settings: Settings,
    paths: Sequence[str],
    names: tuple[str, ...] | None,
    options: CompareOptions,
    outputs: Outputs,
) -> None:
    """Compare all documents that the paths name with each other, and print or write what was found.

    Args:
        names: of the models that were asked for; None where none was.
    """
    from colde.comparison import pipeline
    from colde.comparison.all_pairs import compare_all, read_all
    from colde.corpus.document_sources import document_sources
    from colde.judge.reference import read_reference
    from colde.report.collection_html import collection_html
    from colde.report.collection_tables import collection_tables, to_graphml

    profile, inputs = options.profile, (*paths, options.reference)
    outputs.check(inputs)
    checked_profile(profile, names or ())
    with ProgressBar(settings) as bar:
        bar.stage("reading")
        documents, unread = read_all(
            list(document_sources(map(Path, paths))),
            include=options.include,
            password=options.password,
            on_progress=bar,
        )
        for error in unread:
            settings.note(f"skipped {error}")
        if unread and len(documents) < 2:
            raise unread[0]
        reference_set = read_reference(options.reference, bar) if options.reference is not None else None
        collection = compare_all(
            documents, names, profile, unread=unread, reference=reference_set, on_progress=bar
        )
        detailed_pairs = []
        for pair in collection.pairs[: outputs.drill if outputs.html is not None else 0]:
            a, b = (collection.documents[i] for i in (pair.a, pair.b))
            detailed_pairs.append(
                (pair.a, pair.b, pipeline.compare(a, b, collection.models, profile, reference=reference_set))
            )
    if not outputs.any:
        from colde.report.collection_terminal import print_collection

        print_collection(collection, console())
        return
    if outputs.csv is not None:
        write_tables(settings, outputs.csv, collection_tables(collection), inputs)
    if outputs.html is not None:
        write_text(outputs.html, collection_html(collection, detailed_pairs))
        settings.note(f"wrote {outputs.html}")
    if outputs.graphml is not None:
        write_text(outputs.graphml, to_graphml(collection))
        settings.note(f"wrote {outputs.graphml}")
    if outputs.json == STANDARD_OUTPUT:
        print_json(collection.to_json())
    elif outputs.json is not None:
        write_text(outputs.json, escape_control_characters(collection.to_json()))
        settings.note(f"wrote {outputs.json}")
