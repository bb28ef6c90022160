"""Runs of words that are in both documents.

A suffix automaton of one document's words (Blumer et al. 1985) reads the other's words. At every word it knows how many
of the last words are also in the first document, and where. The time grows with the sum of both lengths, however often
a text repeats itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from colde.text.document import UNSPACED, Document, Span, joined

MIN_WORDS = 6
"""Words of a run; shorter ones are common phrases."""
MAX_WORDS = 300_000
"""Words of both documents together; longer ones are not searched."""
JOINERS = "\u200c\u200d"
"""Signs inside words of Persian and Indic scripts, which PDFs and some keyboards leave out."""
_NO_JOINERS = dict.fromkeys(map(ord, JOINERS))
UNSPACED_WEIGHT = 0.5
"""Words that a character of a script without spaces counts as, as in `Document.words`."""


@dataclass(frozen=True, slots=True)
class SharedRun:
    """The same words in both documents; capitals and punctuation are ignored.

    Attributes:
        a, b: the place in each document.
        words: the length in words.
    """

    a: Span
    b: Span
    words: int


@dataclass(frozen=True)
class ComparedWords:
    """The words of the compared sections of a document, in reading order.

    Attributes:
        names: [words], lower case.
        spans: [words], their places in the document's text.
        weights: [words], 1, or 0.5 for a character of a script without spaces.
    """

    names: tuple[str, ...]
    spans: tuple[Span, ...]
    weights: NDArray[np.float64]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """[words], first characters."""
        return np.array([s.start for s in self.spans], dtype=np.int64)

    @cached_property
    def before(self) -> NDArray[np.float64]:
        """[words + 1], the sum of the weights before each word."""
        return np.concatenate([[0.0], np.cumsum(self.weights)])

    @property
    def count(self) -> float:
        """The sum of all weights."""
        return float(self.before[-1])

    def inside(self, span: Span) -> NDArray[np.int64]:
        """Positions of the words that begin in this span."""
        return np.arange(*np.searchsorted(self.starts, [span.start, span.end]))

    def size(self, span: Span) -> float:
        """Words of a passage, left-out ones not counted."""
        first, last = np.searchsorted(self.starts, [span.start, span.end])
        return float(self.before[last] - self.before[first])


def compared_words(document: Document, left_out: Sequence[Span] = ()) -> ComparedWords:
    """The words of the compared sections that do not touch a left-out span."""
    names: list[str] = []
    spans: list[Span] = []
    weights: list[float] = []
    hidden = joined(left_out)
    at = 0
    for _, section in document.compared():
        for match in word_pattern().finditer(document.text, section.start, section.end):
            while at < len(hidden) and hidden[at].end <= match.start():
                at += 1
            if at < len(hidden) and hidden[at].start < match.end():
                continue
            name = match[0].lower().translate(_NO_JOINERS)
            if not name:
                continue
            names.append(name)
            spans.append(Span(match.start(), match.end()))
            weights.append(UNSPACED_WEIGHT if UNSPACED.match(match[0]) else 1.0)
    return ComparedWords(tuple(names), tuple(spans), np.array(weights, dtype=np.float64))


def words_as_compared(text: str) -> list[str]:
    """The words of a text in lower case and without joiners."""
    return word_pattern().findall(text.lower().translate(_NO_JOINERS))


@lru_cache(maxsize=1)
def word_pattern() -> re.Pattern[str]:
    """A word: letters, digits, marks and joiners that belong to them, or one character of a script without spaces."""
    marks = "".join(chr(c) for c in range(0x300, 0x10000) if unicodedata.category(chr(c)).startswith("M"))
    return re.compile(f"{UNSPACED.pattern}|(?:(?!{UNSPACED.pattern})[\\w{marks}{JOINERS}])+")


def text_letters(text: str) -> str:
    """The words of a text without anything between them, so that spaces and hyphens at line ends make no difference."""
    return "".join(word_pattern().findall(text.lower()))


def shared_runs(a: ComparedWords, b: ComparedWords, fewest: float = MIN_WORDS) -> list[SharedRun]:
    """Runs of at least `fewest` words of b that are also in a, in b's order.

    Each is as long as possible at its place. Where two overlap in b, the longer one is complete. A passage of a may be
    in several runs. A run may continue from one section to the next.
    """
    if a.count + b.count > MAX_WORDS:
        return []
    free = np.ones(len(b.names), dtype=bool)
    runs: list[tuple[int, int, int]] = []
    for first, last, end in _maximal_runs(a, b, fewest):
        start, stop = _free_part(free, first, last)
        if b.before[stop + 1] - b.before[start] >= fewest and free[start : stop + 1].all():
            free[start : stop + 1] = False
            runs.append((start, end - (last - stop), stop - start + 1))
    return [
        SharedRun(
            Span(a.spans[end - size + 1].start, a.spans[end].end),
            Span(b.spans[first].start, b.spans[first + size - 1].end),
            round(float(b.before[first + size] - b.before[first])),
        )
        for first, end, size in sorted(runs)
    ]


def _maximal_runs(a: ComparedWords, b: ComparedWords, fewest: float) -> Iterator[tuple[int, int, int]]:
    """First and last word in b, and last word in a, of runs that cannot be extended, the longest first."""
    lengths, ends = _Automaton(a.names).read(b.names)
    last = [k for k in range(len(lengths)) if k + 1 == len(lengths) or lengths[k + 1] != lengths[k] + 1]
    long = (k for k in last if b.before[k + 1] - b.before[k + 1 - lengths[k]] >= fewest)
    for k in sorted(long, key=lambda k: (-lengths[k], k)):
        yield k - lengths[k] + 1, k, ends[k]


def _free_part(free: NDArray[np.bool_], first: int, last: int) -> tuple[int, int]:
    """A run without the words at its ends that are in a longer run already; empty where all are."""
    while first <= last and not free[first]:
        first += 1
    while last >= first and not free[last]:
        last -= 1
    return first, last


def covered_mask(words: ComparedWords, runs: Sequence[Span]) -> NDArray[np.bool_]:
    """Which words lie in one of these passages: [words]."""
    inside = np.zeros(len(words.names), dtype=bool)
    for run in runs:
        inside[slice(*np.searchsorted(words.starts, [run.start, run.end]))] = True
    return inside


class _Automaton:
    """A suffix automaton: a state for each set of places at which the same runs of words end."""

    def __init__(self, words: Sequence[str]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link: list[int] = [-1]
        self._length: list[int] = [0]
        self._end: list[int] = [-1]
        last = 0
        for place, word in enumerate(words):
            last = self._add(last, word, place)

    def read(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """At each word the length of the longest run that ends there and is known, and where it first ends."""
        state = length = 0
        lengths: list[int] = []
        ends: list[int] = []
        for word in words:
            while state and word not in self._next[state]:
                state = self._link[state]
                length = self._length[state]
            if word in self._next[state]:
                state = self._next[state][word]
                length += 1
            else:
                length = 0
            lengths.append(length)
            ends.append(self._end[state])
        return lengths, ends

    def _add(self, last: int, word: str, place: int) -> int:
        """Add one word after `last`, the state of everything before it; returns the new state of everything."""
        new = self._state(self._length[last] + 1, place, {}, 0)
        at = last
        while at >= 0 and word not in self._next[at]:
            self._next[at][word] = new
            at = self._link[at]
        if at >= 0:
            there = self._next[at][word]
            exact = self._length[there] == self._length[at] + 1
            self._link[new] = there if exact else self._clone(at, word, there)
        return new

    def _clone(self, at: int, word: str, there: int) -> int:
        """Split a state: the runs no longer than this one get a new state."""
        copy = self._state(self._length[at] + 1, self._end[there], dict(self._next[there]), self._link[there])
        self._link[there] = copy
        while at >= 0 and self._next[at].get(word) == there:
            self._next[at][word] = copy
            at = self._link[at]
        return copy

    def _state(self, length: int, end: int, following: dict[str, int], link: int) -> int:
        self._next.append(following)
        self._link.append(link)
        self._length.append(length)
        self._end.append(end)
        return len(self._length) - 1
