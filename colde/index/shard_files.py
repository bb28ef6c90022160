"""Shards of many workers, as folders that are renamed into place, or as objects of which the last makes one whole."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from colde.errors import StoreError
from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.index.index_storage import Shards
from colde.index.object_storage import ObjectStorage, is_uri

TABLES = (SECTIONS, CHUNKS, DOCUMENTS)
PART_SUFFIX = ".part"


def shards_at(where: Path | str) -> Shards:
    """The shards of a folder or a URI."""
    return ObjectShards(str(where)) if is_uri(where) else FolderShards(Path(where))


class FolderShards:
    """Folders of three files; see `Shards`."""

    def __init__(self, where: Path) -> None:
        self.where = where

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

    def read(self, name: str) -> dict[str, Any] | None:
        import pyarrow.parquet as pq

        folder = self.where / name
        if not folder.is_dir():
            return None
        try:
            return {table: pq.read_table(folder / f"{table}.parquet") for table in TABLES}
        except (OSError, ValueError) as error:
            raise _damaged(folder, error) from None

    def drop(self, name: str) -> None:
        shutil.rmtree(self.where / name)

    def clear(self) -> None:
        if self.where.is_dir():
            shutil.rmtree(self.where)


class ObjectShards:
    """Three objects below a name; see `Shards`."""

    def __init__(self, where: str) -> None:
        self.storage = ObjectStorage(where)

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

    def read(self, name: str) -> dict[str, Any] | None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        contents = {table: self.storage.get(f"{name}/{table}.parquet") for table in reversed(TABLES)}
        if contents[DOCUMENTS] is None:
            return None
        try:
            return {table: pq.read_table(pa.BufferReader(contents[table])) for table in TABLES}
        except (OSError, ValueError, TypeError) as error:
            raise _damaged(f"{self.storage}/{name}", error) from None

    def drop(self, name: str) -> None:
        """What makes it whole goes first."""
        self.storage.delete(f"{name}/{DOCUMENTS}.parquet")
        self.storage.remove(name)

    def clear(self) -> None:
        self.storage.remove(None)


def _damaged(where: object, error: Exception) -> StoreError:
    return StoreError(f"{where} is damaged ({error}): remove it, and begin again")
