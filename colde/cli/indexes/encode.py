"""`colde encode`: the vectors of files, for other programs."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.cli import options
from colde.cli.output_files import (
    check_inputs_kept,
    escape_control_characters,
    indented_json,
    make_folder,
    write_files,
)
from colde.cli.progress_bar import ProgressBar
from colde.errors import ModelError, ReadError, skip_document
from colde.serialise import to_value

if TYPE_CHECKING:
    from colde.results.encoding import Encoding
    from colde.results.similarity_map import Array

LEVELS = ("document", "sections", "chunks")
SUFFIXES = (".json", *(f".{level}.npy" for level in LEVELS))


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@options.path_option("--output", "DIR", "Where the vectors go.", required=True)
@click.option(
    "--model",
    "name",
    default="colde",
    show_default=True,
    callback=options.registered_model,
    help="A model with document vectors.",
)
@options.password_option
@options.common_options
def encode(
    settings: options.Settings, files: tuple[str, ...], output: Path, name: str, password: str | None
) -> None:
    """Write document, section and chunk vectors of each FILE as .npy, with a JSON that says what each row is.

    For report.pdf, the files are report.pdf.document.npy [dimension], report.pdf.sections.npy [sections, dimension],
    report.pdf.chunks.npy [chunks, dimension] and report.pdf.json with the model, and the heading and span of each
    row in the text. A level for which the model has no vectors has no file, and is null in the JSON. A FILE that cannot
    be read or encoded is named and skipped; the exit status then is 3.

    \b
    Example:
      colde encode report.pdf draft.docx --output vectors
    """
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"{output} is a file: name a folder")
    options.warm_up_reader(*files)

    import colde.ingest
    from colde import models
    from colde.comparison.checks import check_comparable
    from colde.text.sections.parts_without_headings import split_into_parts

    failed: list[ReadError] = []
    with ProgressBar(settings) as bar:
        documents = []
        for file in files:
            bar.stage(f"reading {file}")
            with skip_document(Path(file).name, failed):
                document = colde.ingest.read(file, password=password)
                check_comparable(document)
                documents.append(document)
        stems = tuple(_unique_names(document.source for document in documents))
        check_inputs_kept(files, [output / f"{stem}{end}" for stem in stems for end in SUFFIXES])
        bar.stage(f"loading {name}")
        model = models.load(name)
        written: dict[Path, str | bytes] = {}
        for stem, document in zip(stems, documents, strict=True):
            bar.stage(f"encoding {document.source}")
            with skip_document(document.source, failed):
                (encoding,) = model.encode([split_into_parts(document)], on_progress=bar)
                if encoding.vector is None:
                    raise ModelError(f"{name} has no document vectors")
                files_of_document = _files(stem, encoding, models.info(name))
                written |= {output / file: content for file, content in files_of_document.items()}
    if written:
        make_folder(output)
        write_files(written.items())
        settings.note(f"wrote {len(written)} files to {output}")
    for error in failed[1:]:
        settings.note(f"skipped {error}")
    if failed:
        raise failed[0]


def _files(stem: str, encoding: Encoding, model: dict[str, Any]) -> dict[str, str | bytes]:
    """The files of a document, by their names."""
    arrays = dict(zip(LEVELS, (encoding.vector, encoding.sections, encoding.chunks), strict=True))
    names = {level: f"{stem}.{level}.npy" for level, array in arrays.items() if array is not None}
    about = indented_json(describe(encoding, model, names))
    vectors = {names[level]: _npy_bytes(array) for level, array in arrays.items() if array is not None}
    return {f"{stem}.json": escape_control_characters(about), **vectors}


def describe(encoding: Encoding, model: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The JSON beside the vectors of a document: the model that made them, and the passage of each row.

    Args:
        model: `colde.models.info` of it.
        names: file of each level that has vectors.
    """
    document = encoding.document
    assert encoding.vector is not None
    rows = {
        next(i for i, section in enumerate(document.sections) if section.start == span.start): row
        for row, span in enumerate(encoding.section_spans)
    }
    return {
        "version": 1,
        "model": model["name"],
        "checkpoint": next((p["checkpoint"] for p in model["profiles"].values()), None),
        "title": document.title,
        "source": document.source,
        "dimension": int(encoding.vector.shape[0]),
        "read": to_value(encoding.coverage),
        "files": {level: names.get(level) for level in LEVELS},
        "sections": [
            {"heading": document.sections[index].heading, "start": span.start, "end": span.end}
            for index, span in zip(rows, encoding.section_spans, strict=True)
        ],
        "chunks": [
            {"section": rows.get(c.section), "start": c.start, "end": c.end, "tokens": c.tokens}
            for c in encoding.chunk_spans
        ],
    }


def _unique_names(names: Iterable[str]) -> Iterator[str]:
    """Yield a name for the vectors of each file: its name, with a number where another folder has a file of it."""
    seen: set[str] = set()
    for name in names:
        stem, count = name, 2
        while stem in seen:
            stem, count = f"{name}-{count}", count + 1
        seen.add(stem)
        yield stem


def _npy_bytes(array: Array) -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
