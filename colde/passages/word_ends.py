"""Ends of a passage within its first and last sentence.

Sentences can be longer than what is shared: a list, a heading or a table stands before it without a full stop. Where
many words at the end of a block have no counterpart in the other text, the passage ends before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from colde.alignment.shared_runs import ComparedWords
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


def with_headings(
    a: Span, b: Span, words: tuple[ComparedWords, ComparedWords], texts: tuple[SentenceWords, SentenceWords]
) -> tuple[Span, Span]:
    """A passage of both texts with the words around it that lie in no sentence, as headings, and are the same."""
    before = [_words_before(w, text, span) for w, text, span in zip(words, texts, (a, b), strict=True)]
    after = [_words_after(w, text, span) for w, text, span in zip(words, texts, (a, b), strict=True)]
    leading = _same_words(words, before[0][::-1], before[1][::-1])
    trailing = _same_words(words, *after)
    spans = [
        Span(
            w.spans[int(first[-leading])].start if leading else span.start,
            w.spans[int(last[trailing - 1])].end if trailing else span.end,
        )
        for w, first, last, span in zip(words, before, after, (a, b), strict=True)
    ]
    return spans[0], spans[1]


def _words_before(words: ComparedWords, text: SentenceWords, span: Span) -> NDArray[np.int64]:
    """Positions of the words between the sentence before a passage and the passage."""
    sentence = int(np.searchsorted(text.starts, span.start)) - 1
    return words.inside(Span(int(text.ends[sentence]) if sentence >= 0 else 0, span.start))


def _words_after(words: ComparedWords, text: SentenceWords, span: Span) -> NDArray[np.int64]:
    """Positions of the words between a passage that ends with a sentence and the next sentence."""
    sentence = int(np.searchsorted(text.ends, span.end))
    if text.ends[sentence] > span.end:
        return np.zeros(0, dtype=np.int64)
    last = sentence + 1 == len(text.sentences)
    return words.inside(Span(span.end, words.spans[-1].end if last else int(text.starts[sentence + 1])))


def _same_words(
    words: tuple[ComparedWords, ComparedWords], a: NDArray[np.int64], b: NDArray[np.int64]
) -> int:
    """How many of the first words at these positions are the same."""
    pairs = zip(a.tolist(), b.tolist(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: words[0].names[pair[0]] == words[1].names[pair[1]], pairs))


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
