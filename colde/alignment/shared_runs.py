"""Runs of words that are in both documents.

A suffix automaton of one document's words (Blumer et al. 1985) reads the other's words. At every word it knows how many
of the last words are also in the first document, and where. The time grows with the sum of both lengths, however often
a text repeats itself. It reads only the words that are in a run of the fewest words that both documents have: hashes
tell which these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from math import ceil

import numpy as np
from numpy.typing import NDArray

from colde.alignment.word_runs import Hashes, in_runs, runs_of
from colde.text.document import Document, Span, joined
from colde.text.words import UNSPACED_WEIGHT, is_unspaced, plain_name, word_pattern

MIN_WORDS = 6
"""Words of a run; shorter ones are common phrases."""
MAX_WORDS = 300_000
"""Words of both documents together; longer ones are not searched."""
_BETWEEN_BLANKS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class SharedRun:
    """The same words in both documents; capitals and punctuation are ignored.

    Attributes:
        a, b: the place in each document.
        words: the length in words, where signs alone do not count and each part of a word with a hyphen does.
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
        sizes: [words], what each adds to the number of words of the text: 1, nothing for further parts of a word that
            has a hyphen or an apostrophe, 0.5 for a character of a script without spaces.
    """

    names: tuple[str, ...]
    spans: tuple[Span, ...]
    sizes: NDArray[np.float64]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """[words], first characters."""
        return np.array([s.start for s in self.spans], dtype=np.int64)

    @cached_property
    def hashes(self) -> Hashes:
        """[words], the same for the same word in all documents of one process."""
        return np.array([hash(name) & 0xFFFFFFFFFFFFFFFF for name in self.names], dtype=np.uint64)

    @cached_property
    def before(self) -> NDArray[np.float64]:
        """[words + 1], the sum of the sizes before each word."""
        return np.concatenate([[0.0], np.cumsum(self.sizes)])

    @cached_property
    def parts_before(self) -> NDArray[np.float64]:
        """[words + 1], the same where each part of a word with a hyphen counts."""
        return np.cumsum([0.0, *(UNSPACED_WEIGHT if is_unspaced(name) else 1.0 for name in self.names)])

    @property
    def count(self) -> float:
        """Words of the text: where none is left out, `Document.words` and perhaps a half."""
        return float(self.before[-1])

    def inside(self, span: Span) -> NDArray[np.int64]:
        """Positions of the words that begin in this span."""
        return np.arange(*np.searchsorted(self.starts, [span.start, span.end]))

    def names_inside(self, span: Span) -> tuple[str, ...]:
        """The words of a passage."""
        first, last = np.searchsorted(self.starts, [span.start, span.end])
        return self.names[first:last]

    def size(self, span: Span) -> float:
        """Words of a passage, left-out ones not counted."""
        first, last = np.searchsorted(self.starts, [span.start, span.end])
        return float(self.before[last] - self.before[first])


def compared_words(document: Document, left_out: Sequence[Span] = ()) -> ComparedWords:
    """The words of the compared sections that do not touch a left-out span."""
    names: list[str] = []
    spans: list[Span] = []
    for _, section in document.compared():
        for match in word_pattern().finditer(document.text, section.start, section.end):
            if name := plain_name(match[0]):
                names.append(name)
                spans.append(Span(match.start(), match.end()))
    sizes = _sizes(document, names, spans)
    hidden = joined(left_out)
    if hidden:
        at = 0
        kept = np.ones(len(names), dtype=bool)
        for i, span in enumerate(spans):
            while at < len(hidden) and hidden[at].end <= span.start:
                at += 1
            kept[i] = at == len(hidden) or hidden[at].start >= span.end
        names, spans, sizes = list(compress(names, kept)), list(compress(spans, kept)), sizes[kept]
    return ComparedWords(tuple(names), tuple(spans), sizes)


def _sizes(document: Document, names: Sequence[str], spans: Sequence[Span]) -> NDArray[np.float64]:
    """What each word adds to `Document.words`: what stands between two blanks counts with the first word in it.

    Signs between blanks, such as a dash, count with the word before them.
    """
    if not names:
        return np.zeros(0)
    unspaced = np.array([is_unspaced(name) for name in names])
    sizes = UNSPACED_WEIGHT * unspaced
    others = np.append(np.flatnonzero(~unspaced), len(names))
    starts = [span.start for span in spans]
    between_blanks = [
        match.span()
        for _, section in document.compared()
        for match in _BETWEEN_BLANKS.finditer(document.text, section.start, section.end)
    ]
    first, after = np.searchsorted(starts, np.array(between_blanks).T)
    signs = first == after
    counted = np.where(signs, np.maximum(first - 1, 0), others[np.searchsorted(others, first)])
    np.add.at(sizes, counted[signs | (counted < after)], 1)
    return sizes


def words_as_compared(text: str) -> list[str]:
    """The words of a text in lower case and without joiners."""
    return word_pattern().findall(plain_name(text))


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
    before = b.parts_before
    runs: list[tuple[int, int, int]] = []
    for first, last, end in _maximal_runs(a, b, before, fewest):
        start, stop = _free_part(free, first, last)
        if before[stop + 1] - before[start] >= fewest and free[start : stop + 1].all():
            free[start : stop + 1] = False
            runs.append((start, end - (last - stop), stop - start + 1))
    return [
        SharedRun(
            Span(a.spans[end - size + 1].start, a.spans[end].end),
            Span(b.spans[first].start, b.spans[first + size - 1].end),
            round(float(before[first + size] - before[first])),
        )
        for first, end, size in sorted(runs)
    ]


def _maximal_runs(
    a: ComparedWords, b: ComparedWords, before: NDArray[np.float64], fewest: float
) -> Iterator[tuple[int, int, int]]:
    """First and last word in b, and last word in a, of runs that cannot be extended, the longest first.

    Args:
        before: [words of b + 1], the words before each, where each part of a word with a hyphen counts.
    """
    size = ceil(fewest)
    common = runs_of([a.hashes, b.hashes], size, 2)
    if not len(common):
        return
    automaton = _Automaton(_with_breaks(a.names, in_runs(a.hashes, common, size), "a break"))
    places, lengths, ends = automaton.read(_with_breaks(b.names, in_runs(b.hashes, common, size), "b break"))
    last = [k for k in range(len(places)) if k + 1 == len(places) or lengths[k + 1] != lengths[k] + 1]
    long = (
        (lengths[k], places[k], ends[k])
        for k in last
        if before[places[k] + 1] - before[places[k] + 1 - lengths[k]] >= fewest
    )
    for length, place, end in sorted(long, key=lambda run: (-run[0], run[1])):
        yield place - length + 1, place, end


def _with_breaks(names: Sequence[str], kept: NDArray[np.bool_], break_name: str) -> Iterator[tuple[int, str]]:
    """Yield the place and name of each word that is kept, and a break where words before it are not.

    Args:
        break_name: no word of either text.
    """
    before = -1
    for place in np.flatnonzero(kept).tolist():
        if place > before + 1:
            yield place - 1, break_name
        yield place, names[place]
        before = place


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

    def __init__(self, words: Iterable[tuple[int, str]]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link: list[int] = [-1]
        self._length: list[int] = [0]
        self._end: list[int] = [-1]
        last = 0
        for place, word in words:
            last = self._add(last, word, place)

    def read(self, words: Iterable[tuple[int, str]]) -> tuple[list[int], list[int], list[int]]:
        """The places of the words; at each the length of the longest run that ends there and is known, and its end."""
        state = length = 0
        places: list[int] = []
        lengths: list[int] = []
        ends: list[int] = []
        for place, word in words:
            while state and word not in self._next[state]:
                state = self._link[state]
                length = self._length[state]
            if word in self._next[state]:
                state = self._next[state][word]
                length += 1
            else:
                length = 0
            places.append(place)
            lengths.append(length)
            ends.append(self._end[state])
        return places, lengths, ends

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
