"""A reference: a folder of documents without labels, against which a pair is judged instead of a profile's corpus.

Two papers of one narrow subject score high because of the subject. The reference gives the centre of such documents
and the scores of its unrelated pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from colde import ingest
from colde.corpus.corpus_folder import documents_file, read_records, record_to_document
from colde.errors import ModelError, ReadError, skip_document
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document

MOST = 200  # documents, evenly spread over the folder: enough for a spread within a few per cent
FEWEST = 10


@dataclass(frozen=True, slots=True)
class Reference:
    """The documents that are read of a folder.

    Attributes:
        name: the folder's name.
        documents: at most `MOST`.
        unread: names of files that could not be read.
        applied: what was computed from it, stored for the next pair: models fitted to it (`comparison.fitted_model`)
            and hashes of its words (`comparison.known_text`).
    """

    name: str
    documents: tuple[Document, ...]
    unread: tuple[str, ...] = ()
    applied: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name} ({len(self.documents)} documents)"


def read_reference(folder: Path, on_progress: OnProgress | None = None) -> Reference:
    """Documents of a corpus folder (documents.jsonl.gz or documents.jsonl), or of the files in a folder.

    Raises:
        ModelError: no such folder, or fewer than `FEWEST` documents in it can be read.
    """
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such folder; a reference is a folder of files, or a corpus folder")
    if documents_file(folder) is not None:
        readers = [
            (name, lambda record=record: record_to_document(record)) for name, record in read_records(folder)
        ]
    else:
        files = sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
        readers = [(path.name, lambda path=path: ingest.read(path)) for path in files]
    return _check_size(str(folder), _read(folder.resolve().name, readers, on_progress))


def reference_from_files(
    name: str, files: Sequence[tuple[str, bytes]], on_progress: OnProgress | None = None
) -> Reference:
    """Documents of files in memory, as `read_reference` makes them of a folder that holds the same files.

    Args:
        name: what the reference is called.
        files: name, with the suffix of its type, and bytes of each.

    Raises:
        ModelError: fewer than `FEWEST` documents can be read.
    """
    readers = [
        (called, lambda called=called, data=data: ingest.read(data, name=called))
        for called, data in sorted(files, key=lambda file: file[0])
    ]
    return _check_size(name, _read(name, readers, on_progress))


def _read(
    name: str, readers: Sequence[tuple[str, Callable[[], Document]]], on_progress: OnProgress | None
) -> Reference:
    """Read documents spread evenly over these files; name those that cannot be read."""
    documents: list[Document] = []
    unread: list[ReadError] = []
    for n, i in enumerate(_spread(len(readers))):
        called, read = readers[i]
        if on_progress is not None:
            on_progress(Progress(Stage.REFERENCE, n, min(MOST, len(readers))))
        with skip_document(called, unread):
            documents.append(read())
    return Reference(name, tuple(documents), tuple(error.source for error in unread))


def _check_size(place: str, reference: Reference) -> Reference:
    """The reference, if it is large enough.

    Raises:
        ModelError: it has fewer than `FEWEST` documents.
    """
    count = len(reference.documents)
    if count < FEWEST:
        raise ModelError(f"{place}: {count} documents can be read, but a reference needs at least {FEWEST}")
    return reference


def _spread(count: int) -> list[int]:
    """At most `MOST` of so many positions, evenly spread."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(MOST, count))}) if count else []
