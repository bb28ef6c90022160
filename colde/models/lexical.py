"""Lexical models, TF-IDF and BM25: weights from the shipped statistics, no training, everything read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from colde.explain.contribution import Units, default_units, word_shares
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.untrained import Untrained
from colde.results.encoding import Encoding, encoded_as
from colde.results.pair import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.score import Coverage
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


def weighted_words(encoding: Encoding) -> LexicalEncoding:
    """The encoding of a lexical model."""
    return encoded_as(encoding, LexicalEncoding)


def word_units(a: Encoding, b: Encoding) -> tuple[Units, Units, Counts, Counts]:
    """The units of both documents, and how the occurrences of each word are spread over them."""
    units_a, units_b = default_units(a.document), default_units(b.document)
    return units_a, units_b, word_shares(units_a), word_shares(units_b)
