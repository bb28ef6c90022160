"""Documents of an index that may share a passage with a text, from its passages alone.

Each passage of the text asks the table of passages twice: for the nearest vectors, which find other words for the same,
and for BM25 of its words, which finds rare words wherever they stand. Three rankings of documents are joined:

    nearest vector     the cosine of the nearest pair of passages
    strongest words    the highest BM25 of a pair of passages
    all words          the sum over the passages of the text of how much BM25 exceeds that of the last hit

The first two find one taken passage, the third finds many weak ones. Recall of each: docs/log/search.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from colde.index.index_schema import PASSAGES
from colde.index.search import nearest_vectors, reciprocal_rank
from colde.index.store import Store
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import words_of

HITS_PER_PASSAGE = 10
"""Passages of the index that each passage of the text brings up, by each way."""
PASSAGES_AT_ONCE = 256
"""Passages whose vectors are asked for in one query."""
RANK_CONSTANT = 10
"""Of the joined ranking: a first place in one way is worth more than fifth places in all."""
NEAREST, STRONGEST, ALL_WORDS = "nearest vector", "strongest words", "all words"


def passage_candidates(store: Store, texts: Sequence[str], vectors: Array) -> list[str]:
    """Ids of documents that may share a passage, the most likely first.

    Args:
        texts, vectors: the passages of the text, [passages, dimension].
    """
    return reciprocal_rank(passage_rankings(store, texts, vectors).values(), RANK_CONSTANT)


def passage_rankings(store: Store, texts: Sequence[str], vectors: Array) -> dict[str, list[str]]:
    """Ids of documents by each way, best first; see `passage_candidates`."""
    strongest: dict[str, float] = {}
    excess: dict[str, float] = defaultdict(float)
    with store.translated_errors():
        nearest = _nearest(store, vectors)
        for hits in _word_hits(store, texts):
            last = min(hits.values(), default=0.0)
            for name, score in hits.items():
                strongest[name] = max(strongest.get(name, 0.0), score)
                excess[name] += score - last
    return {NEAREST: _ranked(nearest), STRONGEST: _ranked(strongest), ALL_WORDS: _ranked(excess)}


def _ranked(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda name: (-scores[name], name))


def _nearest(store: Store, vectors: Array) -> dict[str, float]:
    """Cosine of the nearest passage of each document."""
    best: dict[str, float] = {}
    for first in range(0, len(vectors), PASSAGES_AT_ONCE):
        wanted = list(vectors[first : first + PASSAGES_AT_ONCE])
        query = nearest_vectors(store.table(PASSAGES), wanted if len(wanted) > 1 else wanted[0])
        for row in query.select(["document", "_distance"]).limit(HITS_PER_PASSAGE).to_list():
            name, distance = row["document"], row["_distance"]
            if distance is not None and np.isfinite(distance):  # not so of a damaged vector
                best[name] = max(best.get(name, -1.0), 1.0 - float(distance) / 2)
    return best


def _word_hits(store: Store, texts: Sequence[str]) -> Iterator[dict[str, float]]:
    """Yield the highest BM25 of each document that a passage brings up."""
    for text in texts:
        hits: dict[str, float] = {}
        if words := list(dict.fromkeys(words_of(text))):
            query = store.table(PASSAGES).search(" ".join(words), query_type="fts")
            for row in query.select(["document", "_score"]).limit(HITS_PER_PASSAGE).to_list():
                hits[row["document"]] = max(hits.get(row["document"], 0.0), float(row["_score"]))
        yield hits
