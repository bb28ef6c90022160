"""What an index holds: its tables (`index_schema`), what it was made with, and what a killed program left behind.

    index.json        version of the form, model and weights the vectors come from
    documents.lance   and the other tables
    lock              held by whoever writes

Rows become visible table by table, the documents last. Rows of a document that was never finished are removed before
the next writing, and no search finds them until then.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec

from colde import strict_json
from colde.errors import ColdeError, MissingExtraError, StoreError
from colde.index import index_schema
from colde.index.index_schema import DOCUMENT_KEYS, DOCUMENTS, PASSAGES, SECTIONS, TEXT_OF, VERSION
from colde.index.storage.folder_storage import FolderStorage
from colde.index.storage.index_storage import META_FILE, REBUILT_PREFIX, IndexStorage, WriteLock, is_uri
from colde.strict_json import JsonError

if TYPE_CHECKING:
    import pyarrow as pa

Location: TypeAlias = str | os.PathLike[str]
"""The place of an index: a folder by its path, or a URI as a string."""

OLD_VERSIONS_KEPT = timedelta(hours=1)
"""How long an older state of a table stays for whoever reads it."""

MIN_ROWS_FOR_VECTOR_INDEX = 50_000
"""Rows from which vectors get an approximate index: IVF with a byte a number, √n partitions; see docs/log/scale.md."""

MAX_IDS_PER_QUERY = 500  # ids in one condition

PANIC_NAMES = frozenset(("RustPanic", "PanicException"))
"""Names of the exceptions by which LanceDB says that a damaged file broke its own code."""

MAX_DIMENSION = 2**16
"""Of a vector."""

TABLES_PATTERN = re.compile(rf"(?:{REBUILT_PREFIX}[0-9]{{1,9}})?")


def storage_at(where: Location | IndexStorage) -> IndexStorage:
    """The storage of an index; raises `StoreError` for a strange URI, `MissingExtraError` without obstore."""
    if isinstance(where, IndexStorage):
        return where
    if not is_uri(where):
        return FolderStorage(Path(where))
    try:
        from colde.index.storage.object_storage import ObjectStorage
    except ImportError:
        raise MissingExtraError(
            "obstore, which reads and writes object storage, is not installed: pip install 'colde-explorer[cloud]'"
        ) from None
    return ObjectStorage(str(where))


@dataclass(frozen=True, slots=True)
class Meta:
    """What an index was made with.

    Attributes:
        version: of the form of its tables.
        model: name of the model whose vectors it holds.
        weights: SHA-256 of the model's weights.
        dimension: of the vectors.
        tables: folder below index.json; empty if they are beside it.
        made: random, so that a rebuilt index is told apart; empty in those of earlier versions.
        encoder: name of the encoder; empty for the packaged one.
        passages: dimension of the vectors of passages; 0 in an index of an earlier version, which has no passages.
    """

    version: Annotated[int, msgspec.Meta(ge=-1000, le=1_000_000)]
    model: Annotated[str, msgspec.Meta(max_length=4000)]
    weights: Annotated[str, msgspec.Meta(max_length=200)]
    dimension: Annotated[int, msgspec.Meta(gt=0, le=MAX_DIMENSION)]
    tables: str = ""
    made: str = ""
    encoder: str = ""
    passages: Annotated[int, msgspec.Meta(ge=0, le=MAX_DIMENSION)] = 0

    def to_json(self) -> bytes:
        """As index.json has it."""
        values = {name: value for name, value in asdict(self).items() if value not in ("", 0)}
        return (json.dumps(values, indent=1) + "\n").encode()


class Store:
    """The tables of one index.

    Args:
        where: the folder or URI of the index; must hold one (`create` makes it).

    Raises:
        StoreError: there is no index, or one of a newer program.
        MissingExtraError: LanceDB is not installed.
    """

    def __init__(self, where: Location | IndexStorage) -> None:
        self.storage = storage_at(where)
        self.meta = read_meta(self.storage)
        self._write_lock = WriteLock()
        self._connect()
        if self.meta.version < VERSION:
            self._migrate()
        self._open_tables()

    @classmethod
    def create(
        cls,
        where: Location | IndexStorage,
        model: str,
        weights: str,
        dimension: int,
        encoder: str = "",
        passages: int = 0,
    ) -> Store:
        """Make an empty index, or open an existing one; raises `StoreError` where there are other things."""
        storage = storage_at(where)
        made = uuid.uuid4().hex
        meta = Meta(VERSION, model, weights, dimension, made=made, encoder=encoder, passages=passages)
        storage.begin(meta.to_json())
        return cls(storage)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the only writer; removes what a killed writer left, and shuts out one that was stopped.

        Raises:
            StoreError: another program writes, or has made the index anew with other weights since it was opened here.
        """
        with self.storage.lock() as write_lock, self.translated_errors():
            self._write_lock = write_lock
            self._refresh()
            if write_lock.shut_out:
                for table in self._tables.values():
                    write_lock.confirm()
                    shut_out(table)
                write_lock.done()
            self._remove_orphans()
            yield

    def append(self, more: Mapping[str, pa.Table]) -> None:
        """Add rows of documents that are not there yet; they are there from the moment their own row is."""
        for name in self._tables:
            if more[name].num_rows:
                with self._confirmed():
                    self._tables[name].add(more[name])

    def remove(self, ids: Sequence[str]) -> None:
        """Remove documents; they are gone from the moment their own row is."""
        for name in reversed(self._tables):
            for condition in _id_conditions(DOCUMENT_KEYS[name], ids):
                with self._confirmed():
                    self._tables[name].delete(condition)

    def update(self, id: str, values: Mapping[str, str]) -> None:
        """Set columns of the row of a document."""
        (condition,) = _id_conditions(DOCUMENT_KEYS[DOCUMENTS], [id])
        with self._confirmed():
            self._tables[DOCUMENTS].update(where=condition, values=dict(values))

    def compact(self) -> None:
        """Merge small files, bring all indexes up to date, and drop states that nobody reads any more.

        Tables that have become large get an approximate index of their vectors; rows added later join it here.
        """
        with self.translated_errors():
            for name, table in self._tables.items():
                table.optimize(cleanup_older_than=OLD_VERSIONS_KEPT)
                if name != SECTIONS and table.count_rows() >= MIN_ROWS_FOR_VECTOR_INDEX:
                    self._index_vectors(table)

    def rows(self, name: str, columns: Sequence[str], where: str | None = None) -> list[dict[str, Any]]:
        """These columns of all rows, or of those that meet a condition."""
        with self.translated_errors():
            query = self._tables[name].search().select(list(columns))
            read_rows: list[dict[str, Any]] = (query.where(where) if where else query).limit(None).to_list()
            return read_rows

    def rows_of(self, name: str, columns: Sequence[str], ids: Iterable[str]) -> list[dict[str, Any]]:
        """These columns of the rows of some documents."""
        conditions = _id_conditions(DOCUMENT_KEYS[name], list(ids))
        return [row for where in conditions for row in self.rows(name, columns, where)]

    def count(self, name: str) -> int:
        """Rows of a table."""
        with self.translated_errors():
            return int(self._tables[name].count_rows())

    def table(self, name: str) -> Any:
        """A table, for searching it."""
        return self._tables[name]

    def bytes(self) -> int:
        """Bytes on the disk, or of all objects."""
        return self.storage.size()

    @contextmanager
    def translated_errors(self) -> Iterator[None]:
        """Turn errors of the library over a damaged table into StoreError, and over a full disk into OSError."""
        try:
            yield
        except (ColdeError, KeyboardInterrupt):
            raise
        except (RuntimeError, ValueError, OSError) as error:
            raise self._translated_error(error) from error
        except BaseException as error:
            if type(error).__name__ in PANIC_NAMES:
                raise self._translated_error(error) from error
            raise

    def _translated_error(self, error: BaseException) -> ColdeError | OSError:
        what = " ".join(str(error).split())
        if "No space left" in what or getattr(error, "errno", None) == 28:
            return OSError(28, "No space left on device")
        return StoreError(
            f"{self.storage.where}: the index cannot be used ({what[:200]}): {self.storage.advice}"
        )

    @contextmanager
    def _confirmed(self) -> Iterator[None]:
        """Around one write; raises `StoreError` if another program takes the lock before it ends."""
        self._write_lock.confirm()
        try:
            yield
        except RuntimeError:
            self._write_lock.confirm()
            raise

    def _connect(self) -> None:
        library, to = index_schema.lancedb(), self.storage.tables(self.meta.tables)
        with self.translated_errors():
            self._connection = library.connect(to, storage_options=self.storage.options())

    def _open_tables(self) -> None:
        with self.translated_errors():
            names = [name for name in DOCUMENT_KEYS if name != PASSAGES or self.meta.passages]
            self._tables: dict[str, Any] = {name: self._open(name) for name in names}

    def _open(self, name: str) -> Any:
        """The table; made where it is missing, or where a program was killed as it began to make it."""
        if self.storage.holds_table(self.meta.tables, name):
            table = self._connection.open_table(name)
        else:
            schema = index_schema.schemas(self.meta.dimension, self.meta.passages)[name]
            table = self._connection.create_table(name, schema=schema, exist_ok=True)
        if name in TEXT_OF and not table.list_indices():
            self._index_words(table, TEXT_OF[name])
        return table

    @staticmethod
    def _index_words(table: Any, column: str) -> None:
        from lancedb.index import FTS

        config = FTS(language="English", stem=True, remove_stop_words=True, ascii_folding=True)
        table.create_index(column, config=config, replace=True)

    @staticmethod
    def _index_vectors(table: Any) -> None:
        from lancedb.index import IvfSq

        if not any("vector" in index.columns for index in table.list_indices()):
            partitions = round(table.count_rows() ** 0.5)
            table.create_index("vector", config=IvfSq(distance_type="l2", num_partitions=partitions))

    def _refresh(self) -> None:
        """See what others wrote, or open the tables of a rebuilt index; raises `StoreError` for other weights."""
        meta = read_meta(self.storage)
        if (meta.version, meta.model, meta.weights) != (VERSION, self.meta.model, self.meta.weights):
            raise StoreError(
                f"{self.storage.where} was rebuilt by another version of this program in the meantime: start again"
            )
        if meta != self.meta:
            self.meta = meta
            self._connect()
            self._open_tables()
        for table in self._tables.values():
            table.checkout_latest()

    def _remove_orphans(self) -> None:
        """Drop sections and chunks whose document is not there, and documents without an id."""
        there = {row["id"] for row in self.rows(DOCUMENTS, ["id"])}
        if None in there:
            self._tables[DOCUMENTS].delete("id IS NULL")
        for name in self._tables:
            if name == DOCUMENTS:
                continue
            left = {row["document"] or "" for row in self.rows(name, ["document"])} - there
            for condition in _id_conditions("document", sorted(left)):
                self._tables[name].delete(condition)

    def _migrate(self) -> None:
        with self.storage.lock(), self.translated_errors():
            self.meta = read_meta(self.storage)  # another program may have done it
            while self.meta.version < VERSION:
                index_schema.MIGRATIONS[self.meta.version](self._connection)
                self.meta = Meta(**{**asdict(self.meta), "version": self.meta.version + 1})
                self.storage.write(self.meta.to_json())


