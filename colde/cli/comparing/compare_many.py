"""`colde compare DIR`: many documents, each with each, on the terminal or in files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from colde.cli.comparing.compare_options import CompareOptions, read_files
from colde.cli.options import Settings, checked_profile, console
from colde.cli.output_files import STANDARD_OUTPUT, Outputs, print_json
from colde.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from colde.errors import ReadError
    from colde.judge.reference import Reference
    from colde.results.collection import Collection, StrongPair
    from colde.results.comparison import Comparison
    from colde.text.document import Document


def compare_many(
    settings: Settings,
    paths: Sequence[str],
    names: tuple[str, ...] | None,
    options: CompareOptions,
    outputs: Outputs,
    drill: int,
) -> None:
    """Compare all documents that the paths name with each other, and print or write the result.

    Args:
        names: of the models that were asked for; None where none was.
        drill: how many of the strongest pairs the HTML report holds in full.
    """
    from colde.report.collection.collection_html import collection_html
    from colde.report.collection.collection_tables import collection_tables, to_graphml

    inputs = (*paths, *options.inputs)
    outputs.check(inputs)
    checked_profile(options.profile, names or ())
    with tempfile.TemporaryFile("w+", encoding="utf-8") as kept:
        lines = None if outputs.jsonl is None else PairLines(kept, outputs.jsonl)
        collection, detailed = _compare_all(
            settings, paths, names, options, lines, drill if outputs.html else 0
        )
        if not outputs.any:
            from colde.report.collection.collection_terminal import print_collection

            print_collection(collection, console())
            return
        for name, warning in collection.warnings:
            settings.note_warnings(name, [warning])
        outputs.write(
            settings,
            json=collection.json_pieces,
            jsonl=tuple if lines is None else lines.kept,
            html=lambda: collection_html(collection, detailed),
            tables=lambda: collection_tables(collection),
            graphml=lambda: to_graphml(collection),
            inputs=inputs,
        )


def _compare_all(
    settings: Settings,
    paths: Sequence[str],
    names: tuple[str, ...] | None,
    options: CompareOptions,
    lines: PairLines | None,
    drill: int,
) -> tuple[Collection, list[tuple[int, int, Comparison]]]:
    """The documents compared, and the full comparisons of the strongest pairs."""
    from colde.comparison.collections.all_pairs import compare_all
    from colde.judge.reference import read_reference

    with ProgressBar(settings) as bar:
        templates = read_files(bar, options.templates, options.password)
        documents, unread = _read_documents(settings, paths, options, bar)
        reference = read_reference(options.reference, bar) if options.reference is not None else None
        collection = compare_all(
            documents,
            names,
            options.profile,
            include=options.include,
            templates=templates,
            unread=unread,
            reference=reference,
            encoder=options.encoder,
            on_pair=None if lines is None else lines.of(documents),
            on_progress=bar,
        )
        for error in collection.unread[len(unread) :]:
            settings.note(f"skipped {error}")
        return collection, _compare_strongest(settings, collection, drill, options, reference)


class PairLines:
    """The lines of `--jsonl`: printed as pairs come, or kept until the file is written."""

    def __init__(self, kept: TextIO, target: Path) -> None:
        self._kept, self._printed = kept, target == STANDARD_OUTPUT

    def of(self, documents: Sequence[Document]) -> Callable[[StrongPair], None]:
        """Takes the pairs of these documents; the lines of the documents come before that of the first pair."""
        from colde.report.tables.json_lines import document_lines, pair_line

        before = document_lines(documents)
        return lambda pair: self._write([*before, pair_line(pair)])

    def _write(self, lines: Iterable[str]) -> None:
        if self._printed:
            print_json(lines, end="")
        else:
            self._kept.writelines(lines)

    def kept(self) -> Iterator[str]:
        """The lines that were not printed."""
        self._kept.seek(0)
        yield from self._kept


def _read_documents(
    settings: Settings, paths: Sequence[str], options: CompareOptions, bar: ProgressBar
) -> tuple[list[Document], list[ReadError]]:
    """The documents without the templates, and the errors of files that cannot be read, which are noted.

    Raises:
        ReadError: of the first file, where fewer than two could be read.
    """
    from colde.comparison.collections.all_pairs import read_all
    from colde.corpus.document_sources import FileSource, document_sources

    bar.stage("reading")
    templates = {Path(file).absolute() for file in options.templates}
    sources = [
        source
        for source in document_sources(map(Path, paths))
        if not (isinstance(source, FileSource) and source.path.absolute() in templates)
    ]
    documents, unread = read_all(
        sources,
        include=options.include,
        password=options.password,
        on_progress=bar,
    )
    for error in unread:
        settings.note(f"skipped {error}")
    if unread and len(documents) < 2:
        raise unread[0]
    return documents, unread


def _compare_strongest(
    settings: Settings,
    collection: Collection,
    count: int,
    options: CompareOptions,
    reference: Reference | None,
) -> list[tuple[int, int, Comparison]]:
    """The full comparisons of the strongest pairs; one that raises an exception is noted and left out."""
    from colde.comparison import pipeline
    from colde.errors import skip_document

    detailed = []
    failed: list[ReadError] = []
    for pair in collection.pairs[:count]:
        a, b = (collection.documents[i] for i in (pair.a, pair.b))
        with skip_document(f"{a.source} and {b.source}", failed):
            comparison = pipeline.compare(
                a, b, collection.models, options.profile, reference=reference, encoder=options.encoder
            )
            detailed.append((pair.a, pair.b, comparison))
    for error in failed:
        settings.note(f"no full report of {error}")
    return detailed
