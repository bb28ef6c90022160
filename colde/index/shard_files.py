"""Encoded documents of many workers, until they are in the index: folders, or objects below a name.

A shard is complete or does not exist, whoever dies: a folder is renamed into place, and of the objects the last one
makes it complete. Its name says what is in it.
"""

from __future__ import annotations

import shutil
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from colde.errors import StoreError
from colde.index.index_schema import DOCUMENT_KEYS, DOCUMENTS
from colde.index.storage.index_storage import is_uri

TABLES = tuple(DOCUMENT_KEYS)
PART_SUFFIX = ".part"


def shards_at(where: Path | str) -> Shards:
    """The shards of a folder or a URI."""
    return ObjectShards(str(where)) if is_uri(where) else FolderShards(Path(where))


class Shards(ABC):
    """The shards of one index."""

    @abstractmethod
    def write(self, name: str, tables: Mapping[str, Any]) -> None:
        """Write the Arrow tables of a shard, by name, the documents last."""

    @abstractmethod
    def complete(self) -> Iterator[str]:
        """Names of the complete shards, in order."""

    def read(self, name: str) -> dict[str, Any] | None:
        """The tables of a shard; None if it does not exist.

        Raises:
            StoreError: it is damaged.
        """
        import pyarrow.parquet as pq

        sources = self._sources(name)
        if sources is None:
            return None
        try:
            return {table: pq.read_table(sources[table]) for table in TABLES}
        except (OSError, ValueError, TypeError) as error:
            raise StoreError(f"{self}/{name} is damaged ({error}): remove it, and start again") from None

    @abstractmethod
    def _sources(self, name: str) -> dict[str, Any] | None:
        """The files of a shard by table; None if it does not exist."""

    @abstractmethod
    def drop(self, name: str) -> None:
        """Remove one."""

    @abstractmethod
    def clear(self) -> None:
        """Remove all, and those that are not complete."""


class FolderShards(Shards):
    """Folders of a file for each table."""

    def __init__(self, where: Path) -> None:
        self.where = where

    def __str__(self) -> str:
        return str(self.where)

    def write(self, name: str, tables: Mapping[str, Any]) -> None:
        import pyarrow.parquet as pq

        part = self.where / f"{uuid.uuid4().hex}{PART_SUFFIX}"
        part.mkdir(parents=True)
        for table in TABLES:
            pq.write_table(tables[table], part / f"{table}.parquet")
        try:
            part.rename(self.where / name)
        except OSError:  # another worker was given the same batch, and was faster
            shutil.rmtree(part)
            if not (self.where / name).is_dir():
                raise

    def complete(self) -> Iterator[str]:
        self.where.mkdir(exist_ok=True)
        yield from sorted(path.name for path in self.where.iterdir() if not path.name.endswith(PART_SUFFIX))

    def _sources(self, name: str) -> dict[str, Any] | None:
        folder = self.where / name
        return {table: folder / f"{table}.parquet" for table in TABLES} if folder.is_dir() else None

    def drop(self, name: str) -> None:
        shutil.rmtree(self.where / name)

    def clear(self) -> None:
        if self.where.is_dir():
            shutil.rmtree(self.where)


class ObjectShards(Shards):
    """An object for each table below a name."""

    def __init__(self, where: str) -> None:
        from colde.index.storage.object_storage import ObjectStorage  # needs obstore, unlike a folder

        self.storage = ObjectStorage(where)

    def __str__(self) -> str:
        return str(self.storage)

    def write(self, name: str, tables: Mapping[str, Any]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        for table in TABLES:
            file = pa.BufferOutputStream()
            pq.write_table(tables[table], file)
            self.storage.put(f"{name}/{table}.parquet", file.getvalue().to_pybytes())

    def complete(self) -> Iterator[str]:
        last = f"/{DOCUMENTS}.parquet"
        yield from sorted(path.removesuffix(last) for path in self.storage.paths() if path.endswith(last))

    def _sources(self, name: str) -> dict[str, Any] | None:
        import pyarrow as pa

        contents = {table: self.storage.get(f"{name}/{table}.parquet") for table in reversed(TABLES)}
        if contents[DOCUMENTS] is None:
            return None
        return {table: pa.BufferReader(content or b"") for table, content in contents.items()}

    def drop(self, name: str) -> None:
        """What makes it complete goes first."""
        self.storage.delete(f"{name}/{DOCUMENTS}.parquet")
        self.storage.remove(name)

    def clear(self) -> None:
        self.storage.remove(None)
