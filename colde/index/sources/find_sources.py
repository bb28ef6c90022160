"""Where does it come from? The documents of an index that a text shares passages with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from colde.encoders.encoder_names import PACKAGED
from colde.errors import StoreError
from colde.index.index_rows import LIST_COLUMNS
from colde.index.index_schema import DOCUMENTS
from colde.index.passage_rows import document_passages, searched_sentences, searched_vectors
from colde.index.sources.candidate_comparison import SearchedDocument, shared_with
from colde.index.sources.counted_sources import Sources, count_sources
from colde.index.sources.passage_candidates import passage_candidates
from colde.index.sources.source_stretches import Exclusions, SharingDocument
from colde.index.store import Store
from colde.results.progress import OnProgress, Progress, Stage, ignore_progress
from colde.text.document import Document

CANDIDATES = 60
"""Documents of the index that are compared with the text at most."""
PATIENCE = 8
"""Candidates in a row without a shared passage after which no more are compared."""


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
    query = SearchedDocument.of(document, dict(zip(searched_sentences(document), vectors, strict=True)))
    sharing: list[SharingDocument] = []
    without = searched = 0
    for row in _rows(store, candidates):
        on_progress(Progress(Stage.SEARCHING, searched, len(candidates)))
        source = shared_with(query, row, encoder)
        sharing += [source] if source.passages else []
        without = 0 if source.passages else without + 1
        searched += 1
        if without == PATIENCE:
            break
    on_progress(Progress(Stage.SEARCHING, len(candidates), len(candidates)))
    return count_sources(document, sharing, exclusions, searched)


def _rows(store: Store, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of documents in this order, `PATIENCE` of them read at once."""
    for first in range(0, len(ids), PATIENCE):
        some = ids[first : first + PATIENCE]
        rows = store.rows_of(DOCUMENTS, [*LIST_COLUMNS, "packed", "sentences", "width"], some)
        yield from sorted(rows, key=lambda row: some.index(row["id"]))
