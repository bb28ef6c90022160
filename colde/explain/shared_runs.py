"""Runs of words that stand in both documents, word for word: a fact, not a ratio.

A suffix automaton of one document's words (Blumer et al. 1985) reads the other's: at every word it knows how many of
the last words stand in the first one, too, and where. The time grows with the sum of both lengths, however often a text
repeats itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from colde.text.document import Document, Span

FEWEST_WORDS = 6
"""Words of a run; shorter ones are turns of phrase."""
MOST_WORDS = 300_000
"""Of both documents; in longer ones nothing is looked for."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SharedRun:
    """The same words in both documents, capitals and punctuation aside.

    Attributes:
        a, b: where they stand.
        words: how many they are.
    """

    a: Span
    b: Span
    words: int


@dataclass(frozen=True)
class Words:
    """The words of what is compared of a document.

    Attributes:
        names: [words], lower case; None between sections, which no run crosses.
        spans: [words]; empty ones between sections.
    """

    names: tuple[str | None, ...]
    spans: tuple[Span, ...]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """[words], where they begin."""
        return np.array([s.start for s in self.spans], dtype=np.int64)

    @cached_property
    def there(self) -> NDArray[np.bool_]:
        """[words], False between sections."""
        return np.array([n is not None for n in self.names], dtype=bool)

    @property
    def count(self) -> int:
        return int(self.there.sum())


def words_of(document: Document) -> Words:
    """All words of the compared sections, in reading order."""
    names: list[str | None] = []
    spans: list[Span] = []
    for _, section in document.compared():
        for match in _WORD.finditer(document.text, section.start, section.end):
            names.append(match[0].lower())
            spans.append(Span(match.start(), match.end()))
        names.append(None)
        spans.append(Span(section.end, section.end))
    return Words(tuple(names), tuple(spans))


def shared_runs(a: Words, b: Words, fewest: int = FEWEST_WORDS) -> list[SharedRun]:
    """Runs of at least so many words of b that stand in a, in b's order; of two that overlap in b the longer one whole.

    Each is as long as it can be at its place. A passage of a may answer several of b.
    """
    if a.count + b.count > MOST_WORDS:
        return []
    automaton = _Automaton(a.names)
    lengths, ends = automaton.read(b.names)
    last = [k for k in range(len(lengths)) if k + 1 == len(lengths) or lengths[k + 1] != lengths[k] + 1]
    found = sorted((k for k in last if lengths[k] >= fewest), key=lambda k: (-lengths[k], k))
    free = np.ones(len(b.names), dtype=bool)
    runs: list[tuple[int, int, int]] = []
    for k in found:
        first = k - lengths[k] + 1
        while first <= k and not free[first]:
            first += 1
        stop = k
        while stop >= first and not free[stop]:
            stop -= 1
        size = stop - first + 1
        if size >= fewest and free[first : stop + 1].all():
            free[first : stop + 1] = False
            runs.append((first, ends[k] - (k - stop), size))
    return [
        SharedRun(
            Span(a.spans[end - size + 1].start, a.spans[end].end),
            Span(b.spans[first].start, b.spans[first + size - 1].end),
            size,
        )
        for first, end, size in sorted(runs)
    ]


def covered(words: Words, runs: Sequence[Span]) -> NDArray[np.bool_]:
    """Which words lie in one of these passages: [words]."""
    found = np.zeros(len(words.names), dtype=bool)
    for run in runs:
        found[slice(*np.searchsorted(words.starts, [run.start, run.end]))] = True
    return np.asarray(found & words.there, dtype=np.bool_)


def containment(a: Words, b: Words, fewest: int = FEWEST_WORDS) -> tuple[float, float]:
    """The share of a's words that stand in b in such runs, and of b's that stand in a."""

    def share(other: Words, own: Words) -> float:
        runs = [r.b for r in shared_runs(other, own, fewest)]
        return float(covered(own, runs).sum() / max(1, own.count))

    return share(b, a), share(a, b)


class _Automaton:
    """A suffix automaton: a state for each set of places at which the same runs of words end."""

    def __init__(self, words: Sequence[str | None]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link: list[int] = [-1]
        self._length: list[int] = [0]
        self._end: list[int] = [-1]
        last = 0
        for place, word in enumerate(words):
            last = 0 if word is None else self._add(last, word, place)

    def read(self, words: Sequence[str | None]) -> tuple[list[int], list[int]]:
        """At each word the length of the longest run that ends there and is known, and where it first ends."""
        state = length = 0
        lengths: list[int] = []
        ends: list[int] = []
        for word in words:
            if word is None:
                state = length = 0
            else:
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
        """One word more; `last` is the state of everything before it, back to where the automaton began anew."""
        known = self._next[last].get(word)
        if known is not None:  # after a border: this run was there before
            if self._length[known] == self._length[last] + 1:
                return known
            return self._clone(last, word, known)
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
        """Part a state: the runs no longer than this one get a state of their own."""
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
