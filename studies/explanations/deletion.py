"""Pairs of documents whose passages are left out in some order, and how far a score falls.

A `Pair` holds orders that need no model: at random, by the strongest raw cosine of MiniLM vectors with a passage of the
other document, by the strongest TF-IDF cosine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from colde.comparison.questions.deletion_test import first_share
from colde.corpus.corpus_folder import read_pairs
from colde.encoders.encoders_by_name import shared_encoder
from colde.encoders.sentence_encoder import join_pieces, shared_sentence_encoder
from colde.encoders.sentence_layout import read_sentences
from colde.encoders.vector_cache import VectorCache
from colde.encoders.vector_math import cosines
from colde.models.base import Matcher
from colde.results.similarity_map import Array
from colde.text.chunks import chunk_document, default_tokenizer
from colde.text.document import Document, Span
from colde.text.sections.parts_without_headings import split_into_parts
from colde.text.sections.passage_removal import leave_out
from colde.text.word_weights.term_weights import shipped_statistics, tfidf, word_cosines
from studies.corpora import documents_by_name
from studies.encode_texts import encode_ids, frame_texts

RANDOM = 3  # orders at random, whose curves are averaged
CHANCE, COSINE, WORDS = "random", "cosine", "TF-IDF"
BASELINES = (CHANCE, COSINE, WORDS)

Float64Array = NDArray[np.float64]
Place = tuple[int, Span]
"""0 or 1 for the first or second document, and a passage of it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two related documents, and the orders of their passages that need no model."""

    documents: tuple[Document, Document]
    orders: Mapping[str, list[list[Place]]]

    @property
    def places(self) -> list[Place]:
        """Every passage, in reading order."""
        return sorted(self.orders[CHANCE][0], key=lambda p: (p[0], p[1].start))


def related(corpus: Path, count: int, seed: int) -> list[tuple[Document, Document]]:
    """Related validation pairs, drawn at random, no document twice; fewer where there are no more."""
    rows = [(p.source, p.target) for p in read_pairs(corpus / "valid.tsv") if p.label == 1]
    chosen: list[tuple[str, str]] = []
    used: set[str] = set()
    for k in np.random.default_rng(seed).permutation(len(rows)):
        if len(chosen) < count and not used & set(rows[k]):
            chosen.append(rows[k])
            used |= set(rows[k])
    texts = {name: split_into_parts(d) for name, d in documents_by_name(corpus, used).items()}
    return [(texts[a], texts[b]) for a, b in chosen]


def chunk_spans(document: Document) -> list[Span]:
    """Chunks of 512 tokens, for models that have no chunks."""
    return [Span(c.start, c.end) for c in chunk_document(document, default_tokenizer()).chunks]


def pair_of_chunks(documents: tuple[Document, Document], spans: Sequence[Sequence[Span]], seed: int) -> Pair:
    """Both documents, chunk by chunk: the chunks of the model, so that its values are those of what is left out."""
    places: list[list[Place]] = [
        [(side, Span(s.start, s.end)) for s in side_spans] for side, side_spans in enumerate(spans)
    ]
    vectors = [
        _vectors([d.text[s.start : s.end] for s in side_spans])
        for d, side_spans in zip(documents, spans, strict=True)
    ]
    return Pair(documents, _orders(documents, places, vectors, seed))


def _vectors(texts: Sequence[str]) -> Array:
    """MiniLM vectors of passages, from the disk where they are known."""
    encoder = shared_encoder()
    ids = frame_texts(list(texts), default_tokenizer())
    cache = VectorCache.from_environment(encoder.tag)
    known = cache.load(ids) if cache is not None else None
    if known is None:
        known = encode_ids(encoder, ids)
        if cache is not None:
            cache.save(ids, known)
    return known


def pair_of_sentences(model: Matcher, documents: tuple[Document, Document], seed: int) -> Pair:
    """The documents as far as the model reads them, sentence by sentence."""
    result = model.match(*model.encode(documents, explain=False), explain=False)
    unread = result.coverage_a.unread, result.coverage_b.unread
    a, b = (leave_out(d, spans) for d, spans in zip(documents, unread, strict=True))
    places: list[list[Place]] = [
        [(side, Span(s.start, s.end)) for _, s in d.sentences()] for side, d in enumerate((a, b))
    ]
    sentences = [read_sentences(d, default_tokenizer()) for d in (a, b)]
    vectors = [
        join_pieces(f, units)
        for f, units in zip(sentences, shared_sentence_encoder().read([a, b], sentences), strict=True)
    ]
    return Pair((a, b), _orders((a, b), places, vectors, seed))


def _orders(
    documents: Sequence[Document], places: Sequence[list[Place]], vectors: Sequence[Array], seed: int
) -> dict[str, list[list[Place]]]:
    texts = [
        [d.text[s.start : s.end] for _, s in document_places]
        for d, document_places in zip(documents, places, strict=True)
    ]
    words = word_cosines(*(tfidf(document_texts, shipped_statistics()) for document_texts in texts))
    orders = model_free_orders([*places[0], *places[1]], cosines(*vectors), words, seed, RANDOM)
    return dict(zip(BASELINES, orders, strict=True))


def model_free_orders(
    places: Sequence[Place], meaning: Array, words: Array, seed: int, draws: int
) -> tuple[list[list[Place]], ...]:
    """Orders of the passages of both documents: several at random, by the strongest cosine of meaning, and of words.

    Args:
        places: passages of the first document, then those of the second.
    """
    random = np.random.default_rng(seed)
    chance = [[places[int(k)] for k in random.permutation(len(places))] for _ in range(draws)]
    strongest = (np.concatenate([values.max(1), values.max(0)]) for values in (meaning, words))
    return chance, *([by_value(places, values)] for values in strongest)


def by_value(places: Sequence[Place], values: Array | Float64Array) -> list[Place]:
    """The passages, those of the greatest value first."""
    return [places[int(k)] for k in np.argsort(-values, kind="stable")]


def curve(
    model: Matcher, pair: Pair, order: Sequence[Place], score: float, shares: Iterable[float]
) -> tuple[float, float]:
    """Loss by deletion of the first passages of an order, and score of these alone: means over shares of the text."""
    lost, kept = [], []
    for share in shares:
        lost.append(score - without(model, pair, first_share(order, share)))
        kept.append(without(model, pair, rest(order, share)))
    return float(np.mean(lost)), float(np.mean(kept))


def rest(order: Sequence[Place], share: float) -> list[Place]:
    """All but the first passages, a share of the text or just more; each document keeps its first one."""
    enough = share * sum(len(s) for _, s in order)
    seen: set[int] = set()
    left: list[Place] = []
    kept = 0
    for side, span in order:
        if kept >= enough and side in seen:
            left.append((side, span))
        else:
            kept += len(span)
        seen.add(side)
    return left


def without(model: Matcher, pair: Pair, removed: Sequence[Place]) -> float:
    """The score without some passages; 0 where a document has nothing left."""
    documents = [
        leave_out(d, [s for side, s in removed if side == number]) for number, d in enumerate(pair.documents)
    ]
    if not all(any(True for _ in d.compared()) for d in documents):
        return 0.0
    return model.match(*model.encode(documents, explain=False), explain=False).score
