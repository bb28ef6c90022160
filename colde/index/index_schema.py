"""The tables of an index: their columns, the version of this form, and how older forms become this one.

    documents  one row a document: name, title, text for words, the packed document, vector, sentence vectors
    sections   one row a compared section: place, heading, vector
    chunks     one row a chunk: place, text for words, vector

A document exists when it has a row in `documents`, which is written last and removed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from colde.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection

VERSION = 2
DOCUMENTS, SECTIONS, CHUNKS = "documents", "sections", "chunks"
TEXT_OF = {DOCUMENTS: "text", CHUNKS: "text"}
"""Tables with a full-text index, and its column."""


def lancedb() -> Any:
    """The library, imported when an index is opened; raises `MissingExtraError` if it is not installed."""
    try:
        import lancedb
    except ImportError:
        raise MissingExtraError(
            "LanceDB, which keeps an index, is not installed: pip install 'colde-explorer[index]'"
        ) from None
    return lancedb


def schemas(dimension: int) -> Mapping[str, pa.Schema]:
    """Columns of each table, for vectors of this length."""
    import pyarrow as pa

    vector = pa.field("vector", pa.list_(pa.float32(), dimension))
    text, number = pa.string(), pa.int32()
    place = [("document", text), ("number", number), ("section", number), ("heading", text)]
    return {
        DOCUMENTS: pa.schema(
            [
                ("id", text),
                ("name", text),
                ("folder", text),
                ("title", text),
                ("format", text),
                ("file", text),  # SHA-256 of the bytes it was read from
                ("sections", number),
                ("chunks", number),
                ("text", text),
                ("packed", pa.large_binary()),
                vector,
                ("sentences", pa.large_binary()),  # vectors of version 0.2; empty since
                ("width", number),  # of these; 0 since
                ("arrays", pa.large_binary()),  # safetensors; empty if a score needs the vector alone
                ("modified", text),
            ]
        ),
        SECTIONS: pa.schema([("document", text), ("number", number), ("heading", text), vector]),
        CHUNKS: pa.schema(
            [*place, ("start", number), ("end", number), ("tokens", number), ("text", text), vector]
        ),
    }


def arrow_tables(rows: Mapping[str, Sequence[Mapping[str, Any]]], dimension: int) -> dict[str, pa.Table]:
    """Rows as Arrow tables, for vectors of this length."""
    import pyarrow as pa

    return {
        name: pa.Table.from_pylist(list(rows[name]), schema=schema)
        for name, schema in schemas(dimension).items()
    }


def _add_file_columns(connection: DBConnection) -> None:
    """Version 1 knew neither folders nor dates of files."""
    table = connection.open_table(DOCUMENTS)
    there = set(table.schema.names)
    missing = {name: "cast(NULL as string)" for name in ("folder", "modified") if name not in there}
    if missing:
        table.add_columns(missing)
    table.update(where="folder IS NULL", values={"folder": ""})


MIGRATIONS: Mapping[int, Callable[[DBConnection], None]] = {1: _add_file_columns}
"""From a version to the next; each may be run again after it was stopped half-way."""
