"""Whether two sentences give other figures for the same quantity."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from colde.meaning.dates import Date, take_dates
from colde.meaning.quantities import Quantity, quantities, words_of
from colde.meaning.unit_lexicon import PERIODS, YEAR

EXACT, ROUNDED, HEDGED = 1e-6, 0.03, 0.1
"""Largest relative difference of equal figures, of figures of which one is rounded to two digits, and of those with a
word such as "about" before one, or in two units; a tenth of it for each further digit. Weeks and months have no fixed
ratio, so durations in both may differ by the last, too."""
NEAR_BOUND = 0.5
"""Largest relative difference of a figure and a bound that says the same."""
DIGITS = 3
"""Significant digits from which a figure may be rounded without such a word."""
MOST_COMBINED = 16
"""Figures of a sentence of which sums, differences and ratios are taken; of more, two give nearly any number."""


def figures_disagree(a: str, b: str) -> bool:
    """Whether two sentences about the same matter give other figures for the same quantity.

    They do where both have a figure of one measure, counts of the same noun, that does not follow from the other
    sentence: it stands there neither as it is nor rounded, in another unit, or as its complement, and is no sum,
    difference or ratio of two figures there. Figures that one sentence has in addition do not count.
    """
    (dates_a, text_a), (dates_b, text_b) = (take_dates(text.lower()) for text in (a, b))
    alone_a, alone_b = _without_equal(dates_a, dates_b), _without_equal(dates_b, dates_a)
    if any(x.contradicts(y) for x in alone_a for y in alone_b):
        return True
    one, other = (list(quantities(text)) for text in (text_a, text_b))
    periods = {PERIODS[w] for text in (text_a, text_b) for w in words_of(text) if w in PERIODS}
    return _same_measure_differs(one, other, periods)


def _same_measure_differs(one: Sequence[Quantity], other: Sequence[Quantity], periods: set[float]) -> bool:
    """Whether both sides have a quantity of one measure, or counts of one noun, that the other side does not have."""
    lonely = _unmatched(one, other, periods), _unmatched(other, one, periods)
    nouns = [{noun for q in side if q.measure == "count" for noun in q.nouns} for side in lonely]
    measures = [{q.measure for q in side if q.measure != "count"} for side in lonely]
    counts = [Counter(q.measure for q in side) for side in (one, other)]
    return bool(nouns[0] & nouns[1]) or any(counts[0][m] == counts[1][m] for m in measures[0] & measures[1])


def _without_equal(these: Sequence[Date], others: Sequence[Date]) -> list[Date]:
    """The dates that agree with none of the others."""
    return [date for date in these if not any(date.agrees(other) for other in others)]


def _unmatched(these: Sequence[Quantity], others: Sequence[Quantity], periods: set[float]) -> list[Quantity]:
    """The quantities that do not follow from the others.

    Args:
        periods: payments a year of words such as "monthly" in both sentences.
    """
    known = _SortedQuantities(others)
    pairs = list(permutations(others, 2)) if len(others) <= MOST_COMBINED else []
    return [
        q for q in these if not known.has_equal(q, periods) and not any(_follows(q, x, y) for x, y in pairs)
    ]


class _SortedQuantities:
    """The quantities of a sentence by value, so that an equal one is found without a look at each.

    Those that differ in nothing but their value are sorted. Whether one of them equals another quantity depends on the
    nearest ones alone.
    """

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        self._numbers = {q.number for q in quantities if q.measure != "count"}
        self._counts = {q.number for q in quantities if q.measure == "count"}
        alike = defaultdict(list)
        for q in sorted(quantities, key=lambda q: q.value):
            alike[q.measure, q.unit, q.hedged, q.bound, _digits(q.number)].append(q)
        self._alike: dict[str, list[tuple[list[float], list[Quantity]]]] = defaultdict(list)
        for (measure, *_), group in alike.items():
            self._alike[measure].append(([q.value for q in group], group))

    def has_equal(self, q: Quantity, periods: set[float]) -> bool:
        """Whether one of them may be the same as this quantity."""
        if q.number in (self._numbers if q.measure == "count" else self._counts):
            return True
        values = [q.value]
        if q.measure == "share":
            values.append(1 - q.value)
        if q.measure == "clock":
            values += [q.value - 12, q.value + 12]
        if q.measure.startswith("money"):
            values += [q.value * x / y for x, y in permutations(periods, 2)]
        return any(_agree(q, other, periods) for value in values for other in self._near(q.measure, value))

    def _near(self, measure: str, value: float) -> Iterator[Quantity]:
        """Yield the nearest on both sides of a value, of each group that differs in nothing but the value."""
        for values, alike in self._alike[measure]:
            at = bisect_left(values, value)
            yield from alike[max(0, at - 1) : at + 1]


def same_quantity(x: Quantity, y: Quantity) -> bool:
    """Whether two quantities of any measure may be the same."""
    if x.measure != y.measure:
        return x.number == y.number and "count" in (x.measure, y.measure)
    return _agree(x, y, ())


def _agree(x: Quantity, y: Quantity, periods: Collection[float]) -> bool:
    """Whether two quantities of one measure may be the same.

    Args:
        periods: as in `_unmatched`.
    """
    if x.measure == "clock":
        day = 24 if x.unit and y.unit else 12
        return abs((x.value - y.value) % day) < EXACT
    if x.measure == "year" and (x.hedged or y.hedged):
        return abs(x.value - y.value) <= 1  # after 1811, from 1812 on
    if x.measure == "share" and _near(x, replace(y, value=1 - y.value), ROUNDED):
        return True
    if _near(x, y, EXACT) or _within_bound(x, y) or _within_bound(y, x):
        return True
    if x.measure.startswith("money"):
        larger, smaller = max(x.value, y.value), min(x.value, y.value)
        if any(abs(smaller * p / q - larger) < EXACT * larger for p, q in permutations(periods, 2)):
            return True
    return _may_be_rounded(x, y)


def _within_bound(x: Quantity, y: Quantity) -> bool:
    """Whether the first has no bound and lies within that of the second, not far from it."""
    return x.bound == 0 != y.bound and (y.value - x.value) * y.bound < 0 and _near(x, y, NEAR_BOUND)


def _may_be_rounded(x: Quantity, y: Quantity) -> bool:
    if x.measure in ("year", "clock"):
        return False
    if x.measure == "time" and (x.unit in ("month", "months")) != (y.unit in ("month", "months")):
        return _near(x, y, HEDGED)
    exact, rough = sorted((_digits(x.number), _digits(y.number)), reverse=True)
    finer = 10.0 ** -max(0, rough - 2)
    if x.hedged or y.hedged or x.unit != y.unit:
        return _near(x, y, HEDGED * finer)
    return exact >= max(DIGITS, rough + 1) and _near(x, y, ROUNDED * finer)


def _follows(q: Quantity, x: Quantity, y: Quantity) -> bool:
    """Whether a quantity is the sum, the difference or the ratio of two others, or the time between two years."""
    if q.measure == x.measure == y.measure and q.measure not in ("year", "clock"):
        return _near(q, replace(q, value=x.value + y.value), EXACT) or _near(
            q, replace(q, value=x.value - y.value), EXACT
        )
    if q.measure == "year" and x.measure == "year" and y.measure == "time":
        return abs(abs(q.value - x.value) - y.value / YEAR) < EXACT
    if q.measure == "time" and x.measure == y.measure == "year":
        return abs(abs(x.value - y.value) - q.value / YEAR) <= 1
    if q.measure == "share" and x.measure == y.measure == "count" and y.value:
        ratio = x.value / y.value
        return any(_near(q, replace(q, value=r), HEDGED) for r in (ratio, 1 - ratio))
    return False


def _near(x: Quantity, y: Quantity, tolerance: float) -> bool:
    return abs(x.value - y.value) <= tolerance * max(abs(x.value), abs(y.value)) + EXACT**2


def _digits(number: float) -> int:
    """Significant digits of a number."""
    return len(f"{number:.6g}".replace(".", "").split("e")[0].strip("0")) or 1
