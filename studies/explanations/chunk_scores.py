"""Scores of documents with some of their chunks left out, computed from sums over chunks.

Nothing is encoded: the sentence vectors are those that `python -m studies.papers.sentence_vectors` has kept. A chunk is
a sum of its sentences, and it does not change when other chunks are left out. A test holds the scores and the
contributions against those of the models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor

from colde import models
from colde.corpus.corpus_folder import Pair, read_pairs
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.encoders.vector_math import group_sums
from colde.explain.contribution import distribute_weights
from colde.models.colde.attention import AttentionInput
from colde.models.colde.matcher import Colde
from colde.models.colde.network import ColdeNetwork
from colde.models.colde_words.mixture_matcher import ColdeWords
from colde.results.similarity_map import Array
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import Counts, Statistics, counts, shipped_statistics, weighted
from colde.training.colde_models.colde_objective import ColdeTraining
from colde.training.corpora.development_split import split_development
from colde.training.corpora.sentence_vectors import (
    load_layout,
    open_stored_vectors,
)
from studies.corpora import documents_by_name

Float64Array = NDArray[np.float64]
FRESH = ("project.weight",)
"""The trained tensors of CoLDE that `with_random_weights` replaces."""


@dataclass(frozen=True)
class ChunkedDocument:
    """The chunks of a document.

    Attributes:
        tokens: [chunks]; means: [chunks, width], token-weighted means of the unit vectors of their sentences.
        spans: of the chunks in the text; found: their words, [chunks, BUCKETS].
        segments: the chunk, the tokens and the mean of each of their segments.
    """

    tokens: Float64Array
    means: Array
    spans: tuple[Span, ...]
    word_counts: Counts
    segments: tuple[NDArray[np.int64], Float64Array, Array]

    @cached_property
    def shares(self) -> Counts:
        """How the occurrences of each word are spread over the chunks: [chunks, BUCKETS]."""
        shares = self.word_counts.astype(np.float64)
        shares.data /= np.asarray(shares.sum(0)).ravel()[shares.indices]
        return shares

    def words(self, kept: Float64Array, statistics: Statistics) -> Counts:
        """TF-IDF of the document with some chunks alone: kept [n, chunks], ones and zeros → [n, BUCKETS]."""
        return weighted(Counts(sparse.csr_matrix(kept) @ self.word_counts), statistics)

    @property
    def all_chunks(self) -> Float64Array:
        """All chunks: [1, chunks], ones."""
        return np.ones((1, len(self.tokens)))


def side_of(
    document: Document, sentences: Sentences, rows: NDArray[np.int64], units: Array
) -> ChunkedDocument:
    """The chunks of a document, of which these sentences are there, with their unit vectors [rows, width]."""
    present, chunk = np.unique(sentences.chunk[rows], return_inverse=True)
    tokens = sentences.tokens[rows].astype(np.float64)
    mass, means = _grouped(chunk, tokens, units)
    there, segment = np.unique(sentences.segment[rows], return_inverse=True)
    of = np.searchsorted(present, sentences.segment_chunk[there])
    texts: list[list[str]] = [[] for _ in present]
    spans = [sentences.spans[i] for i in rows]
    for c, s in zip(chunk, spans, strict=True):
        texts[c].append(document.text[s.start : s.end])
    spans_by_chunk = [[s for s, k in zip(spans, chunk, strict=True) if k == c] for c in range(len(present))]
    return ChunkedDocument(
        mass,
        means,
        tuple(Span(s[0].start, s[-1].end) for s in spans_by_chunk),
        counts(["\n".join(t) for t in texts]),
        (of, *_grouped(segment, tokens, units)),
    )


def _grouped(of: NDArray[np.intp], tokens: Float64Array, units: Array) -> tuple[Float64Array, Array]:
    """Tokens of each group of sentences, and their mean by tokens: [groups], [groups, width]."""
    mass = np.bincount(of, tokens)
    summed = group_sums(units * tokens[:, None], of, len(mass))
    return mass, np.asarray(summed / np.maximum(mass, 1)[:, None], dtype=np.float32)


class ChunkScorer(ABC):
    """A model over chunks."""

    @abstractmethod
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        """Scores of the documents with some chunks alone: [n, chunks], ones and zeros, of either → [n]."""

    @abstractmethod
    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        """The contribution of each pair of chunks to the score of both documents: [chunks of a, chunks of b]."""


class TfidfScorer(ChunkScorer):
    """The TF-IDF cosine."""

    def __init__(self, statistics: Statistics | None = None) -> None:
        self.statistics = statistics or shipped_statistics()

    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        left, right = (s.words(kept, self.statistics) for s, kept in ((a, kept_a), (b, kept_b)))
        return np.asarray(left.multiply(right).sum(1), dtype=np.float64).ravel()

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        left, right = (distribute_weights(s.shares, s.words(s.all_chunks, self.statistics)) for s in (a, b))
        return np.asarray((left @ right.T).toarray(), dtype=np.float64)


class MeanVectorScorer(ChunkScorer):
    """The cosine of the mean sentence vectors, as `minilm` has it."""

    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        left, right = ((kept * s.tokens) @ s.means for s, kept in ((a, kept_a), (b, kept_b)))
        lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        return np.asarray((left * right).sum(1) / np.maximum(lengths, 1e-12))

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        left, right = (s.means * s.tokens[:, None] for s in (a, b))
        lengths = np.linalg.norm(left.sum(0)) * np.linalg.norm(right.sum(0))
        return np.asarray(left @ right.T / max(float(lengths), 1e-12), dtype=np.float64)


class ColdeScorer(ChunkScorer):
    """CoLDE's network."""

    def __init__(self, model: Colde) -> None:
        self.network = model.network

    @torch.inference_mode()
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        attention = self.network.attention
        left, right = self._sides(a, kept_a), self._sides(b, kept_b)
        attended = attention.unnormalised_score(left, right) / (
            attention.self_similarity_root(left) * attention.self_similarity_root(right)
        )
        share = self.network.config.vector_share
        cosine = (_document_parts(left).sum(1) * _document_parts(right).sum(1)).sum(-1)
        score = (1 - share) * attended + share * cosine
        return np.asarray(score.clamp(-1, 1).double().numpy())

    @torch.inference_mode()
    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        attention = self.network.attention
        left, right = (self._sides(s, s.all_chunks) for s in (a, b))
        lengths = attention.self_similarity_root(left)[0] * attention.self_similarity_root(right)[0]
        attended = attention.pair_weights(left, right)[0][0] * (left.values[0] @ right.values[0].T) / lengths
        share = self.network.config.vector_share
        cosine = _document_parts(left)[0] @ _document_parts(right)[0].T
        seen = (1 - share) * attended + share * cosine
        contributions = np.zeros((len(a.tokens), len(b.tokens)))
        np.add.at(contributions, np.ix_(a.segments[0], b.segments[0]), seen.double().numpy())
        return contributions

    def _sides(self, side: ChunkedDocument, kept: Float64Array) -> AttentionInput:
        chunk, tokens, means = side.segments
        x = self.network.center_and_scale(torch.from_numpy(means)).expand(len(kept), -1, -1)
        mass = kept[:, chunk] * tokens
        shares = torch.from_numpy(mass / mass.sum(1, keepdims=True)).float()
        return self.network.attention_input(x, shares)


