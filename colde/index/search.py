"""Hybrid retrieval: three rankings bring up documents, their ranks are joined, the model's score sorts them.

    document vector   nearest to the query's
    chunk vectors     the chunk of a document that is nearest to one of the query's
    words             BM25 of the query's most distinctive words

The first two are the model's view of the subject as a whole and of a part; the third finds a name or a rare word that
no vector holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from colde.alignment.sentence_matches import sentence_matches
from colde.index.index_results import HitPassage, Level
from colde.index.index_rows import damaged_row_errors, match_row
from colde.index.index_schema import CHUNKS, DOCUMENTS
from colde.index.store import Store
from colde.models.base import Matcher
from colde.models.stored_arrays import checked_numbers
from colde.passages.find_passages import find_passages
from colde.results.encoding import Encoding
from colde.results.progress import ignore_progress
from colde.results.shared_text import ClosestPair, SharedPassage
from colde.results.similarity_map import Array
from colde.text.document import Span
from colde.text.places import heading_above
from colde.text.word_weights.term_weights import word_weights

CANDIDATES = 100
"""Documents that each way brings up, and that are put in order by the score."""

MAX_QUERY_CHUNKS = 24  # of the query, evenly spread over it
NEIGHBOURS_PER_CHUNK = 50  # nearest chunks of each of these
MAX_QUERY_WORDS = 40
PARTITIONS, REFINE_FACTOR = 40, 3
"""Searched partitions of an approximate index, and how many times the hits are read in full: recall@10 is above 0.99
for a million chunks (docs/log/scale.md)."""
RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009: how little a first place counts above a tenth."""
MAX_PASSAGES = 3

DOCUMENT_VECTOR, CHUNK_VECTORS, WORDS = "document vector", "chunk vectors", "words"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that was brought up: its id, its score, and the ways that found it."""

    id: str
    score: float
    found_by: tuple[str, ...]


def candidates(
    store: Store,
    query: Encoding,
    scored: Encoding,
    model: Matcher,
    level: Level,
    where: str | None,
    limit: int,
) -> list[Candidate]:
    """Documents that may answer the query, by the model's score, best first.

    Args:
        query: with document and chunk vectors, by the model of the index.
        scored: the query as `model` encoded it.
        model: the model of the index for the profile of the search; it gives the scores.
        level: `document` gives the model's score, `passage` the cosine of the two nearest chunks.
        where: condition on the columns of documents, or None.
    """
    most = max(CANDIDATES, 5 * limit)
    ways, by_chunk = rankings(store, query, level, where, most)
    ids = reciprocal_rank(ways.values())[:most]
    scores = _scores(store, query, scored, model, ids, by_chunk, level)
    hits = [
        Candidate(i, scores[i], tuple(w for w, ranked in ways.items() if i in ranked))
        for i in ids
        if i in scores
    ]
    return sorted(hits, key=lambda c: -c.score)[:limit]


def reciprocal_rank(rankings: Iterable[Sequence[str]], k: int = RANK_CONSTANT) -> list[str]:
    """Items by the sum of 1 / (k + rank) over the rankings that hold them, best first (ranks from 1).

    Items of equal sums keep the order in which they first appear.
    """
    sums: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            sums[item] += 1 / (k + rank)
    return sorted(sums, key=lambda item: -sums[item])


def rankings(
    store: Store, query: Encoding, level: Level, where: str | None, most: int
) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Ids of documents by each way, best first, and the cosine of the nearest chunk of each; see `candidates`."""
    allowed = None if where is None else {row["id"] for row in store.rows(DOCUMENTS, ["id"], where)}
    with store.translated_errors():
        nearest = _nearest_documents(store, query, where, most)
        by_chunk = _nearest_chunks(store, query, allowed, most)
        by_words = _word_hits(store, query, level, allowed, where, most)
    return {DOCUMENT_VECTOR: nearest, CHUNK_VECTORS: list(by_chunk), WORDS: by_words}, by_chunk


def nearest_vectors(table: Any, vector: Array | Sequence[Array]) -> Any:
    """A query for the vectors nearest to one of length one, or to each of several, by |a − b|² = 2 − 2 cos.

    Partitions of l2 are of like sizes, those of the dot product are not. The last two calls bear on large tables only.
    """
    query_builder = table.search(vector, vector_column_name="vector").distance_type("l2")
    return query_builder.nprobes(PARTITIONS).refine_factor(REFINE_FACTOR)


def _nearest_documents(store: Store, query: Encoding, where: str | None, most: int) -> list[str]:
    assert query.vector is not None
    nearest = nearest_vectors(store.table(DOCUMENTS), query.vector)
    if where is not None:
        nearest = nearest.where(where, prefilter=True)
    return [row["id"] for row in nearest.select(["id", "_distance"]).limit(most).to_list()]


