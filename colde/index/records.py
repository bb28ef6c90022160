"""A document and its vectors as rows, and back."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from colde.errors import StoreError
from colde.index.hits import Indexed
from colde.index.tables import CHUNKS, DOCUMENTS, SECTIONS
from colde.ingest.wire import pack, unpack
from colde.models.base import Matcher, Storable
from colde.results.encoding import Encoding
from colde.results.maps import Array
from colde.results.score import Coverage
from colde.text.document import Chunk, Document

Row = dict[str, Any]

LIST_COLUMNS = ("id", "name", "folder", "title", "format", "sections", "chunks", "modified")


def content_id(document: Document) -> str:
    """SHA-256 of what was read: the text, its sections, and what of them is compared."""
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
    own = content_id(document)
    assert encoding.vector is not None and encoding.sections is not None and encoding.chunks is not None
    numbers = [i for i, _ in document.compared()]
    starts = {document.sections[i].start: i for i in numbers}
    sentences = encoding.sentences if encoding.sentences is not None else np.zeros((0, 0), np.float32)
    sections = [
        {
            "document": own,
            "number": starts[span.start],
            "heading": document.sections[starts[span.start]].heading,
            "vector": vector,
        }
        for span, vector in zip(encoding.section_spans, encoding.sections, strict=True)
    ]
    chunks = [
        {
            "document": own,
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
        "id": own,
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
        "sentences": sentences.astype(np.float16).tobytes(),
        "width": int(sentences.shape[1]),
        "arrays": _condensed(encoding, model),
        "modified": modified,
    }
    return {DOCUMENTS: [row], SECTIONS: sections, CHUNKS: chunks}


def indexed(row: Mapping[str, Any]) -> Indexed:
    """The description of a document from its row."""
    return Indexed(**{name: row[name] for name in LIST_COLUMNS if name in row})


def document_of(row: Mapping[str, Any]) -> Document:
    """The document that a row holds.

    Raises:
        StoreError: the row is damaged.
    """
    try:
        values = json.loads(zlib.decompress(row["packed"]).decode("utf-8", "surrogatepass"))
        return unpack(values)
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError) as error:
        raise StoreError(
            f"the index holds a damaged copy of {row.get('name')} ({error}): add it again"
        ) from None


def encoding_of(row: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]]) -> Encoding:
    """The document with its vectors, for comparing passages.

    Args:
        chunks: its rows of the table of chunks, in any order.
    """
    spans = sorted(chunks, key=lambda c: int(c["number"]))
    return Encoding(
        document=document_of(row),
        coverage=Coverage(0, 0),
        vector=np.asarray(row["vector"], np.float32),
        chunks=_stack([c["vector"] for c in spans]),
        sentences=_sentences(row),
        chunk_spans=tuple(Chunk(c["start"], c["end"], c["section"], c["tokens"]) for c in spans),
    )


def _condensed(encoding: Encoding, model: Matcher) -> bytes:
    """What a score needs, for a model that says so."""
    if not isinstance(model, Storable):
        return b""
    return save({name: np.ascontiguousarray(values) for name, values in model.condense(encoding).items()})


def score_of(query: Encoding, row: Mapping[str, Any], model: Matcher) -> float:
    """The model's score of a query and a document of the index; the cosine of their vectors where that is all it is.

    Raises:
        StoreError: the row is damaged.
    """
    if not isinstance(model, Storable):
        assert query.vector is not None
        return float(np.clip(query.vector @ np.asarray(row["vector"], np.float32), -1, 1))
    try:
        held = model.restore(load(row["arrays"]))
    except (SafetensorError, KeyError, ValueError) as error:
        raise StoreError(f"the index holds a damaged row ({error}): add its files to a new one") from None
    return model.match(query, held, explain=False).score


def _stack(vectors: Sequence[Sequence[float]]) -> Array | None:
    return np.asarray(vectors, np.float32) if vectors else None


def _sentences(row: Mapping[str, Any]) -> Array | None:
    """[sentences, width], or None for a model that gives no sentence vectors."""
    if not row["width"]:
        return None
    return np.frombuffer(row["sentences"], np.float16).reshape(-1, row["width"]).astype(np.float32)