def _document_parts(side: AttentionInput) -> Tensor:
    """Parts of the document vectors by segment: [documents, segments, projection]; their sum has length one."""
    parts = side.values * side.mass.unsqueeze(-1)
    return parts / parts.sum(1, keepdim=True).norm(dim=-1, keepdim=True).clamp(min=1e-12)


class ColdeWordsScorer(ChunkScorer):
    """CoLDE + words."""

    def __init__(self, model: ColdeWords) -> None:
        self.model = model
        self.dense, self.exact = ColdeScorer(model.colde), TfidfScorer(model.words.statistics)

    @property
    def weights(self) -> tuple[float, float, float]:
        """Of CoLDE, of trained words and of TF-IDF."""
        w = self.model.weights
        total = w.dense + w.words + w.exact
        return w.dense / total, w.words / total, w.exact / total

    @torch.inference_mode()
    def scores(
        self, a: ChunkedDocument, b: ChunkedDocument, kept_a: Float64Array, kept_b: Float64Array
    ) -> Float64Array:
        words = self.model.words
        left, right = (
            words(words.known(s.words(kept, words.statistics))) for s, kept in ((a, kept_a), (b, kept_b))
        )
        cosine = (left * right).sum(-1).double().numpy()
        dense, exact = (part.scores(a, b, kept_a, kept_b) for part in (self.dense, self.exact))
        return np.asarray(sum(w * p for w, p in zip(self.weights, (dense, cosine, exact), strict=True)))

    def chunk_contributions(self, a: ChunkedDocument, b: ChunkedDocument) -> Float64Array:
        words = self.model.words
        left, right = (words.vector_parts(s.words(s.all_chunks, words.statistics), s.shares) for s in (a, b))
        parts = self.dense.chunk_contributions(a, b), left @ right.T, self.exact.chunk_contributions(a, b)
        return np.asarray(sum(w * p for w, p in zip(self.weights, parts, strict=True)))


