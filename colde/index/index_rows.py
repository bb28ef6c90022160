"""A document and its vectors as rows, and back."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from colde.errors import StoreError
from colde.index.index_results import IndexedDocument
from colde.index.index_schema import CHUNKS, DOCUMENTS, SECTIONS
from colde.ingest.sandbox.protocol import pack, unpack
from colde.models.base import Matcher, Storable
from colde.models.stored_arrays import checked_numbers
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.text.characters.text_normalisation import without_surrogates
from colde.text.document import Chunk, Document

Row = dict[str, Any]

LIST_COLUMNS = ("id", "name", "folder", "title", "format", "sections", "chunks", "modified")
MAX_DOCUMENT_BYTES = 2**28
"""Of the expanded document of a row."""

ROW_ERRORS = (
    SafetensorError,
    zlib.error,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    RecursionError,
)
"""Errors that a damaged row causes."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def content_hash(document: Document) -> str:
    """SHA-256 of the text, its sections, and their roles."""
    digest = hashlib.sha256(document.text.encode("utf-8", "surrogatepass"))
    for s in document.sections:
        digest.update(json.dumps([s.start, s.body, s.end, s.level, s.role]).encode())
    return digest.hexdigest()


def rows_of(
    encoding: Encoding, model: Matcher, name: str, file: str, modified: str | None
) -> dict[str, list[Row]]:
    """The rows of one document.

    Args:
        encoding: with section and chunk vectors (made with `explain`), by this model.
        file: SHA-256 of the bytes it was read from.
    """
    document = encoding.document
    document_id = content_hash(document)
    assert encoding.vector is not None and encoding.sections is not None and encoding.chunks is not None
    numbers = [i for i, _ in document.compared()]
    starts = {document.sections[i].start: i for i in numbers}
    sections = [
        {
            "document": document_id,
            "number": starts[span.start],
            "heading": document.sections[starts[span.start]].heading,
            "vector": vector,
        }
        for span, vector in zip(encoding.section_spans, encoding.sections, strict=True)
    ]
    chunks = [
        {
            "document": document_id,
            "number": i,
            "section": chunk.section,
            "heading": document.sections[chunk.section].heading,
            "start": chunk.start,
            "end": chunk.end,
            "tokens": chunk.tokens,
            "text": document.text[chunk.start : chunk.end],
            "vector": vector,
        }
        for i, (chunk, vector) in enumerate(zip(encoding.chunk_spans, encoding.chunks, strict=True))
    ]
    row = {
        "id": document_id,
        "name": name,
        "folder": name.rpartition("/")[0],
        "title": document.title,
        "format": document.format,
        "file": file,
        "sections": len(sections),
        "chunks": len(chunks),
        "text": "\n".join(document.text[s.start : s.end] for _, s in document.compared()),
        "packed": zlib.compress(
            json.dumps(pack(document), ensure_ascii=False).encode("utf-8", "surrogatepass")
        ),
        "vector": encoding.vector,
        "arrays": _condensed_arrays(encoding, model),
        "modified": modified,
    }
    return {DOCUMENTS: [row], SECTIONS: sections, CHUNKS: chunks}


def indexed_document(row: Mapping[str, Any]) -> IndexedDocument:
    """The description of a document from its row; a damaged value is left out, so that the row can be removed."""

    def text(name: str) -> str:
        return str(row.get(name) or "")

    modified = text("modified")
    return IndexedDocument(
        id=text("id"),
        name=text("name"),
        title=text("title"),
        sections=max(int(row.get("sections") or 0), 0),
        chunks=max(int(row.get("chunks") or 0), 0),
        folder=text("folder"),
        format=text("format"),
        modified=modified if _DATE.fullmatch(modified) else None,
    )


@contextmanager
def damaged_row_errors(row: Mapping[str, Any]) -> Iterator[None]:
    """Turn errors over a damaged row into a StoreError that names the document and says how to mend the index."""
    try:
        yield
    except ROW_ERRORS as error:
        name, document_id = row.get("name") or "without a name", str(row.get("id") or "")[:12]
        what = " ".join(str(error).split())[:200]
        raise StoreError(
            f"the index holds a damaged row of the document {name} ({what}): remove it with colde index remove "
            f"{document_id} --index DIR, then add its file again"
        ) from None


def document_of(row: Mapping[str, Any]) -> Document:
    """The document that a row holds; raises `StoreError` if the row is damaged."""
    with damaged_row_errors(row):
        expanded = zlib.decompressobj()
        text = expanded.decompress(row["packed"], MAX_DOCUMENT_BYTES)
        if expanded.unconsumed_tail or not expanded.eof:
            raise ValueError("its text is cut off or too long")
        return unpack(without_surrogates(text.decode("utf-8", "surrogatepass")))


def encoding_of(row: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]]) -> Encoding:
    """The document with its vectors, from its row and those of its chunks; raises `StoreError` for a damaged row."""
    document = document_of(row)
    with damaged_row_errors(row):
        vector = checked_numbers(row, "vector", None)
        spans = sorted(chunks, key=lambda c: int(c["number"]))
        return Encoding(
            document=document,
            coverage=Coverage(0, 0),
            vector=vector,
            chunks=np.stack([checked_numbers(c, "vector", len(vector)) for c in spans]) if spans else None,
            chunk_spans=tuple(_chunk(c, document) for c in spans),
        )


def _chunk(row: Mapping[str, Any], document: Document) -> Chunk:
    """The passage of a row of the table of chunks; raises ValueError or TypeError if it is outside the document."""
    chunk = Chunk(*(int(row[name]) for name in ("start", "end", "section", "tokens")))
    if not 0 <= chunk.start <= chunk.end <= len(document.text):
        raise ValueError("a chunk outside the text")
    if not 0 <= chunk.section < len(document.sections) or chunk.tokens < 0:
        raise ValueError("a chunk of a section that is not there")
    return chunk


def _condensed_arrays(encoding: Encoding, model: Matcher) -> bytes:
    if not isinstance(model, Storable):
        return b""
    return save({name: np.ascontiguousarray(values) for name, values in model.condense(encoding).items()})


def match_row(query: Encoding, row: Mapping[str, Any], model: Matcher) -> PairResult:
    """The model's result for a query and a document of the index; raises `StoreError` if the row is damaged."""
    with damaged_row_errors(row):
        if isinstance(model, Storable):
            result = model.match(query, model.restore(load(row["arrays"])), explain=False)
        else:
            assert query.vector is not None
            vector = checked_numbers(row, "vector", len(query.vector))
            score = float(np.clip(query.vector @ vector, -1, 1))
            result = PairResult(score, query.coverage, Coverage(0, 0))
        if not np.isfinite(result.score):
            raise ValueError("its vectors give no score")
        return result
