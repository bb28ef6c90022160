"""What an index needs of a folder (`folder_storage`) or of object storage (`object_storage`).

LanceDB reads and writes the tables. Beside them are index.json, the lock of whoever writes, and the way in which a
rebuilt index takes the place of the old one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

META_FILE = "index.json"
LOCK_FILE = "lock"
REBUILDING, REPLACED = ".rebuild", ".old"
"""Folders beside an index while its documents are encoded anew, and in the moment in which it is replaced."""

REBUILT_PREFIX = "rebuilt-"
"""Below an index on object storage: with a number, where its documents are encoded anew."""


def is_uri(where: object) -> bool:
    """Whether an index is named by a URI."""
    return isinstance(where, str) and "://" in where


@dataclass(frozen=True, slots=True)
class WriteLock:
    """The right to write, from the lock of an index.

    Attributes:
        confirm: to be called before each write; raises `StoreError` if another program has taken the lock.
        shut_out: whether a previous holder gave no sign of life and may still finish a write: before the tables are
            read, they must be made to refuse it.
        done: to be called when they refuse it.
    """

    confirm: Callable[[], None] = lambda: None
    shut_out: bool = False
    done: Callable[[], None] = lambda: None


class IndexStorage(ABC):
    """Where an index lies. Methods raise `StoreError` where that does not answer.

    Attributes:
        where: the folder, or the URI.
        advice: what to do where its tables cannot be used.
    """

    where: Path | str
    advice: ClassVar[str]

    def __str__(self) -> str:
        return str(self.where)

    def tables(self, below: str) -> str:
        """What LanceDB connects to; `below` is empty, or where index.json says that the tables are."""
        return f"{self.where}/{below}" if below else str(self.where)

    def options(self) -> dict[str, str] | None:
        """What LanceDB must be told beside the environment."""
        return None

    @abstractmethod
    def exists(self) -> bool:
        """Whether an index is there."""

    @abstractmethod
    def read(self) -> bytes:
        """index.json; raises OSError if there is none."""

    @abstractmethod
    def write(self, meta: bytes) -> None:
        """Replace index.json; raises `StoreError` if another program has replaced it on object storage since."""

    @abstractmethod
    def begin(self, meta: bytes) -> None:
        """Write the first index.json, if there is none yet; raises `StoreError` where there are other things."""

    @abstractmethod
    def lock(self) -> AbstractContextManager[WriteLock]:
        """Be the only one that writes; raises `StoreError` where another program does."""

    @abstractmethod
    def holds_table(self, below: str, name: str) -> bool:
        """Whether a table is there; one that a killed program has only begun is removed."""

    @abstractmethod
    def size(self) -> int:
        """Bytes in all."""

    @abstractmethod
    def shards(self) -> Path | str:
        """Where its shards lie."""

    @abstractmethod
    def rebuilding(self) -> AbstractContextManager[IndexStorage]:
        """Where it is made anew; what a killed program made there is kept. Locked, as by `lock`."""

    @abstractmethod
    def clear(self) -> None:
        """Remove the tables and index.json; raises `StoreError` where there are other things."""

    @abstractmethod
    def replace(self, fresh: IndexStorage) -> None:
        """Put the index that was made anew in the place of this one; at every moment one of the two is there."""
