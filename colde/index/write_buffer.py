"""Documents on their way into an index: held by another index, or encoded and not yet written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.index.store import Store
from colde.text.document import Document

STORED_COLUMNS = ("id", "name", "file", "modified")


@dataclass
class WriteBuffer:
    """Documents that are encoded and not yet written."""

    rows: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {name: [] for name in (DOCUMENTS, SECTIONS, CHUNKS)}
    )

    def __len__(self) -> int:
        return len(self.rows[DOCUMENTS])

    def take(self, rows: dict[str, list[dict[str, Any]]]) -> None:
        for name, more in rows.items():
            self.rows[name] += more

    def write(self, store: Store) -> None:
        """Write everything, and hold nothing any more."""
        if len(self):
            store.add(self.rows)
            self.rows = {name: [] for name in self.rows}


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document of another index; see `Entry`.

    Attributes:
        row: with the columns `STORED_COLUMNS`.
        reads: gives the document of an id.
    """

    row: Mapping[str, Any]
    reads: Callable[[str], Document] = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.row["name"] or "")

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it apart: a document under another name is another one."""
        return tuple(str(self.row[column]) for column in ("id", "name", "file", "modified"))

    def digest(self) -> str:
        return str(self.row["file"])

    def modified(self) -> str | None:
        found: str | None = self.row["modified"]
        return found

    def read(self, password: str | None = None) -> Document:
        return self.reads(self.row["id"])
