"""An index in a folder of a file system: replaced by renaming, locked by the system for as long as a process lives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from colde.errors import StoreError
from colde.index.storage.index_storage import (
    LOCK_FILE,
    META_FILE,
    REBUILDING,
    REPLACED,
    IndexStorage,
    WriteLock,
)

PART_FILE = "index.json.part"
SHARDS_SUFFIX = ".shards"
REPLACE_WAIT_SECONDS = 5.0
"""Seconds to wait for a program that renames an index that was made anew."""


class FolderStorage(IndexStorage):
    """A folder; see `IndexStorage`. An index that will replace another one has the lock of that one."""

    where: Path
    advice = "add its files to a new one"

    def __init__(self, where: Path, write_lock: WriteLock | None = None) -> None:
        self.where = where
        self._write_lock = write_lock

    def exists(self) -> bool:
        if not self.where.exists() and self._sibling(REPLACED).is_dir():
            self._restore_replaced()
        return (self.where / META_FILE).is_file()

    def read(self) -> bytes:
        return (self.where / META_FILE).read_bytes()

    def write(self, meta: bytes) -> None:
        temporary = self.where / PART_FILE
        temporary.write_bytes(meta)
        os.replace(temporary, self.where / META_FILE)

    def begin(self, meta: bytes) -> None:
        folder = self.where
        if (folder / META_FILE).is_file():
            return
        if folder.exists() and (
            not folder.is_dir() or any(p.name not in (LOCK_FILE, PART_FILE) for p in folder.iterdir())
        ):
            raise self._other_things()
        folder.mkdir(parents=True, exist_ok=True)
        self.write(meta)

    @contextmanager
    def lock(self) -> Iterator[WriteLock]:
        """The system ends it with the process that holds it, so that nothing needs to be confirmed."""
        from filelock import FileLock, Timeout

        if self._write_lock is not None:
            yield self._write_lock
            return
        try:
            with FileLock(self.where / LOCK_FILE, timeout=0):
                yield WriteLock()
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
        return self._sibling(SHARDS_SUFFIX)

    @contextmanager
    def rebuilding(self) -> Iterator[IndexStorage]:
        with self.lock() as write_lock:
            yield FolderStorage(self._sibling(REBUILDING), write_lock)

    def clear(self) -> None:
        if not self.where.exists():
            return
        own_files = (LOCK_FILE, PART_FILE, META_FILE)
        if not self.where.is_dir() or any(
            p.name not in own_files and p.suffix != ".lance" for p in self.where.iterdir()
        ):
            raise self._other_things()
        shutil.rmtree(self.where)

    def replace(self, fresh: IndexStorage) -> None:
        """See `IndexStorage`. The new folder gets the same lock file, so that it is locked from the beginning."""
        new, old = Path(fresh.where), self._sibling(REPLACED)
        if old.is_dir():  # left by one that was killed as it removed it
            shutil.rmtree(old)
        (new / LOCK_FILE).unlink(missing_ok=True)
        with suppress(OSError):  # a file system without links
            (new / LOCK_FILE).hardlink_to(self.where / LOCK_FILE)
        os.replace(self.where, old)
        os.replace(new, self.where)
        shutil.rmtree(old)

    def _restore_replaced(self) -> None:
        """Undo the first of two renames, unless the program that does the second is still running."""
        from filelock import FileLock, Timeout

        old = self._sibling(REPLACED)
        with suppress(Timeout, OSError), FileLock(old / LOCK_FILE, timeout=REPLACE_WAIT_SECONDS):
            if not self.where.exists():
                os.replace(old, self.where)

    def _other_things(self) -> StoreError:
        return StoreError(f"{self.where} contains no index, but other files: name a new folder")

    def _sibling(self, suffix: str) -> Path:
        return self.where.with_name(self.where.name + suffix)
