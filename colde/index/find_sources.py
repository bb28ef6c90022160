"""Where does it come from? The documents of an index that a text shares passages with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from colde.alignment.sentence_matches import sentence_matches
from colde.comparison.standard_text import prepare_documents
from colde.encoders.encoder_names import PACKAGED
from colde.errors import StoreError
from colde.index.counted_sources import Sources, count_sources
from colde.index.index_rows import (
    LIST_COLUMNS,
    content_hash,
    damaged_row_errors,
    document_of,
    indexed_document,
)
from colde.index.index_schema import DOCUMENTS
from colde.index.passage_candidates import passage_candidates
from colde.index.passage_rows import (
    document_passages,
    searched_sentences,
    searched_vectors,
    sentences_of_row,
)
from colde.index.source_stretches import Exclusions, SharingDocument
from colde.index.store import Store
from colde.passages.find_passages import find_passages
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.results.shared_text import SAME_MEANING, SharedText
from colde.results.similarity_map import Array, Letter
from colde.text.document import Document, Span
from colde.text.parts_without_headings import split_into_parts

CANDIDATES = 60
"""Documents of the index that are compared with the text at most."""
PATIENCE = 8
"""Candidates in a row without a shared passage after which no more are compared."""
VERSION = 0.5
"""Share of the words of both texts that the other has, from which they are versions of each other: of sources of PAN,
at least one of the two is below 0.2."""


def find_sources(
    store: Store,
    document: Document,
    encoder: str,
    exclusions: Exclusions,
    on_progress: OnProgress = ignore_progress,
) -> Sources:
    """The documents that share passages with a text: candidates by its passages, then a search in each of them.

    Args:
        store: the tables of the index.
        document: as it is indexed.
        encoder: name of the encoder of the index.

    Raises:
        StoreError: the index was made before passages were kept.
    """
    if not store.meta.passages:
        raise StoreError(
            f"{store.storage.where} was made by an earlier version, which kept no passages: "
            f"colde index rebuild --index {store.storage.where} adds them"
        )
    vectors = searched_vectors(document)
    index_vectors = vectors if encoder == PACKAGED else searched_vectors(document, encoder)
    spans, of_passages = document_passages(document, index_vectors)
    texts = [document.text[span.start : span.end] for span in spans]
    candidates = passage_candidates(store, texts, of_passages)[:CANDIDATES]
    known = dict(zip(searched_sentences(document), vectors, strict=True))
    sharing: list[SharingDocument] = []
    without = searched = 0
    for document_id in candidates:
        on_progress(Progress(Stage.SEARCHING, searched, len(candidates)))
        for row in store.rows_of(DOCUMENTS, [*LIST_COLUMNS, "packed", "sentences", "width"], [document_id]):
            source = _source(row, document, known, encoder)
            sharing += [source] if source.passages else []
            without = 0 if source.passages else without + 1
            searched += 1
        if without == PATIENCE:
            break
    on_progress(Progress(Stage.SEARCHING, len(candidates), len(candidates)))
    return count_sources(document, sharing, exclusions, searched)


def _source(
    row: Mapping[str, Any], document: Document, known: Mapping[Span, Array], encoder: str
) -> SharingDocument:
    """A document of the index with the passages that it shares with the text, as a comparison of the two finds them."""
    text = document_of(row)
    with damaged_row_errors(row):
        vectors = sentences_of_row(row, searched_sentences(text))
    a, b = (split_into_parts(d) for d in prepare_documents([document, text]))
    pair = [_vectors_of(a, known), _vectors_of(b, vectors)]
    both = [v for v in pair if v is not None]
    sentences = sentence_matches(a, b, ignore_progress, encoder, both if len(both) == len(pair) else None)
    shared = find_passages(a, b, sentences)
    passages = () if shared is None else tuple(p for p in shared.passages if p.kind in SAME_MEANING)
    same = content_hash(text) == content_hash(document)
    version = same or (shared is not None and min(_same(shared, "a"), _same(shared, "b")) >= VERSION)
    return SharingDocument(
        indexed_document(row), text, tuple(replace(p, parts=()) for p in passages), bool(version)
    )


def _vectors_of(document: Document, known: Mapping[Span, Array]) -> Array | None:
    """Vectors of the searched sentences; None where one is not known, because a border cuts it."""
    sentences = searched_sentences(document)
    return (
        np.array([known[s] for s in sentences]) if sentences and all(s in known for s in sentences) else None
    )


def _same(shared: SharedText, side: Letter) -> float:
    """Share of the words of a text that says the same as the other."""
    shares = shared.a if side == "a" else shared.b
    return sum(shares[kind] for kind in SAME_MEANING)