def _nearest_chunks(store: Store, query: Encoding, allowed: set[str] | None, most: int) -> dict[str, float]:
    """Cosine of the nearest chunk of each document, best first."""
    assert query.chunks is not None
    best: dict[str, float] = {}
    count = len(query.chunks)
    numbers = {round(i) for i in np.linspace(0, count - 1, min(MAX_QUERY_CHUNKS, count))}
    wanted = [query.chunks[i] for i in sorted(numbers)]
    # One query for all chunks takes a tenth of the time of one after the other.
    nearest_rows = nearest_vectors(store.table(CHUNKS), wanted if len(wanted) > 1 else wanted[0])
    limit = NEIGHBOURS_PER_CHUNK if allowed is None else most * 10
    for row in nearest_rows.select(["document", "_distance"]).limit(limit).to_list():
        name, distance = row["document"], row["_distance"]
        readable = distance is not None and np.isfinite(distance)  # not so of a damaged vector
        if readable and (allowed is None or name in allowed):
            best[name] = max(best.get(name, -1.0), 1.0 - float(distance) / 2)
    return dict(sorted(best.items(), key=lambda item: -item[1])[:most])


def _word_hits(
    store: Store, query: Encoding, level: Level, allowed: set[str] | None, where: str | None, most: int
) -> list[str]:
    """Documents by BM25 of the query's telling words, in their whole text or in their best chunk."""
    words = list(word_weights(query.document))[:MAX_QUERY_WORDS]
    if not words:
        return []
    name, key = (DOCUMENTS, "id") if level == "document" else (CHUNKS, "document")
    full_text = store.table(name).search(" ".join(words), query_type="fts")
    if where is not None and level == "document":
        full_text = full_text.where(where, prefilter=True)
    rows = full_text.select([key, "_score"]).limit(most if level == "document" else most * 5).to_list()
    ids = dict.fromkeys(row[key] for row in rows if allowed is None or row[key] in allowed)
    return list(ids)[:most]


def _scores(
    store: Store,
    query: Encoding,
    scored: Encoding,
    model: Matcher,
    ids: Sequence[str],
    by_chunk: Mapping[str, float],
    level: Level,
) -> dict[str, float]:
    if level == "passage":
        missing = [i for i in ids if i not in by_chunk]
        rows = store.rows_of(CHUNKS, ["document", "vector"], missing)
        assert query.chunks is not None
        rows_by_id = {i: by_chunk[i] for i in ids if i in by_chunk}
        there = {row["id"]: row for row in store.rows_of(DOCUMENTS, ["id", "name"], ids)}
        for row in rows:
            with damaged_row_errors(there.get(row["document"], row)):
                near = float((query.chunks @ checked_numbers(row, "vector", query.chunks.shape[1])).max())
            rows_by_id[row["document"]] = max(rows_by_id.get(row["document"], -1.0), near)
        return {i: float(np.clip(s, -1, 1)) for i, s in rows_by_id.items() if i in there}
    held = store.rows_of(DOCUMENTS, ["id", "name", "vector", "arrays"], ids)
    return {row["id"]: match_row(scored, row, model).score for row in held}


def passages(query: Encoding, hit: Encoding, encoder: str) -> tuple[HitPassage, ...]:
    """The first passages that a hit shares with the query, then the closest sentences; chunks where there are neither.

    Args:
        encoder: name of the encoder that a comparison of the two takes.
    """
    a, b = query.document, hit.document
    sentences = sentence_matches(a, b, ignore_progress, encoder)
    shared = find_passages(a, b, sentences)
    listed: list[SharedPassage | ClosestPair] = [] if shared is None else [*shared.passages, *shared.closest]
    pairs = [(item.a, item.b, item.certainty) for item in listed] or _chunk_pairs(query, hit)
    return tuple(
        HitPassage(
            b.text[other.start : other.end],
            heading_above(b, other.start),
            Span(span.start, span.end),
            certainty,
            Span(other.start, other.end),
        )
        for span, other, certainty in pairs[:MAX_PASSAGES]
    )


def _chunk_pairs(query: Encoding, hit: Encoding) -> list[tuple[Span, Span, float]]:
    if query.chunks is None or hit.chunks is None:
        return []
    values: Any = query.chunks @ hit.chunks.T
    order = np.argsort(-values, axis=None)[:MAX_PASSAGES]
    cells = [np.unravel_index(int(cell), values.shape) for cell in order]
    return [(query.chunk_spans[i], hit.chunk_spans[j], float(values[i, j])) for i, j in cells]
