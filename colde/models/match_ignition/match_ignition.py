"""Match-Ignition (Pang, Lan, Cheng 2021): filter sentences, then words, and match what is left.

    sentences of both documents → graph of shared words → PageRank → the best 5 of each       (3.1, `sentence_graph`)
    [CLS] A [SEP] B [SEP] → BERT that drops 10 % of its words after each layer → [CLS] → logit (3.2, `word_filter`)

Trained like `cross_encoder`, which differs in its input; binary cross-entropy (equation 9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from colde.models.cross_encoder.cross_encoder import (
    CrossConfig,
    CrossEncoding,
    CrossMatcher,
    CrossNetwork,
    PairInput,
    WordAttention,
    paired,
    read_positions,
    read_tokens,
    words_read,
)
from colde.models.cross_encoder.word_filter import Strategy, WordFilter
from colde.models.match_ignition.sentence_graph import (
    MOST_SENTENCES,
    Graph,
    Ranks,
    SentenceWords,
    best,
    fit,
    pagerank,
    sentence_words,
    similarities,
)
from colde.models.shared.bi_cross_encoder import input_of
from colde.models.shared.network_input import (
    DocumentTokens,
    Ints,
    ModelInput,
    coverage_of,
    document_tokens,
    group_spans,
    sentence_spans,
    word_start_flags,
)
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, Side, SimilarityMap, sides
from colde.text.document import Document, Span

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
    joint: bool = True  # off: figure 3a, a graph for each document by itself (TextRank)
    sentences: int = 5  # λ (4.2)
    damping: float = 0.85  # d of both PageRanks (4.2)
    ratio: float = 0.10  # α (4.2); 0: table 5, sentence-level filter only
    strategy: Strategy = "pagerank"  # table 7
    steps: int = 20  # T of equation 8; the paper names none


@dataclass(frozen=True, slots=True, eq=False)
class SentencesInput(ModelInput):
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
class SelectedSentences:
    """Sentences of a pair that the sentence filter chose.

    Attributes:
        a, b: positions of the chosen sentences.
        ranks_a, ranks_b: [sentences of a], [sentences of b], the PageRank of all.
        graph: [sentences, sentences], a's first.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    ranks_a: Ranks
    ranks_b: Ranks
    graph: Graph

    @property
    def links(self) -> Array:
        """Weights of the links from a's sentences to b's, the strongest is 1: [sentences a, sentences b]."""
        between = self.graph[: len(self.ranks_a), len(self.ranks_a) :].toarray()
        return np.asarray(between / max(between.max(initial=0.0), 1e-30), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class FilteredPair:
    """A pass over a pair.

    Attributes:
        read: the network's input, in both orders.
        words: those that were read; None without an explanation.
        chosen: by the sentence filter; None without it.
    """

    read: tuple[PairInput, PairInput]
    words: WordAttention | None
    chosen: SelectedSentences | None


class MatchIgnitionNetwork(CrossNetwork):
    """Both filters around the cross-encoder."""

    input_type: ClassVar[type[ModelInput]] = SentencesInput
    sentences: ClassVar[bool] = True
    config: MatchIgnitionConfig

    @property
    def filter(self) -> WordFilter:
        c = self.config
        return WordFilter(c.ratio, c.strategy, c.damping, c.steps)

    def input_settings(self) -> dict[str, Any]:
        return {"sentences": MOST_SENTENCES} if self.config.sentence_filter else super().input_settings()

    def token_positions(self, tokens: DocumentTokens) -> NDArray[np.int64]:
        """Positions of the tokens that `prepare` takes: of all sentences, or the first."""
        if not self.config.sentence_filter:
            return super().token_positions(tokens)
        return np.flatnonzero((tokens.sentence >= 0) & (tokens.sentence < MOST_SENTENCES))

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> SentencesInput:
        tokens = document_tokens(document) if tokens is None else tokens
        at = self.token_positions(tokens)
        sentences: Sequence[Span] = [s for _, s in document.sentences()][:MOST_SENTENCES]
        if not self.config.sentence_filter:
            sentences = []
        words = sentence_words([document.text[s.start : s.end] for s in sentences], document.language)
        bounds = np.searchsorted(tokens.sentence[at], np.arange(len(sentences) + 1)).astype(np.int32)
        return SentencesInput(tokens.ids[at], bounds, words.words, words.bounds, words.lengths)

    def choose(self, a: SentencesInput, b: SentencesInput) -> SelectedSentences:
        """The best sentences of each document in the graph of both (3.1), or of each in its own."""
        graph = similarities(_words(a), _words(b))
        cut = len(a.lengths)
        if self.config.joint:
            ranks = pagerank(graph, self.config.damping)
            of_a, of_b = ranks[:cut], ranks[cut:]
        else:
            of_a, of_b = (pagerank(g, self.config.damping) for g in (graph[:cut, :cut], graph[cut:, cut:]))
        most = self.config.sentences
        return SelectedSentences(best(of_a, most), best(of_b, most), of_a, of_b, graph)

    def join(self, a: ModelInput, b: ModelInput) -> PairInput:
        if not self.config.sentence_filter:
            return super().join(a, b)
        a, b = cast(SentencesInput, a), cast(SentencesInput, b)
        return self.join_chosen(a, b, self.choose(a, b))[0]

    def join_chosen(
        self, a: SentencesInput, b: SentencesInput, chosen: SelectedSentences
    ) -> tuple[PairInput, PairInput]:
        """The chosen sentences of both documents, in both orders."""
        from_a = _positions(a.bounds, chosen.a, self.budget)
        from_b = _positions(b.bounds, chosen.b, self.budget)
        ids_a, ids_b = a.ids[from_a], b.ids[from_b]
        return paired(ids_a, ids_b, from_a, from_b), paired(ids_b, ids_a, from_b, from_a)


class MatchIgnition(CrossMatcher[MatchIgnitionNetwork, FilteredPair]):
    """Match-Ignition as a Matcher: shows the sentences and words that its filters keep."""

    network_class = MatchIgnitionNetwork
    config_class = MatchIgnitionConfig

    def coverage(self, a: Encoding, b: Encoding, run: FilteredPair) -> tuple[Coverage, Coverage]:
        """The chosen sentences alone: the filter looks at many more."""
        of_a, of_b = read_positions(run.read[0])
        return _coverage(a, of_a), _coverage(b, of_b)

    def run(self, a: Encoding, b: Encoding, explain: bool) -> tuple[Tensor, FilteredPair | None]:
        network = self.network
        first, second = cast(SentencesInput, input_of(a)), cast(SentencesInput, input_of(b))
        chosen = network.choose(first, second) if network.config.sentence_filter else None
        if chosen is not None:
            both = network.join_chosen(first, second, chosen)
        else:
            both = network.join(first, second), network.join(second, first)
        if not explain:
            return network.logits(both), FilteredPair(both, None, chosen)
        filtered = network.run_filter(both)
        return network.pair_logits(filtered.first), FilteredPair(both, words_read(both, filtered), chosen)

    def explanation(
        self, a: Encoding, b: Encoding, run: FilteredPair, score: float
    ) -> dict[str, SimilarityMap]:
        """Sentence graph, sentence ranks, how long each word was kept, and contributions of the sentences read.

        The network's own attention is within 1 % of an even one and is not shown.
        """
        words = run.words
        assert words is not None
        maps: dict[str, SimilarityMap] = {}
        if run.chosen is not None:
            maps |= _graph_maps(a, b, run.chosen)
        if self.network.config.ratio > 0:
            for side, (e, at, layers) in sides((a, words.a, words.layers_a), (b, words.b, words.layers_b)):
                if len(at):
                    maps[f"{side}_word_kept"] = _word_map(e, side, at, layers)
        return maps | self.contributions(a, b, (words.a, words.b), score)


def _coverage(encoding: Encoding, read: Ints) -> Coverage:
    """Coverage by the tokens that were read: positions in the document's `ids`."""
    known = require_encoding(encoding, CrossEncoding)
    everything = known.everything
    return coverage_of(everything, np.isin(everything.starts, known.tokens.starts[read]))


def _graph_maps(a: Encoding, b: Encoding, chosen: SelectedSentences) -> dict[str, SimilarityMap]:
    rows = sentence_spans(a.document, range(len(chosen.ranks_a)))
    columns = sentence_spans(b.document, range(len(chosen.ranks_b)))
    maps: dict[str, SimilarityMap] = {}
    if rows and columns:
        maps["sentence"] = SimilarityMap(
            chosen.links,
            rows,
            columns,
            "term weight",
            LINK_MEANING,
            role="words",
            level="sentence",
            unit="share of the strongest link",
            limits=(0.0, 1.0),
        )
    for side, (e, ranks, spans) in sides((a, chosen.ranks_a, rows), (b, chosen.ranks_b, columns)):
        if spans:
            maps[f"{side}_sentence_rank"] = SimilarityMap(
                (ranks / ranks.max())[:, None],
                spans,
                (Span(0, len(e.document.text)),),
                "term weight",
                RANK_MEANING,
                role="rank",
                level="sentence",
                side=side,
                form="weights",
                unit="share of the best rank",
                limits=(0.0, 1.0),
            )
    return maps


def _word_map(encoding: Encoding, side: Side, at: Ints, layers: Array) -> SimilarityMap:
    """One column: a word is kept as long as one of its pieces is.

    Args:
        at: [pieces], positions of the word pieces read.
        layers: [pieces], share of the layers that kept each.
    """
    tokens = read_tokens(encoding).at(at)
    first = np.flatnonzero(word_start_flags(encoding.document.text, tokens.starts, tokens.ends))
    return SimilarityMap(
        np.maximum.reduceat(layers, first)[:, None],
        group_spans(tokens.starts, tokens.ends, first),
        (Span(0, len(encoding.document.text)),),
        "attribution",
        WORD_MEANING,
        role="kept",
        level="word",
        side=side,
        form="weights",
        unit="share of the layers",
        limits=(0.0, 1.0),
    )


def _words(document: SentencesInput) -> SentenceWords:
    return SentenceWords(document.words, document.word_bounds, document.lengths)


def _positions(bounds: Ints, chosen: NDArray[np.int64], budget: int) -> Ints:
    """Positions of the tokens of the chosen sentences, the longest cut where they are too many."""
    starts = bounds[chosen]
    lengths = fit(bounds[chosen + 1] - starts, budget)
    rows = [np.arange(s, s + n) for s, n in zip(starts, lengths, strict=True)]
    return np.concatenate([np.zeros(0, np.int32), *rows]).astype(np.int32)