def shut_out(table: Any) -> None:
    """Make a table refuse writes that have begun; what was written stays.

    The latest state of the table is restored: LanceDB refuses a write that began before that. A state written between
    looking and restoring is restored in turn.
    """
    latest = wanted = table.version
    while True:
        table.restore(wanted)
        if table.version == latest + 1:
            return
        latest = table.version
        wanted = latest - 1


def read_meta(where: Location | IndexStorage) -> Meta:
    """What an index was made with; raises `StoreError` for no index, a damaged one, or one of a newer program."""
    storage = storage_at(where)
    try:
        data = storage.read()
        strict_json.check_size(data, strict_json.MAX_FILE_BYTES)
        meta = strict_json.decode(data, Meta)
        if not TABLES_PATTERN.fullmatch(meta.tables):
            raise JsonError("tables: not the name of a folder of tables")
    except OSError:
        raise StoreError(
            f"{storage.where} holds no index: make one with colde index add FILE… --index DIR"
        ) from None
    except JsonError as error:
        raise StoreError(
            f"{storage.where}/{META_FILE} is damaged ({error}): add the files to a new index"
        ) from None
    if meta.version > VERSION or meta.version < 1:
        raise StoreError(
            f"{storage.where} was made by another version of this program (form {meta.version}, this one knows "
            f"{VERSION}): install the newer one, or add the files to a new index"
        )
    return meta


def _id_conditions(column: str, values: Sequence[str]) -> list[str]:
    quoted = ["'" + str(value).replace("'", "''") + "'" for value in values]
    return [
        f"{column} IN ({', '.join(quoted[at : at + MAX_IDS_PER_QUERY])})"
        for at in range(0, len(quoted), MAX_IDS_PER_QUERY)
    ]
