"""The graph of concepts of two documents (Liu et al. 2019, section 3), which CIG's network reads.

keywords: the words of greatest TF-IDF weight in both; two are linked where a sentence holds both
concepts: communities of keywords;  each sentence belongs to the concept it is most like by TF-IDF
two concepts are linked by the TF-IDF cosine of their sentences
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx
import numpy as np
from numpy.typing import NDArray

from colde.models.shared.network_input import Ints, ModelInput
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Statistics
from studies.papers.bag_similarities import SIMILARITIES, bag_of, similarities

KEYWORDS = 30
"""Of both documents; the paper takes those of a keyword extractor."""


@dataclass(frozen=True, slots=True, eq=False)
class ConceptText(ModelInput):
    """The first sentences of a document: `ids` are their word pieces.

    Attributes:
        pieces: [sentences], how many word pieces each has.
        columns: the telling words of all sentences, one after the other, as columns of `term_weights.counts`.
        words: [sentences], how many each has.
    """

    pieces: Ints
    columns: Ints
    words: Ints

    def sentences(self) -> list[NDArray[np.int64]]:
        """The telling words of each sentence."""
        return np.split(self.columns.astype(np.int64), np.cumsum(self.words)[:-1]) if len(self.words) else []

    def piece_ids(self) -> list[Ints]:
        """The word pieces of each sentence."""
        return np.split(self.ids, np.cumsum(self.pieces)[:-1]) if len(self.pieces) else []


@dataclass(frozen=True, slots=True, eq=False)
class ConceptGraph(ModelInput):
    """Concepts of a pair, those without a sentence left out; one without anything where there is none.

    Attributes:
        similarities: [concepts, 5], of the sentences of both documents that belong to each.
        links: [concepts, concepts], symmetric, 0 on the diagonal.
        pieces: [concepts][2], word pieces of each side's sentences.
        overall: [5], similarities of the whole texts.
    """

    similarities: Array
    links: Array
    pieces: tuple[tuple[Ints, Ints], ...]
    overall: Array

    @property
    def size(self) -> int:
        """About what a concept costs in word pieces: batches of graphs are one matrix."""
        return 64 * len(self.links)


def concept_graph(a: ConceptText, b: ConceptText, statistics: Statistics) -> ConceptGraph:
    """The graph of two documents; the same for (b, a) but for the sides."""
    sentences = (a.sentences(), b.sentences())
    of_sentences = [s for side in sentences for s in side]
    groups = communities(keywords(of_sentences, statistics), of_sentences)
    owner = assign_sentences(of_sentences, groups, statistics)
    sides = np.repeat([0, 1], [len(s) for s in sentences])
    pieces = [*a.piece_ids(), *b.piece_ids()]
    values, texts, ids = [], [], []
    for concept in np.unique(owner[owner >= 0]):
        at = [np.flatnonzero((owner == concept) & (sides == side)) for side in (0, 1)]
        words = [_joined([of_sentences[i] for i in places]) for places in at]
        values.append(similarities(bag_of(words[0]), bag_of(words[1]), statistics))
        texts.append(np.concatenate(words))
        left, right = (_joined([pieces[i] for i in places]).astype(np.int32) for places in at)
        ids.append((left, right))
    overall = similarities(bag_of(a.columns.tolist()), bag_of(b.columns.tolist()), statistics)
    if not values:
        empty = np.zeros(0, np.int32)
        return ConceptGraph(
            empty,
            np.zeros((1, len(SIMILARITIES)), np.float32),
            np.zeros((1, 1), np.float32),
            ((empty, empty),),
            overall,
        )
    return ConceptGraph(
        np.zeros(0, np.int32), np.stack(values), _links(texts, statistics), tuple(ids), overall
    )


def keywords(sentences: Sequence[NDArray[np.int64]], statistics: Statistics) -> NDArray[np.int64]:
    """The columns of greatest (1 + ln count) · idf, at most `KEYWORDS`, rising."""
    columns, count = bag_of(_joined(sentences).tolist())
    weight = (1 + np.log(count)) * statistics.idf[columns]
    return np.sort(columns[np.argsort(-weight, kind="stable")[:KEYWORDS]])


def communities(words: NDArray[np.int64], sentences: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Groups of keywords by modularity of the graph of who stands in one sentence with whom; largest first."""
    graph = networkx.Graph()
    graph.add_nodes_from(words.tolist())
    for sentence in sentences:
        held = np.intersect1d(sentence, words)
        for x, y in combinations(held.tolist(), 2):
            before = graph.get_edge_data(x, y, {"weight": 0})["weight"]
            graph.add_edge(x, y, weight=before + 1)
    if not graph.number_of_edges():
        return [np.array([w]) for w in words]
    groups = networkx.community.greedy_modularity_communities(graph, weight="weight")
    return [np.array(sorted(group)) for group in groups]


def assign_sentences(
    sentences: Sequence[NDArray[np.int64]], groups: Sequence[NDArray[np.int64]], statistics: Statistics
) -> NDArray[np.int64]:
    """The concept each sentence is most like; −1 for one without a keyword: [sentences]."""
    owner = np.full(len(sentences), -1, dtype=np.int64)
    lengths = [np.linalg.norm(statistics.idf[g]) for g in groups]
    for i, sentence in enumerate(sentences):
        likeness = [
            float((statistics.idf[np.intersect1d(sentence, g)] ** 2).sum() / max(n, 1e-9))
            for g, n in zip(groups, lengths, strict=True)
        ]
        if likeness and max(likeness) > 0:
            owner[i] = int(np.argmax(likeness))
    return owner


def _links(texts: Sequence[NDArray[np.int64]], statistics: Statistics) -> Array:
    """TF-IDF cosine of every two concepts' sentences."""
    weights = np.zeros((len(texts), len(texts)), np.float32)
    bags = [bag_of(t.tolist()) for t in texts]
    for i, j in combinations(range(len(texts)), 2):
        weights[i, j] = weights[j, i] = similarities(bags[i], bags[j], statistics)[0]
    return weights


def _joined(parts: Sequence[NDArray[np.integer]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, np.int64), *parts])
