"""Ends of a passage within its first and last sentence.

Sentences can be longer than what is shared: a list, a heading or a table stands before it without a full stop. Where
many words at the end of a block have no counterpart in the other text, the passage ends before them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from colde.passages.joining import Block, largest_sum
from colde.passages.sentence_words import SentenceWords
from colde.text.document import Span


@dataclass(frozen=True, slots=True)
class EndLimits:
    """Numbers that cut the ends of passages, fitted by studies/passages/fit_passages.py.

    Attributes:
        long: words of a sentence that is cut.
        fewest: words that are cut off.
        cost: of a word without a counterpart; one with a counterpart adds 1.
    """

    long: int
    fewest: int
    cost: float


def passage_spans(block: Block, a: SentenceWords, b: SentenceWords, limits: EndLimits) -> tuple[Span, Span]:
    """The passages of a block in both texts."""
    return _span(a, block.rows, b, block.columns, limits), _span(b, block.columns, a, block.rows, limits)


def _span(
    words: SentenceWords,
    sentences: tuple[int, int],
    other: SentenceWords,
    counterparts: tuple[int, int],
    limits: EndLimits,
) -> Span:
    first, last = sentences
    known = other.stems_within(*counterparts)
    start, end = words.sentences[first].start, words.sentences[last].end

    def values(sentence: int) -> NDArray[np.float64]:
        stems = words.stems[words.within(sentence, sentence)]
        return np.array([0.0 if s is None else 1.0 if s in known else -limits.cost for s in stems])

    opening, closing = values(first), values(last)
    spans = words.spans
    if first == last and len(opening) >= limits.long:
        begin, stop, _ = largest_sum(opening)
    else:
        begin = int(np.argmax(np.cumsum(opening[::-1])[::-1])) if len(opening) >= limits.long else 0
        stop = int(np.argmax(np.cumsum(closing))) if len(closing) >= limits.long else len(closing) - 1
    if begin >= limits.fewest:
        start = spans[int(words.first[first]) + begin].start
    if len(closing) - 1 - stop >= limits.fewest:
        end = spans[int(words.first[last]) + stop].end
    return Span(start, end)
