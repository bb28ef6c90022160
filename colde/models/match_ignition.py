"""Match-Ignition (Pang, Lan, Cheng 2021): filter sentences, then words, and match what is left.

    sentences of both documents → graph of shared words → PageRank → the best 5 of each       (3.1, `sentence_graph`)
    [CLS] A [SEP] B [SEP] → BERT that drops 10 % of its words after each layer → [CLS] → logit (3.2, `word_filter`)

Trained like `cross_encoder`, from which it differs in what is read; binary cross-entropy (equation 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from colde.document import Document, Span
from colde.models.cross_encoder import (
    CrossConfig,
    CrossNetwork,
    CrossViews,
    PreparedPair,
    paired,
    strongest,
    word_spans,
)
from colde.models.reading import DocumentTokens, Ints, Prepared, document_tokens, sentence_spans
from colde.models.sentence_graph import (
    MOST_SENTENCES,
    Ranks,
    SentenceWords,
    best,
    fit,
    pagerank,
    sentence_words,
    similarities,
)
from colde.models.siamese import prepared_of
from colde.models.word_filter import Strategy, WordFilter
from colde.similarity import Array, Encoding, Evidence, SimilarityMap

LINK_MEANING = (
    "The sentence graph between the documents: words two sentences share, other than stop words, over the logarithms "
    "of their lengths, as a share of the strongest link (1). Other words for the same thing count nothing."
)
RANK_MEANING = (
    "PageRank of each sentence in the graph of both documents, as a share of the text's best (1). The five best of "
    "each text are all that the network reads."
)
WORD_MEANING = (
    "How long the network held on to each word it read: the share of its layers that kept it (1 is all of them). It "
    "shows what was dropped as noise, not what made the score."
)


@dataclass(frozen=True, slots=True)
class MatchIgnitionConfig(CrossConfig):
    """Sizes and switches; each beside its source."""

    tokens: int = 400  # N in the example of 3.2.3
    sentence_filter: bool = True  # off: the first words of each text (table 5, word-level filter only)
    sentences: int = 5  # λ (4.2)
    damping: float = 0.85  # d of both PageRanks (4.2)
    ratio: float = 0.10  # α (4.2); 0: table 5, sentence-level filter only
    strategy: Strategy = "pagerank"  # table 7
    steps: int = 20  # T of equation 8; the paper names none


VARIANTS: Mapping[str, MatchIgnitionConfig] = {
    "match_ignition": MatchIgnitionConfig(),
    "match_ignition:sentences": MatchIgnitionConfig(ratio=0.0),
    "match_ignition:words": MatchIgnitionConfig(sentence_filter=False),
}
"""Registered name → settings (table 5)."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSentences(Prepared):
    """Word pieces of a document's sentences, and their words for the graph; without special tokens.

    Without the sentence filter `ids` are the first word pieces and the other fields are empty.

    Attributes:
        bounds: [sentences + 1], where each sentence begins and ends in `ids`.
        words, word_bounds, lengths: as in `SentenceWords`.
    """

    bounds: Ints
    words: Ints
    word_bounds: Ints
    lengths: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The sentence filter's answer for a pair: which sentences go on, and the ranks of all."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    ranks_a: Ranks
    ranks_b: Ranks


class MatchIgnitionNetwork(CrossNetwork):
    """Both filters around the cross-encoder."""

    kind: ClassVar[type[Prepared]] = PreparedSentences
    sentences: ClassVar[bool] = True
    config: MatchIgnitionConfig

    @property
    def filter(self) -> WordFilter:
        c = self.config
        return WordFilter(c.ratio, c.strategy, c.damping, c.steps)

    def reads(self) -> dict[str, Any]:
        return {"sentences": MOST_SENTENCES} if self.config.sentence_filter else super().reads()

    def taken(self, tokens: DocumentTokens) -> NDArray[np.int64]:
        """Positions of the tokens that `prepare` takes: of all sentences, or the first."""
        if not self.config.sentence_filter:
            return super().taken(tokens)
        return np.flatnonzero((tokens.sentence >= 0) & (tokens.sentence < MOST_SENTENCES))

    def prepare(self, document: Document) -> PreparedSentences:
        tokens = document_tokens(document)
        at = self.taken(tokens)
        sentences: Sequence[Span] = [s for _, s in document.sentences()][:MOST_SENTENCES]
        if not self.config.sentence_filter:
            sentences = []
        words = sentence_words([document.text[s.start : s.end] for s in sentences], document.language)
        bounds = np.searchsorted(tokens.sentence[at], np.arange(len(sentences) + 1)).astype(np.int32)
        return PreparedSentences(tokens.ids[at], bounds, words.words, words.bounds, words.lengths)

    def choose(self, a: PreparedSentences, b: PreparedSentences) -> Chosen:
        """The best sentences of each document in the graph of both (3.1)."""
        ranks = pagerank(similarities(_words(a), _words(b)), self.config.damping)
        of_a, of_b = ranks[: len(a.lengths)], ranks[len(a.lengths) :]
        most = self.config.sentences
        return Chosen(best(of_a, most), best(of_b, most), of_a, of_b)

    def join(self, a: Prepared, b: Prepared) -> PreparedPair:
        if not self.config.sentence_filter:
            return super().join(a, b)
        a, b = cast(PreparedSentences, a), cast(PreparedSentences, b)
        chosen = self.choose(a, b)
        from_a = _positions(a.bounds, chosen.a, self.budget)
        from_b = _positions(b.bounds, chosen.b, self.budget)
        return paired(a.ids[from_a], b.ids[from_b], from_a, from_b)