def with_random_weights(model: ChunkScorer) -> ChunkScorer | None:
    """The same with random numbers for projection and word vectors; None for a model without trained weights."""
    if isinstance(model, ColdeScorer):
        torch.manual_seed(17)
        fresh = ColdeNetwork(model.network.config).state_dict()
        other = deepcopy(model)
        other.network.load_state_dict({**model.network.state_dict(), **{k: fresh[k] for k in FRESH}})
        return other
    if isinstance(model, ColdeWordsScorer):
        other_words = copy(model)
        other_words.model = copy(model.model)
        other_words.model.words = deepcopy(model.model.words)
        torch.manual_seed(18)
        table = other_words.model.words.table
        table.data.copy_(torch.randn_like(table) / table.shape[1] ** 0.5)
        dense = with_random_weights(model.dense)
        assert isinstance(dense, ColdeScorer)
        other_words.dense = dense
        return other_words
    return None


def scored(name: str, profile: str) -> ChunkScorer:
    """A model as it ships."""
    model = models.load(name)
    if isinstance(model, ColdeWords):
        return ColdeWordsScorer(model.for_profile(profile))
    if isinstance(model, Colde):
        return ColdeScorer(model)
    return {"tfidf": TfidfScorer, "minilm": MeanVectorScorer}[name]()


class StoredDocuments:
    """Labelled pairs of a corpus whose sentence vectors are stored.

    Attributes:
        pairs: drawn at random, at most `count` of each label, with both documents.
    """

    def __init__(
        self, corpus: Path, sentences: Path, pairs: Sequence[Pair], count: int, tokens: int | None = None
    ) -> None:
        """Args:
        tokens: read of each document, of the sentences that are stored; None: all.
        """
        self._layouts = load_layout(corpus, sentences)
        self._stored = open_stored_vectors(corpus, sentences, self._layouts)
        self._index = {name: d for d, name in enumerate(self._layouts.names)}
        self._tokens = tokens
        ready = [p for p in pairs if self._is_ready(p)]
        taken: Counter[int | None] = Counter()
        chosen = []
        for i in np.random.default_rng(0).permutation(len(ready)):
            if taken[ready[i].label] < count:
                taken[ready[i].label] += 1
                chosen.append(ready[i])
        wanted = {n for p in chosen for n in (p.source, p.target)}
        known = {n: self._document(d, n) for n, d in documents_by_name(corpus, wanted).items()}
        self.pairs = [(p, known[p.source], known[p.target]) for p in chosen]

    def _is_ready(self, pair: Pair) -> bool:
        rows = (self._stored.of(self._index[n]) for n in (pair.source, pair.target))
        return all(self._stored.ready[r].all() for r in rows)

    def _document(self, document: Document, name: str) -> ChunkedDocument:
        at = self._stored.of(self._index[name])
        sentences = read_sentences(document, default_tokenizer())
        rows = self._stored.sentence[at] - self._layouts.first[self._index[name]]
        if self._tokens is not None:
            rows = rows[: max(1, int(np.searchsorted(np.cumsum(sentences.tokens[rows]), self._tokens)))]
        vectors = np.asarray(self._stored.vectors[at][: len(rows)], dtype=np.float32)
        return side_of(document, sentences, rows, vectors)


def sides(corpus: Path, sentences: Path, count: int) -> list[tuple[str, ChunkedDocument, ChunkedDocument]]:
    """Related pairs held back, drawn at random, with the name of the first document; fewer where there are no more."""
    carved = split_development(corpus.name, read_pairs(corpus / "train.tsv"), ColdeTraining().aside)
    held = [*read_pairs(corpus / "valid.tsv"), *carved.one, *carved.none]
    related = [p for p in held if p.label == 1]
    return [(p.source, a, b) for p, a, b in StoredDocuments(corpus, sentences, related, count).pairs]
