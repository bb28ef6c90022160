"""What an index needs of the place it lies in: a folder (`folder`) or object storage (`objects`).

Tables are LanceDB's own matter in both; here is what lies beside them: index.json, the lock of whoever writes, shards
of many workers, and the way in which a rebuilt index takes the place of the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

META_FILE = "index.json"
LOCK_FILE = "lock"
REBUILDING, REPLACED = ".rebuild", ".old"
"""Folders beside an index while its documents are encoded anew, and in the moment in which it is replaced."""

REBUILT_PREFIX = "rebuilt-"
"""Below an index on object storage: with a number, where its documents are encoded anew."""


@dataclass(frozen=True, slots=True)
class WriteLock:
    """The right to write, from the lock of an index.

    Attributes:
        confirm: to be called before each writing; raises `StoreError` where the lock is another program's by now.
        shut_out: whether a holder before this one gave no sign, and may still go on with a writing that it had begun:
            the tables must be made to refuse that, before they are read.
        done: to be called when they refuse it.
    """

    confirm: Callable[[], None] = lambda: None
    shut_out: bool = False
    done: Callable[[], None] = lambda: None


class Shards(Protocol):
    """Encoded documents of many workers, until they stand in the index.

    A shard is whole or not there, whoever dies; its name says what is in it.
    """

    def write(self, name: str, tables: Mapping[str, Any]) -> None:
        """Write the Arrow tables of a shard, by name, the documents last."""

    def complete(self) -> Iterator[str]:
        """Names of what lies there whole, in order."""

    def read(self, name: str) -> dict[str, Any] | None:
        """The tables of a shard; None where there is none.

        Raises:
            StoreError: it is damaged.
        """

    def drop(self, name: str) -> None:
        """Remove one."""

    def clear(self) -> None:
        """Remove all, and what was never whole."""


class IndexStorage(Protocol):
    """Where an index lies. Methods raise `StoreError` where that does not answer."""

    advice: str
    """What to do where its tables cannot be used."""

    @property
    def where(self) -> Path | str:
        """The folder, or the URI."""

    def tables(self, below: str) -> str:
        """What LanceDB connects to; `below` is empty, or where index.json says that tables lie."""

    def options(self) -> dict[str, str] | None:
        """What LanceDB must be told beside the environment."""

    def exists(self) -> bool:
        """Whether an index is there."""

    def read(self) -> bytes:
        """index.json.

        Raises:
            OSError: there is none.
        """

    def write(self, meta: bytes) -> None:
        """Replace index.json as a whole.

        Raises:
            StoreError: on object storage, where another program has replaced it since it was read here.
        """

    def begin(self, meta: bytes) -> None:
        """Write the first index.json, if there is none yet.

        Raises:
            StoreError: there are other things.
        """

    def lock(self) -> AbstractContextManager[WriteLock]:
        """Be the only one that writes.

        Raises:
            StoreError: another program writes.
        """

    def holds_table(self, below: str, name: str) -> bool:
        """Whether a table is there; one that a program was killed in beginning is removed."""

    def size(self) -> int:
        """Bytes in all."""

    def shards(self) -> Path | str:
        """Where its shards lie."""

    def rebuilding(self) -> AbstractContextManager[IndexStorage]:
        """Where it is made anew; what a killed program made there is still there. Nobody else writes meanwhile.

        Raises:
            StoreError: another program writes.
        """

    def clear(self) -> None:
        """Remove the tables and index.json, so that an index can be made here from the beginning.

        Raises:
            StoreError: there are other things.
        """

    def replace(self, fresh: IndexStorage) -> None:
        """Put the index that was made anew in the place of this one; in every moment one of the two is there."""
