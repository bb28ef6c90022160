"""Numbers and dates that stand in place of other ones, after both are in the same units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from colde.meaning.dates import Date, take_dates
from colde.meaning.figures import EXACT, same_quantity
from colde.meaning.grammar import Doc, Token
from colde.meaning.quantities import Quantity, quantities
from colde.meaning.word_pairs import WordPairs

CERTAIN = 0.9
REWORDED = 0.7
"""Share of equal words below which a figure may be rounded, and only one of the same measure replaces it."""
MOST_FIGURES = 20
"""Figures of a sentence whose relation to other words is compared; rows of tables have more."""
BARE = frozenset({"count", "number", "year"})
"""Measures of numbers without a unit."""


@dataclass(frozen=True, eq=False)
class _Figure:
    """A number or date of a sentence, and its words."""

    value: Quantity | Date
    words: tuple[Token, ...]

    def equals(self, other: _Figure, exact: bool) -> bool:
        """Whether two figures say the same."""
        x, y = self.value, other.value
        if isinstance(x, Date) or isinstance(y, Date):
            return isinstance(x, Date) and isinstance(y, Date) and x.agrees(y)
        if not exact or x.measure == y.measure == "clock":
            return same_quantity(x, y)
        if x.measure != y.measure:
            return x.number == y.number and not BARE.isdisjoint((x.measure, y.measure))
        return abs(x.value - y.value) <= EXACT * max(abs(x.value), abs(y.value))

    def may_replace(self, other: _Figure, exact: bool) -> bool:
        """Whether one figure may stand for another one."""
        x, y = self.value, other.value
        if isinstance(x, Date) or isinstance(y, Date):
            return isinstance(x, Date) and isinstance(y, Date)
        return exact or x.measure == y.measure


def changed_numbers(pairs: WordPairs) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...], float]]:
    """Yield the words of figures that stand in the same place of both sentences and differ, with a certainty."""
    exact = pairs.equal >= REWORDED
    ours, theirs = list(_figures(pairs.a)), list(_figures(pairs.b))
    near = list(_near(pairs, ours, theirs))
    equal: set[_Figure] = (
        set()
    )  # each figure is equal to one of the other sentence, first of all to that in its place
    for x, y in (*near, *((x, y) for x in ours for y in theirs)):
        if x not in equal and y not in equal and x.equals(y, exact):
            equal |= {x, y}
    for x, y in near:
        if x not in equal and y not in equal and x.may_replace(y, exact):
            yield x.words, y.words, CERTAIN


def _figures(doc: Doc) -> Iterator[_Figure]:
    dates, rest = take_dates(doc.text.lower())
    values: list[Quantity | Date] = [*dates, *quantities(rest, every=True)]
    for value in values:
        yield _Figure(value, tuple(w for w in doc if w.idx < value.end and w.idx + len(w) > value.start))


def _places(figures: Sequence[_Figure], gaps: Sequence[range], to_b: Mapping[int, int]) -> list[set[int]]:
    """Of each figure the corresponding words of b, and the gaps it lies in as negative numbers."""
    gap_of = {i: -1 - n for n, gap in enumerate(gaps) for i in gap}
    return [
        {to_b[w.i] for w in f.words if w.i in to_b} | {gap_of[w.i] for w in f.words if w.i in gap_of}
        for f in figures
    ]


def _near(
    pairs: WordPairs, ours: Sequence[_Figure], theirs: Sequence[_Figure]
) -> Iterator[tuple[_Figure, _Figure]]:
    """Yield figures that share a word or unit, lie in one gap, or belong to corresponding words."""
    left = _places(ours, [gap for gap, _ in pairs.gaps], pairs.to_b)
    right = _places(theirs, [gap for _, gap in pairs.gaps], {j: j for j in pairs.to_a})
    few = max(len(ours), len(theirs)) <= MOST_FIGURES
    for x, here in zip(ours, left, strict=True):
        for y, there in zip(theirs, right, strict=True):
            if here & there or (few and any(pairs.same_place(v, w) for v in x.words for w in y.words)):
                yield x, y
