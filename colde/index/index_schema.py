"""The tables of an index: their columns, the version of this form, and how older forms become this one.

    documents  one row a document: name, title, text for words, the packed document, vector, vectors of its sentences
    sections   one row a compared section: place, heading, vector
    chunks     one row a chunk: place, text for words, vector
    passages   one row a passage of about forty words: place, text for words, vector

A document exists when it has a row in `documents`, which is written last and removed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from colde.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection

VERSION = 3
DOCUMENTS, SECTIONS, CHUNKS, PASSAGES = "documents", "sections", "chunks", "passages"
DOCUMENT_KEYS = {PASSAGES: "document", SECTIONS: "document", CHUNKS: "document", DOCUMENTS: "id"}
"""Tables in the order in which they are written, and the column of each that holds the document's id."""
TEXT_OF = {DOCUMENTS: "text", CHUNKS: "text", PASSAGES: "text"}
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


def schemas(dimension: int, passages: int) -> Mapping[str, pa.Schema]:
    """Columns of each table.

    Args:
        dimension: of the model's vectors.
        passages: dimension of the vectors of passages.
    """
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
                ("sentences", pa.large_binary()),  # float16 vectors of the searched sentences
                ("width", number),  # of each of these; 0 where there are none
                ("arrays", pa.large_binary()),  # safetensors; empty if a score needs the vector alone
                ("modified", text),
            ]
        ),
        SECTIONS: pa.schema([("document", text), ("number", number), ("heading", text), vector]),
        CHUNKS: pa.schema(
            [*place, ("start", number), ("end", number), ("tokens", number), ("text", text), vector]
        ),
        PASSAGES: pa.schema(
            [
                ("document", text),
                ("number", number),
                ("start", number),
                ("end", number),
                ("text", text),
                pa.field("vector", pa.list_(pa.float32(), passages)),
            ]
        ),
    }


def arrow_tables(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], dimension: int, passages: int
) -> dict[str, pa.Table]:
    """Rows as Arrow tables; the other arguments as in `schemas`."""
    import pyarrow as pa

    return {
        name: pa.Table.from_pylist(list(rows[name]), schema=schema)
        for name, schema in schemas(dimension, passages).items()
    }


def _add_file_columns(connection: DBConnection) -> None:
    """Version 1 knew neither folders nor dates of files."""
    table = connection.open_table(DOCUMENTS)
    there = set(table.schema.names)
    missing = {name: "cast(NULL as string)" for name in ("folder", "modified") if name not in there}
    if missing:
        table.add_columns(missing)
    table.update(where="folder IS NULL", values={"folder": ""})


def _leave_without_passages(connection: DBConnection) -> None:
    """Version 2 knew no passages; they need the encoder, so that a rebuild adds them (`Meta.passages`)."""


MIGRATIONS: Mapping[int, Callable[[DBConnection], None]] = {1: _add_file_columns, 2: _leave_without_passages}
"""From a version to the next; each may be run again after it was stopped half-way."""