class MatchIgnition(CrossViews[MatchIgnitionNetwork]):
    """The matcher: what the filters kept is what is shown."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> MatchIgnitionNetwork:
        return MatchIgnitionNetwork(MatchIgnitionConfig(**settings))

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """Sentence graph, sentence ranks, how long each word was kept, attention between the sentences read."""
        look = self.look(a, b)
        config = self.network.config
        found: dict[str, SimilarityMap] = {}
        attention = self.attention_map(a, b, look)
        if config.sentence_filter:
            found |= self._graph_maps(a, b)
        if attention is not None:
            found["sentence_attention" if config.sentence_filter else "sentence"] = attention
        if config.ratio > 0:
            for side, encoding, at, layers in (
                ("a", a, look.a, look.layers_a),
                ("b", b, look.b, look.layers_b),
            ):
                if len(at):
                    found[f"within_{side}_word_kept"] = self._word_map(encoding, at, layers)
        return found

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The sentences that were kept, paired by the words they share; without the filter, by attention."""
        if not self.network.config.sentence_filter:
            return super().explain(a, b)
        chosen = self._chosen(a, b)
        links = _links(a, b)
        if not len(chosen.a) or not len(chosen.b):
            return []
        kept = SimilarityMap(
            links[np.ix_(chosen.a, chosen.b)],
            sentence_spans(a.document, chosen.a.tolist()),
            sentence_spans(b.document, chosen.b.tolist()),
            "term weight",
            LINK_MEANING,
        )
        return strongest(a, b, kept, self.card.name, "kept sentences")

    def _chosen(self, a: Encoding, b: Encoding) -> Chosen:
        return self.network.choose(
            cast(PreparedSentences, prepared_of(a)), cast(PreparedSentences, prepared_of(b))
        )

    def _graph_maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        chosen = self._chosen(a, b)
        rows = sentence_spans(a.document, range(len(chosen.ranks_a)))
        columns = sentence_spans(b.document, range(len(chosen.ranks_b)))
        found: dict[str, SimilarityMap] = {}
        if rows and columns:
            found["sentence"] = SimilarityMap(_links(a, b), rows, columns, "term weight", LINK_MEANING)
        for side, encoding, ranks, spans in (
            ("a", a, chosen.ranks_a, rows),
            ("b", b, chosen.ranks_b, columns),
        ):
            if spans:
                values = (ranks / ranks.max())[:, None].astype(np.float32)
                whole = (Span(0, len(encoding.document.text)),)
                found[f"within_{side}_sentence_rank"] = SimilarityMap(
                    values, spans, whole, "term weight", RANK_MEANING
                )
        return found

    def _word_map(self, encoding: Encoding, at: Ints, layers: Array) -> SimilarityMap:
        """One column: a word stays as long as one of its pieces does."""
        places = self.places(encoding)
        spans, first = word_spans(encoding.document, places.starts[at], places.ends[at])
        values = np.maximum.reduceat(layers, first)[:, None].astype(np.float32)
        whole = (Span(0, len(encoding.document.text)),)
        return SimilarityMap(values, spans, whole, "attribution", WORD_MEANING)


def _words(document: PreparedSentences) -> SentenceWords:
    return SentenceWords(document.words, document.word_bounds, document.lengths)


def _positions(bounds: Ints, chosen: NDArray[np.int64], budget: int) -> Ints:
    """Positions of the tokens of the chosen sentences, the longest cut where they are too many."""
    starts = bounds[chosen]
    lengths = fit(bounds[chosen + 1] - starts, budget)
    rows = [np.arange(s, s + n) for s, n in zip(starts, lengths, strict=True)]
    return np.concatenate([np.zeros(0, np.int32), *rows]).astype(np.int32)


def _links(a: Encoding, b: Encoding) -> Array:
    """Weights of the links from a's sentences to b's, the strongest is 1: [sentences a, sentences b]."""
    left, right = (_words(cast(PreparedSentences, prepared_of(e))) for e in (a, b))
    between = similarities(left, right)[: len(left), len(left) :].toarray()
    return np.asarray(between / max(between.max(initial=0.0), 1e-30), dtype=np.float32)
