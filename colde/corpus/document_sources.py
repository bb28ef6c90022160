"""The documents that paths on a command line name: files, everything in a folder, or a corpus."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from colde import ingest
from colde.corpus.corpus_folder import (
    documents_file,
    is_records_file,
    record_to_document,
    records_of_file,
)
from colde.text.document import Document

DATA_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".csv", ".tsv"})
"""Suffixes of data, which often lies beside documents and would be read as plain text; no format has one of them."""


class DocumentSource(Protocol):
    """One document that can be read.

    Attributes:
        name: what it is called: the file's path below the folder that was named, or the record's id.
    """

    @property
    def name(self) -> str: ...

    def digest(self) -> str:
        """SHA-256 of the bytes it is read from.

        Raises:
            ReadError: the file cannot be opened.
        """
        ...

    def modified(self) -> str | None:
        """Date of the last change as YYYY-MM-DD; None where it has none."""
        ...

    def read(self, password: str | None = None) -> Document:
        """The document.

        Raises:
            ReadError: with one of the reasons of `colde.ingest.read`.
        """
        ...


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file; see `DocumentSource`."""

    name: str
    path: Path

    def digest(self) -> str:
        try:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):
            ingest.read(self.path)  # says what is wrong with it
            raise

    def modified(self) -> str | None:
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).date().isoformat()

    def read(self, password: str | None = None) -> Document:
        return ingest.read(self.path, password=password)


@dataclass(frozen=True, slots=True)
class UploadedSource:
    """A file that is in memory; see `DocumentSource`."""

    name: str
    data: bytes

    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def modified(self) -> str | None:
        return None

    def read(self, password: str | None = None) -> Document:
        return ingest.read(self.data, name=self.name, password=password)


@dataclass(frozen=True, slots=True)
class RecordSource:
    """A line of a corpus; see `DocumentSource`."""

    name: str
    record: Mapping[str, Any]

    def digest(self) -> str:
        text = json.dumps(self.record, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def modified(self) -> str | None:
        return None

    def read(self, password: str | None = None) -> Document:
        return record_to_document(dict(self.record))


def document_sources(paths: Iterable[Path | UploadedSource]) -> Iterator[DocumentSource]:
    """Each document that the paths name, in a stable order; a file that is named twice comes once.

    A folder stands for every file in it and below, but for hidden ones and data (`DATA_SUFFIXES`); a folder with
    documents.jsonl.gz or documents.jsonl for the records of that corpus, and a file with the suffix jsonl, ndjson or
    jsonl.gz for the records in it. Another path that is no folder is given back as a file, whatever it is and whether
    it exists or not.

    Raises:
        CorpusError: a corpus that cannot be read.
    """
    paths, seen = list(paths), set[Path]()
    for path in paths:
        if isinstance(path, UploadedSource):
            yield replace(path, name=_printable(path.name))
        elif (records := _records_file(path)) is not None:
            yield from (RecordSource(_printable(name), record) for name, record in records_of_file(records))
        else:
            for file in _files_below(path) if path.is_dir() else [path]:
                place = file.absolute()
                if place not in seen:
                    if len(paths) > 1:
                        seen.add(place)
                    name = file.relative_to(path).as_posix() if path.is_dir() else file.name
                    yield FileSource(_printable(name), file)


def _records_file(path: Path) -> Path | None:
    """The file of the records that a path stands for; None where it stands for files."""
    if path.is_dir():
        return documents_file(path)
    return path if is_records_file(path) and path.is_file() else None


def _printable(name: str) -> str:
    """The name as visible text: a byte that is no UTF-8, which the system allows in names, becomes a question mark."""
    return ingest.visible_name(name.encode("utf-8", "replace").decode("utf-8")) or "?"


def _files_below(folder: Path) -> Iterator[Path]:
    """Files in a folder and below by name, without hidden ones and data; only the names of one folder are in memory."""
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except PermissionError:
        return
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            yield from _files_below(path)
        elif path.is_file() and path.suffix.lower() not in DATA_SUFFIXES:
            yield path
