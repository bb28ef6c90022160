"""An index in a folder of a file system: replaced by renaming, locked by the system for as long as a process lives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from colde.errors import StoreError
from colde.index.index_storage import LOCK, META, REBUILDING, REPLACED, Hold, Place

PART = "index.json.part"
SHARDS = ".shards"
REPLACING = 5.0
"""Seconds to wait for a program that renames an index that was made anew."""


class Folder:
    """A folder; see `Place`.

    Attributes:
        where: its path.

    Args:
        hold: of the lock of the index that this one is to replace, which then is its lock, too.
    """

    way_out = "add its files to a new one"

    def __init__(self, where: Path, hold: Hold | None = None) -> None:
        self.where = where
        self._hold = hold

    def __str__(self) -> str:
        return str(self.where)

    def tables(self, below: str) -> str:
        return str(self.where / below)

    def options(self) -> dict[str, str] | None:
        return None

    def exists(self) -> bool:
        if not self.where.exists() and self._beside(REPLACED).is_dir():
            self._put_back()
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
            raise self._other_things()
        folder.mkdir(parents=True, exist_ok=True)
        self.write(meta)

    @contextmanager
    def lock(self) -> Iterator[Hold]:
        """It ends with the process that holds it, however that ends: nothing needs confirming, nobody be shut out."""
        from filelock import FileLock, Timeout

        if self._hold is not None:
            yield self._hold
            return
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
        with self.lock() as hold:
            yield Folder(self._beside(REBUILDING), hold)

    def clear(self) -> None:
        if not self.where.exists():
            return
        own = (LOCK, PART, META)
        if not self.where.is_dir() or any(
            p.name not in own and p.suffix != ".lance" for p in self.where.iterdir()
        ):
            raise self._other_things()
        shutil.rmtree(self.where)

    def replace(self, fresh: Place) -> None:
        """See `Place`. The new folder gets the same lock file, so that it is locked from its first moment on."""
        new, old = Path(fresh.where), self._beside(REPLACED)
        if old.is_dir():  # left by one that was killed as it removed it
            shutil.rmtree(old)
        (new / LOCK).unlink(missing_ok=True)
        with suppress(OSError):  # a file system without links
            (new / LOCK).hardlink_to(self.where / LOCK)
        os.replace(self.where, old)
        os.replace(new, self.where)
        shutil.rmtree(old)

    def _put_back(self) -> None:
        """Undo the first of two renames, unless the program that does the second is still at it."""
        from filelock import FileLock, Timeout

        old = self._beside(REPLACED)
        with suppress(Timeout, OSError), FileLock(old / LOCK, timeout=REPLACING):
            if not self.where.exists():
                os.replace(old, self.where)

    def _other_things(self) -> StoreError:
        return StoreError(f"{self.where} holds no index but other things: name a new folder")

    def _beside(self, suffix: str) -> Path:
        return self.where.with_name(self.where.name + suffix)
