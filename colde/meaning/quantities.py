"""Quantities of a sentence.

A quantity is a number with what it measures: a time, a clock time, money, a share, a length, a mass, a volume, a year,
or a count of something. Values are in one unit for each, so that "four weeks" equals "28 days".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from colde.meaning.dates import DAYS
from colde.meaning.number_words import CARDINALS, ORDINALS, read_number
from colde.meaning.unit_lexicon import (
    BEFORE_ONE,
    BOUNDS,
    CURRENCIES,
    HEDGES,
    LABELS,
    MONEY_SCALES,
    PARTS,
    SKIPPED,
    UNITS,
)
from colde.text.word_lists.stop_words import stop_words

_TOKEN = re.compile(
    r"\d{1,3}(?:(?: \d{3}){2,}|(?:[\u2009\u00a0\u202f]\d{3})+)(?!\d)|\d+(?:[.,:]\d+)*(?:(?:st|[nr]d|th)\b)?|per cent\b"
    r"|° ?[cf]\b|[^\W\d_]+|(?<!\S)[-−–](?=\d)|[%$€£¥½¼¾/≥≤<>°]"
)
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


def _tokens(sentence: str) -> list[re.Match[str]]:
    return list(_TOKEN.finditer(sentence.lower()))


def words_of(sentence: str) -> list[str]:
    """Words, numbers and signs of a sentence in lower case, as quantities are read from them."""
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
    words = words_of(shown)
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
    currency = _currency([*words[max(0, start - 1) : start], *unit])
    if currency is not None:
        scale = MONEY_SCALES.get("".join(words[after : after + 1]))
        ends = scale is not None or (at == after and _currency(unit) is not None)
        return Quantity(f"money {currency}", number * (scale or 1), number, ""), after + ends
    halves = 2 if words[at : at + 2] in _CLOCK else int(unit[:1] in (["am"], ["pm"], ["h"]))
    if ":" in words[start] or halves:
        return _clock(words[start], words[at : at + 2]), at + halves if halves else after
    if unit and unit[0] in UNITS:
        half = following == ["and", "a", "half"]
        ranged = words[after : after + 1] in (["and"], ["to"], ["or"])
        end = at + 4 if half else after if ranged else at + 1
        return _measured(number + 0.5 * half, unit[0], words[after:at]), end
    total, end = _total(words, after)
    if total is not None and total > number:
        return Quantity("share", number / total, number, "of"), end
    return _bare(words, start, after, number), after


def _currency(words: Sequence[str]) -> str | None:
    """The currency that one of these words names."""
    return next((CURRENCIES[w] for w in words if w in CURRENCIES), None)


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
