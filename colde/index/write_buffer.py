"""Documents on their way into an index: read, encoded, and held until they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from colde.comparison.checks import check_comparable
from colde.corpus.digest_manifest import DigestManifest
from colde.corpus.document_sources import DocumentSource
from colde.encoders.encoder_names import PACKAGED
from colde.errors import ReadError, skip_document
from colde.index.index_results import SkippedFile
from colde.index.index_rows import content_hash, rows_of
from colde.index.index_schema import DOCUMENTS, PASSAGES, arrow_tables
from colde.index.passage_rows import passage_rows, sentence_columns
from colde.index.store import Store
from colde.models.base import Matcher
from colde.text.document import Document
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.not_compared.set_aside import reading_warnings
from colde.text.sections.parts_without_headings import split_into_parts

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 8
"""Documents that are written at once: what a killed program loses at most, and reads again."""

STORED_COLUMNS = ("id", "name", "file", "modified")


def prepare_for_index(document: Document) -> Document:
    """The document as it is encoded; raises `ReadError` if it cannot be compared."""
    document = split_into_parts(document)
    check_comparable(document)
    return document


class DocumentAdder:
    """Reads and encodes the documents that an index does not hold yet.

    Args:
        model: gives the model, once it is needed.
        encoder: name of the encoder of the vectors of passages.
        files, ids: SHA-256 of the files, and ids of the documents, that the index holds.

    Attributes:
        added, known: names of new documents and of those that the index held already, by content.
        unread: what was skipped.
        warnings: name of a new document, and a sentence on what was not read of it.
        waiting: tables of the rows of each document that is encoded and not yet written.
    """

    def __init__(
        self,
        model: Callable[[], Matcher],
        encoder: str = PACKAGED,
        files: Iterable[str] = (),
        ids: Iterable[str] = (),
    ) -> None:
        self.model, self.encoder, self.files, self.ids = model, encoder, set(files), set(ids)
        self.added: list[str] = []
        self.known: list[str] = []
        self.unread: list[SkippedFile] = []
        self.warnings: list[tuple[str, str]] = []
        self.waiting: list[Mapping[str, pa.Table]] = []

    def digest(self, entry: DocumentSource, manifest: DigestManifest | None = None) -> str | None:
        """SHA-256 of the file; None if it cannot be read."""
        with self._skipping(entry):
            return entry.digest() if manifest is None else manifest.digest(entry)
        return None

    def take(self, entry: DocumentSource, file: str, password: str | None = None) -> None:
        """Read and encode a document, unless the index holds it; one that cannot be added is skipped."""
        if file in self.files:
            self.known.append(entry.name)
            return
        with self._skipping(entry):
            self._encode(entry, file, password)

    @contextmanager
    def _skipping(self, entry: DocumentSource) -> Iterator[None]:
        skipped: list[ReadError] = []
        with skip_document(entry.name, skipped):
            yield
        self.unread += [SkippedFile(entry.name, error) for error in skipped]

    def _encode(self, entry: DocumentSource, file: str, password: str | None) -> None:
        document = prepare_for_index(prepare_for_comparison(entry.read(password)))
        document_id = content_hash(document)
        if document_id not in self.ids:
            model = self.model()
            encoding = model.encode([document])[0]
            assert encoding.vector is not None
            rows = rows_of(encoding, model, entry.name, file, entry.modified())
            rows[DOCUMENTS][0] |= sentence_columns(document)
            rows[PASSAGES], width = passage_rows(document, document_id, self.encoder)
            warnings = [(entry.name, warning) for warning in reading_warnings(document)]
            self.waiting.append(arrow_tables(rows, len(encoding.vector), width))
            self.added.append(entry.name)
            self.warnings += warnings
        else:
            self.known.append(entry.name)
        self.files.add(file)
        self.ids.add(document_id)

    def tables(self) -> dict[str, pa.Table]:
        """The rows of all documents that wait, by table."""
        import pyarrow as pa

        return {name: pa.concat_tables([t[name] for t in self.waiting]) for name in self.waiting[0]}

    def write(self, store: Store, least: int = 1) -> None:
        """Write the rows if they are of so many documents."""
        if len(self.waiting) >= least:
            store.append(self.tables())
            self.waiting = []


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of another index; see `DocumentSource`."""

    row: Mapping[str, Any]  # columns `STORED_COLUMNS`
    reads: Callable[[str], Document] = field(repr=False)  # the document of an id

    @property
    def name(self) -> str:
        return str(self.row["name"] or "")

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it apart: a document under another name is another one."""
        return tuple(str(self.row[column]) for column in STORED_COLUMNS)

    def digest(self) -> str:
        return str(self.row["file"])

    def modified(self) -> str | None:
        time_text: str | None = self.row["modified"]
        return time_text

    def read(self, password: str | None = None) -> Document:
        return self.reads(self.row["id"])
