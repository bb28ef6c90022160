"""Lexical models, TF-IDF and BM25: weights from the shipped statistics, no training, everything read."""

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
from colde.text.term_weights import BUCKETS, Counts, Statistics, shipped_statistics, words_of


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LexicalEncoding(Encoding):
    """A document as weighted words, float32 in sparse rows.

    Attributes:
        words: [1, BUCKETS], the whole document.
        section_words: [sections, BUCKETS], in the order of `section_spans`; no rows where encoded without `explain`.
        sentence_words: [sentences, BUCKETS], in the order of `Document.sentences()`; likewise.
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
        """Weighted words of the document, and with `explain` of its sections and sentences."""
        found: list[Encoding] = []
        for i, document in enumerate(documents):
            sections = [Span(s.start, s.end) for _, s in document.compared()]
            texts = [document.text[s.start : s.end] for s in sections]
            sentences = [document.text[s.start : s.end] for _, s in document.sentences()]
            words = sum(len(words_of(t)) for t in texts)
            found.append(
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
                on_progress(Progress(Stage.WORDS, i + 1, len(documents)))
        return found

    def _rows(self, texts: Sequence[str]) -> Counts:
        return self.weigh(texts).astype(np.float32) if texts else Counts((0, BUCKETS), dtype=np.float32)


class WordProducts(Lexical, ABC):
    """A lexical score that is a sum over words, each word's weight in one document times that in the other.

    So it comes apart exactly: into sections, sentences and pairs of words.

    Attributes:
        meaning: what its contributions are made of, and how exact they are.
    """

    meaning: ClassVar[str]

    @abstractmethod
    def score(self, a: Encoding, b: Encoding) -> float:
        """The score of the whole documents."""

    @abstractmethod
    def word_parts(self, a: Encoding, b: Encoding, score: float) -> tuple[Counts, Counts]:
        """The score as a product over words: [1, BUCKETS] of either document, whose products add up to it."""

    def contributions(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """Contributions to the score, on every level."""
        units_a, units_b, shares_a, shares_b = word_units(a, b)
        one, other = self.word_parts(a, b, score)
        factors = [(distribute_weights(shares_a, one), distribute_weights(shares_b, other))]
        return contribution_maps(units_a, units_b, factors, score, self.meaning)

    def word_contributions(self, a: Encoding, b: Encoding, row: int, column: int) -> SimilarityMap:
        """Split one cell of sentences over its pairs of words; see `WordByWord`."""
        units_a, units_b, shares_a, shares_b = word_units(a, b)
        parts = self.word_parts(a, b, self.score(a, b))
        sides = []
        for units, shares, whole, place in zip(
            (units_a, units_b), (shares_a, shares_b), parts, (row, column), strict=True
        ):
            words = words_of_span(units.document, units.extents()[place])
            unit = distribute_weights(shares[place], whole)
            sides.append((words, weights_by_word(units.document, words, unit), unit))
        (words_a, left, unit_a), (words_b, right, unit_b) = sides
        cell = float((unit_a @ unit_b.T).sum())
        return word_map(factor_products([(left, right)]), words_a, words_b, cell, self.meaning)


def lexical_encoding(encoding: Encoding) -> LexicalEncoding:
    """The encoding of a lexical model."""
    return require_encoding(encoding, LexicalEncoding)


def word_units(a: Encoding, b: Encoding) -> tuple[Units, Units, Counts, Counts]:
    """The units of both documents, and how the occurrences of each word are spread over them."""
    units_a, units_b = default_units(a.document), default_units(b.document)
    return units_a, units_b, word_shares(units_a), word_shares(units_b)
