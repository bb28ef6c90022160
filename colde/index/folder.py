"""An index in a folder of a file system: replaced by renaming, locked by the system for as long as a process lives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from colde.errors import StoreError
from colde.index.place import LOCK, META, REBUILDING, REPLACED, Hold, Place

PART = "index.json.part"
SHARDS = ".shards"


class Folder:
    """A folder; see `Place`.

    Attributes:
        where: its path.
    """

    way_out = "add its files to a new one"

    def __init__(self, where: Path) -> None:
        self.where = where

    def __str__(self) -> str:
        return str(self.where)

    def tables(self, below: str) -> str:
        return str(self.where / below)

    def options(self) -> dict[str, str] | None:
        return None

    def exists(self) -> bool:
        old = self._beside(REPLACED)
        if old.is_dir() and not self.where.exists():  # a program was killed in the moment of replacing it
            os.replace(old, self.where)
        return (self.where / META).is_file()

    def read(self) -> bytes:
        return (self.where / META).read_bytes()

    def write(self, meta: bytes) -> None:
        temporary = self.where / PART
        temporary.write_bytes(meta)
        os.replace(temporary, self.where / META)

    def begin(self, meta: bytes) -> None:
        folder = self.where
        if (folder / META).is_file():
            return
        if folder.exists() and (
            not folder.is_dir() or any(p.name not in (LOCK, PART) for p in folder.iterdir())
        ):
            raise StoreError(f"{folder} holds no index but other things: name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        self.write(meta)

    @contextmanager
    def lock(self) -> Iterator[Hold]:
        """It ends with the process that holds it, however that ends: nothing needs confirming, nobody be shut out."""
        from filelock import FileLock, Timeout

        try:
            with FileLock(self.where / LOCK, timeout=0):
                yield Hold()
        except Timeout:
            raise StoreError(
                f"{self.where} is being written by another program: wait until it is done"
            ) from None

    def holds_table(self, below: str, name: str) -> bool:
        path = self.where / below / f"{name}.lance"
        if path.is_dir() and not any(path.glob("_versions/*")):
            shutil.rmtree(path)
        return path.is_dir()

    def size(self) -> int:
        return sum(p.stat().st_size for p in self.where.rglob("*") if p.is_file())

    def shards(self) -> Path:
        return self._beside(SHARDS)

    @contextmanager
    def rebuilding(self) -> Iterator[Place]:
        yield Folder(self._beside(REBUILDING))

    def replace(self, fresh: Place) -> None:
        old = self._beside(REPLACED)
        if old.is_dir():  # left by one that was killed as it removed it
            shutil.rmtree(old)
        os.replace(self.where, old)
        os.replace(fresh.where, self.where)
        shutil.rmtree(old)

    def _beside(self, suffix: str) -> Path:
        return self.where.with_name(self.where.name + suffix)
