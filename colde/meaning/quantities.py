"""Quantities of a sentence, and whether two sentences give other figures for the same quantity.

A quantity is a number with what it measures: a time, a clock time, money, a share, a length, a mass, a volume, a year,
or a count of something. Values are in one unit for each, so that "four weeks" equals "28 days".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from colde.meaning.dates import DAYS, Date, take_dates
from colde.meaning.number_words import CARDINALS, ORDINALS, read_number
from colde.meaning.unit_lexicon import (
    BEFORE_ONE,
    BOUNDS,
    CURRENCIES,
    HEDGES,
    LABELS,
    MONEY_SCALES,
    PARTS,
    PERIODS,
    SKIPPED,
    UNITS,
    YEAR,
)
from colde.text.stop_words import stop_words

_TOKEN = re.compile(
    r"\d{1,3}(?:(?: \d{3}){2,}|(?:[\u2009\u00a0\u202f]\d{3})+)(?!\d)|\d+(?:[.,:]\d+)*(?:(?:st|[nr]d|th)\b)?|per cent\b"
    r"|° ?[cf]\b|[^\W\d_]+|(?<!\S)[-−–](?=\d)|[%$€£¥½¼¾/≥≤<>°]"
)
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
FIRST_YEAR, LAST_YEAR = 1500, 2100
_REFERENCE_SIGN = re.compile(r"(?<=\w )\((?!1[5-9]\d\d|20\d\d)\d{1,4}[a-z]?(?:, ?\d{1,4}[a-z]?)*\)")
"""Numbers alone in brackets, by which a patent names the parts of a drawing; four digits of a year are none."""
_CLOCK = (["a", "m"], ["p", "m"], ["o", "clock"])
NOUN_LETTERS = 4
"""First letters of a counted noun that are compared, so that its forms are equal."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a sentence.

    Attributes:
        measure: what it measures: `time`, `money euro`, `count` …
        value: days, hours of the day, currency units, parts of one, metres, kilograms, litres, or the number.
        number: as it stands in the sentence, without its unit.
        unit: the unit in the sentence; empty where there is none.
        hedged: whether a word such as "about" or "over" stands before it.
        bound: 1 where it is "over" the number, -1 where it is "under" the number, else 0.
        nouns: of a count, the beginnings of the words after it.
        start, end: characters of the sentence.
    """

    measure: str
    value: float
    number: float
    unit: str
    hedged: bool = False
    bound: int = 0
    nouns: frozenset[str] = frozenset()
    start: int = 0
    end: int = 0


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
    periods = {PERIODS[w] for text in (text_a, text_b) for w in _words(text) if w in PERIODS}
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
        for values, quantities in self._alike[measure]:
            at = bisect_left(values, value)
            yield from quantities[max(0, at - 1) : at + 1]


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


def _tokens(sentence: str) -> list[re.Match[str]]:
    return list(_TOKEN.finditer(sentence.lower()))


def _words(sentence: str) -> list[str]:
    return ["".join(token[0].split()) for token in _tokens(sentence)]


def quantities(sentence: str, *, every: bool = False) -> Iterator[Quantity]:
    """The quantities of a sentence without its dates, in its order; "2 hours 10 minutes" is one.

    Args:
        every: also numbers that measure nothing: of clauses, tables and parts, ordinals, one, days of the week.
    """
    last: Quantity | None = None
    for quantity in _single_quantities(sentence, every):
        if last is not None and _continues(last, quantity, sentence):
            last = replace(last, value=last.value + quantity.value, unit=quantity.unit, end=quantity.end)
            continue
        if last is not None:
            yield last
        last = quantity
    if last is not None:
        yield last


def _continues(large: Quantity, small: Quantity, sentence: str) -> bool:
    """Whether a quantity goes on with the next one in a smaller unit."""
    sizes = [UNITS[q.unit][1] if q.unit in UNITS else 0.0 for q in (large, small)]
    between = sentence[large.end : small.start].lower().strip(" ,")
    return large.measure == small.measure and sizes[0] > sizes[1] > 0 and between in ("", "and")


def _single_quantities(sentence: str, every: bool) -> Iterator[Quantity]:
    shown = sentence if every else _REFERENCE_SIGN.sub(lambda sign: " " * len(sign[0]), sentence)
    tokens = _tokens(shown)
    words = _words(shown)
    at = 0
    while at < len(words):
        number, after = _number(words, at)
        before = words[max(0, at - 3) : at]
        quantity, end = None, after
        if number is None:
            quantity, end = _bare_word(words[at]) if every else None, at + 1
        elif not (before and before[-1] in LABELS):
            quantity, end = _quantity(words, at, after, number)
        if quantity is None and number is not None and every:
            quantity = Quantity("number", number, number, "")
        if quantity is not None:
            sign = -1 if before[-1:] and before[-1] in "-−–" else 1
            yield replace(
                quantity,
                value=sign * quantity.value,
                hedged=any(w in HEDGES for w in before),
                bound=_bound(before),
                start=tokens[at].start(),
                end=tokens[end - 1].end(),
            )
        at = end


def _bare_word(word: str) -> Quantity | None:
    """An ordinal or a day of the week."""
    if word in ORDINALS:
        return Quantity("number", ORDINALS[word], ORDINALS[word], "th")
    day = word.removesuffix("s")
    return Quantity("weekday", DAYS.index(day), 0, "") if day in DAYS else None


def _bound(before: Sequence[str]) -> int:
    """Whether the words before a number make it a lower or an upper bound."""
    bound = next((BOUNDS[w] for w in before if w in BOUNDS), 0)
    return -bound if any(w in ("no", "not", "never", "nothing") for w in before) else bound


def _number(words: Sequence[str], at: int) -> tuple[float | None, int]:
    """The number that begins at a word, also "a" in "within a week", and the position after it."""
    if words[at] in ("a", "an", "one") and at and words[at - 1] in BEFORE_ONE:
        following = words[at + 1] if at + 1 < len(words) else ""
        if UNITS.get(following, ("", 0.0))[0] == "time":
            return 1.0, at + 1
    return read_number(words, at)


def _quantity(words: Sequence[str], start: int, after: int, number: float) -> tuple[Quantity | None, int]:
    """The quantity of a number between two positions, and the position after what belongs to it."""
    at = _unit_position(words, after)
    unit, following = words[at : at + 1], words[at + 1 : at + 4]
    currency = next(
        (CURRENCIES[w] for w in (*words[max(0, start - 1) : start], *unit) if w in CURRENCIES), None
    )
    if currency is not None:
        scaled = words[after : after + 1]
        if scaled and scaled[0] in MONEY_SCALES:
            return Quantity(f"money {currency}", number * MONEY_SCALES[scaled[0]], number, ""), after + 1
        return Quantity(f"money {currency}", number, number, ""), after + (
            at == after and not CURRENCIES.keys().isdisjoint(unit)
        )
    if ":" in words[start] or unit[:1] in (["am"], ["pm"], ["h"]) or [*unit, *following[:1]] in _CLOCK:
        end = (
            at + 2
            if words[at : at + 2] in _CLOCK
            else at + 1
            if unit[:1] in (["am"], ["pm"], ["h"])
            else after
        )
        return _clock(words[start], words[at : at + 2]), end
    if unit and unit[0] in UNITS:
        half = following == ["and", "a", "half"]
        ranged = words[after : after + 1] in (["and"], ["to"], ["or"])
        end = at + 4 if half else after if ranged else at + 1
        return _measured(number + 0.5 * half, unit[0], words[after:at]), end
    total, end = _total(words, after)
    if total is not None and total > number:
        return Quantity("share", number / total, number, "of"), end
    return _bare(words, start, after, number), after


def _clock(figures: str, after: Sequence[str]) -> Quantity:
    """A time of the day; its unit is empty where it may be before or after noon."""
    hours, _, minutes = figures.replace(".", ":").partition(":")
    hour = float(hours) if hours.isdigit() else float(CARDINALS.get(hours, 0))
    half = "".join(after)[:2] if after and after[0] in ("am", "pm", "a", "p") else ""
    if half in ("am", "pm"):
        hour = hour % 12 + 12 * (half == "pm")
    elif hour > 12 or hours.startswith("0"):
        half = "day"
    return Quantity("clock", hour + (int(minutes[:2]) / 60 if minutes[:2].isdigit() else 0), hour, half)


def _unit_position(words: Sequence[str], after: int) -> int:
    """Where the unit of a number stands, in "14 working days", "14 to 18 days" and "three quarters of an hour"."""
    at = after
    while at < len(words) and words[at] in SKIPPED:
        at += 1
    if words[at : at + 1] in (["and"], ["to"], ["or"]) and at + 1 < len(words):
        last, end = read_number(words, at + 1)
        if last is not None and end < len(words) and (words[end] in UNITS or words[end] in CURRENCIES):
            return end
    if words[at : at + 2] in (["of", "a"], ["of", "an"]) and not UNITS.keys().isdisjoint(
        words[at + 2 : at + 3]
    ):
        return at + 2
    return at


def _measured(number: float, unit: str, between: Sequence[str]) -> Quantity:
    """A number with a unit; working days are measured apart from days.

    Args:
        between: words between the two.
    """
    measure, size = UNITS[unit]
    if measure == "time" and not {"working", "business"}.isdisjoint(between):
        measure = "working time"
    return Quantity(measure, number * size, number, unit)


def _total(words: Sequence[str], at: int) -> tuple[float | None, int]:
    """The number after "of", "out of" or "in", as in "eight of ten" and "three in a hundred"; None without one."""
    if words[at : at + 1] not in (["of"], ["in"], ["out"]):
        return None, at
    at += 1
    while at < len(words) and words[at] in ("of", "the", "a", "every"):
        at += 1
    return read_number(words, at) if at < len(words) else (None, at)


def _bare(words: Sequence[str], start: int, after: int, number: float) -> Quantity | None:
    """A number without a unit: a year, a share, or a count; other numbers, such as "one" and ordinals, are none."""
    word = words[start]
    if word.isdigit() and len(word) == 4 and FIRST_YEAR <= number <= LAST_YEAR:
        return Quantity("year", number, number, "")
    if any(w in PARTS or w in "½¼¾" for w in words[start:after]):
        return Quantity("share", number, number, "")
    if number == 1 or not number.is_integer() or (word[0].isdigit() and word[-1].isalpha()):
        return None
    stops = stop_words("en")
    nouns = (w for w in words[after : after + 2] if len(w) >= NOUN_LETTERS and w not in stops)
    return Quantity("count", number, number, "", nouns=frozenset(w[:NOUN_LETTERS] for w in nouns))
