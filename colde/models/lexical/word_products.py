"""Lexical models, TF-IDF and BM25: weighted words by the shipped statistics, without training."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from colde.explain.contribution import (
    Units,
    contribution_maps,
    default_units,
    distribute_weights,
    factor_products,
    word_shares,
)
from colde.explain.shared_words import word_parts
from colde.explain.word_contribution import weights_by_word, word_map, words_of_span
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.stored_matcher import Untrained
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import BUCKETS, Counts, Statistics, shipped_statistics, words_of


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LexicalEncoding(Encoding):
    """A document as weighted words, float32 in sparse rows.

    Attributes:
        words: [1, BUCKETS], of the document.
        section_words: [sections, BUCKETS], in the order of `section_spans`; no rows without `explain`.
        sentence_words: [sentences, BUCKETS], in the order of `Document.sentences()`; no rows without `explain`.
    """

    words: Counts
    section_words: Counts
    sentence_words: Counts


class Lexical(Untrained, ABC):
    """A score over words. A subclass turns texts into weighted rows, and compares rows."""

    parameters: ClassVar[int] = 0
    uses_encoder = False

    def __init__(
        self, card: Card, profiles: Mapping[str, Profile] | None = None, statistics: Statistics | None = None
    ) -> None:
        super().__init__(card, profiles)
        self.statistics = statistics or shipped_statistics()

    @abstractmethod
    def weigh(self, texts: Sequence[str]) -> Counts:
        """Weighted words: [texts, BUCKETS]."""

    @abstractmethod
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score two encodings, and with `explain` show the words, sentences and sections the score comes from."""

    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Weighted words of each document, and with `explain` of its sections and sentences."""
        encodings: list[Encoding] = []
        for done, document in enumerate(documents, 1):
            sections = [Span(s.start, s.end) for _, s in document.compared()]
            texts = [document.text[s.start : s.end] for s in sections]
            sentences = [document.text[s.start : s.end] for _, s in document.sentences()]
            words = sum(len(words_of(t)) for t in texts)
            encodings.append(
                LexicalEncoding(
                    document=document,
                    coverage=Coverage(words, words),
                    section_spans=tuple(sections),
                    words=self._rows(["\n".join(texts)]),
                    section_words=self._rows(texts if explain else []),
                    sentence_words=self._rows(sentences if explain else []),
                )
            )
            if on_progress is not None:
                on_progress(Progress(Stage.WORDS, done, len(documents)))
        return encodings

    def _rows(self, texts: Sequence[str]) -> Counts:
        return self.weigh(texts).astype(np.float32) if texts else Counts((0, BUCKETS), dtype=np.float32)


class WordProducts(Lexical, ABC):
    """A lexical score that is a sum over words of a weight in one document times a weight in the other.

    So it divides exactly over sections, sentences and pairs of words.

    Attributes:
        meaning: what its contributions are made of, and how exact they are.
    """

    meaning: ClassVar[str]

    @abstractmethod
    def score(self, a: Counts, b: Counts) -> float:
        """The score of two documents: [1, BUCKETS] each, from 0 to 1, symmetric."""

    @abstractmethod
    def factors(self, a: Counts, b: Counts, score: float) -> tuple[Counts, Counts]:
        """The score as a product over words: [1, BUCKETS] of either document, whose products sum to it."""

    @abstractmethod
    def maps(self, a: LexicalEncoding, b: LexicalEncoding) -> dict[str, SimilarityMap]:
        """Maps of the words of sections, and of sentences if there are any."""

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """The score, its maps, and the contributions of passages and words to it."""
        a, b = lexical_encoding(a), lexical_encoding(b)
        score = self.score(a.words, b.words)
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        units_a, units_b, shares_a, shares_b = _word_units(a, b)
        left, right = self.factors(a.words, b.words, score)
        factors = [(distribute_weights(shares_a, left), distribute_weights(shares_b, right))]
        maps = self.maps(a, b) | contribution_maps(units_a, units_b, factors, score, self.meaning)
        words = word_parts(Counts(left.multiply(right)), a.document, b.document)
        return PairResult(score, a.coverage, b.coverage, maps, words=words)

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        a, b = lexical_encoding(a), lexical_encoding(b)
        units_a, units_b, shares_a, shares_b = _word_units(a, b)
        left, right = self.factors(a.words, b.words, self.score(a.words, b.words))
        sides = []
        for units, shares, weights, sentence in (
            (units_a, shares_a, left, row),
            (units_b, shares_b, right, column),
        ):
            words = words_of_span(units.document, units.extents()[sentence])
            part = distribute_weights(shares[sentence], weights)
            sides.append((words, weights_by_word(units.document, words, part), part))
        (words_a, by_word_a, part_a), (words_b, by_word_b, part_b) = sides
        cell = float((part_a @ part_b.T).sum())
        return word_map(factor_products([(by_word_a, by_word_b)]), words_a, words_b, cell, self.meaning)


def lexical_encoding(encoding: Encoding) -> LexicalEncoding:
    """The encoding of a lexical model."""
    return require_encoding(encoding, LexicalEncoding)


def _word_units(a: Encoding, b: Encoding) -> tuple[Units, Units, Counts, Counts]:
    """The units of both documents, and how the occurrences of each word are divided over them."""
    units_a, units_b = default_units(a.document), default_units(b.document)
    return units_a, units_b, word_shares(units_a), word_shares(units_b)
