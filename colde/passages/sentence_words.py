"""The words of a document by sentence, as the joining of passages compares them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from colde.text.document import Document, Span
from colde.text.word_lists.stop_words import stop_words
from colde.text.words import UNSPACED_WEIGHT, is_unspaced, plain_name, word_pattern

STEM = 6
"""Letters by which two forms of a word are the same."""


@dataclass(frozen=True)
class SentenceWords:
    """The words of one document.

    Attributes:
        sentences: the compared sentences, in reading order.
        names: [words], lower case.
        spans: [words], places in the document's text.
        first: [sentences + 1], position of the first word of each sentence, and the number of words.
        stops: words without a meaning of their own.
    """

    sentences: tuple[Span, ...]
    names: tuple[str, ...]
    spans: tuple[Span, ...]
    first: NDArray[np.int64]
    stops: frozenset[str]

    @classmethod
    def of(cls, document: Document) -> SentenceWords:
        """The words of the sentences that are compared."""
        sentences = tuple(s for _, s in document.sentences())
        names: list[str] = []
        spans: list[Span] = []
        first = [0]
        for sentence in sentences:
            for match in word_pattern().finditer(document.text, sentence.start, sentence.end):
                names.append(plain_name(match[0]))
                spans.append(Span(match.start(), match.end()))
            first.append(len(names))
        stops = stop_words(document.language or "en")
        return cls(sentences, tuple(names), tuple(spans), np.array(first, dtype=np.int64), stops)

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """[sentences], number of words, where a character of a script without spaces is half a word."""
        sizes = [UNSPACED_WEIGHT if is_unspaced(name) else 1.0 for name in self.names]
        return np.diff(np.concatenate([[0.0], np.cumsum(sizes)])[self.first])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """[sentences], first characters."""
        return np.array([s.start for s in self.sentences], dtype=np.int64)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """[sentences], the characters after the last."""
        return np.array([s.end for s in self.sentences], dtype=np.int64)

    def sentences_of(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sentence that each place lies in or after: [places]; -1 before the first one."""
        return np.asarray(np.searchsorted(self.starts, starts, side="right") - 1, dtype=np.int64)

    def overlapping(self, spans: Iterable[Span]) -> NDArray[np.bool_]:
        """Which sentences have a character in one of these spans: [sentences]."""
        inside = np.zeros(len(self.sentences), dtype=bool)
        for span in spans:
            first, last = (
                np.searchsorted(self.ends, span.start, side="right"),
                np.searchsorted(self.starts, span.end),
            )
            inside[first:last] = True
        return inside

    @cached_property
    def stems(self) -> tuple[str | None, ...]:
        """[words], the first letters of each word; None for stop words."""
        return tuple(None if name in self.stops else name[:STEM] for name in self.names)

    def within(self, first: int, last: int) -> slice:
        """Positions of the words of the sentences from first to last."""
        return slice(int(self.first[first]), int(self.first[last + 1]))

    def stems_within(self, first: int, last: int) -> frozenset[str]:
        """The different stems of the sentences from first to last."""
        return frozenset(filter(None, self.stems[self.within(first, last)]))
