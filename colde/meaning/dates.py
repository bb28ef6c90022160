"""Dates of a sentence: a month, with or without its day, in words or in figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {name: i for i, name in enumerate(_MONTHS, 1)} | {
    name[:3]: i for i, name in enumerate(_MONTHS, 1) if name != "may"
}
_MONTH = r"(?:" + "|".join(_MONTHS) + r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_DAY = r"(?:[12]?\d|3[01])(?:st|[nr]d|th)?"
_DATE = re.compile(
    rf"\b(?P<day>{_DAY})\s+(?:of\s+)?(?P<month>{_MONTH})"
    rf"|\b(?P<month2>{_MONTH})\s+(?:the\s+)?(?P<day2>{_DAY})\b(?!\s*%)"
    r"|\b(?P<iso>(?:1[5-9]|20)\d\d-(?P<m>\d\d)-(?P<d>\d\d))\b"
    r"|\b(?P<x>\d{1,2})[./](?P<y>\d{1,2})[./](?=(?:\d\d){1,2}\b)"
    r"|(?:\b(?P<word>[a-z]+)\s+)?"
    rf"(?P<alone>\b(?:(?!may\b){_MONTH}|(?<=in )may\b|(?<=by )may\b|(?<=of )may\b)"
    rf"(?!\s+(?:the\s+)?{_DAY}\b))"
)

BORDERS = frozenset({"before", "after", "until", "by", "from", "since", "than"})
"""Words before a month that is the border of a time."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date.

    Attributes:
        readings: months and days that it may mean, as 3/4/2025 may mean two; the day is 0 for a month alone.
        word: the word before a month alone.
        start, end: characters of the sentence.
    """

    readings: frozenset[tuple[int, int]]
    word: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    def agrees(self, other: Date) -> bool:
        """Whether both may be the same; a month contains its days, and "before October" is about September."""
        near = not BORDERS.isdisjoint((self.word, other.word))
        return any(
            (m == n or (near and abs(m - n) in (1, 11))) and (d == e or 0 in (d, e))
            for (m, d), (n, e) in product(self.readings, other.readings)
        )

    def contradicts(self, other: Date) -> bool:
        """Whether they are dates of one form that do not agree: two days, or two months after the same word."""
        days = [any(day for _, day in date.readings) for date in (self, other)]
        return days[0] == days[1] and self.word == other.word and not self.agrees(other)


def take_dates(sentence: str) -> tuple[list[Date], str]:
    """The dates of a sentence in lower case, and the sentence without them, as long as before; a year stays in it."""
    dates = [Date(*_read(match), *match.span()) for match in _DATE.finditer(sentence)]
    return dates, _DATE.sub(_rest, sentence)


def _rest(match: re.Match[str]) -> str:
    """What stays of a date: its year, and the word before a month."""
    kept = f" {match['iso'][:4] if match['iso'] else match['word'] or ''} "
    return kept.ljust(len(match[0]))


def _read(match: re.Match[str]) -> tuple[frozenset[tuple[int, int]], str]:
    if match["iso"]:
        return frozenset({(int(match["m"]), int(match["d"]))}), ""
    if match["x"]:
        x, y = int(match["x"]), int(match["y"])
        return frozenset((m, d) for m, d in ((x, y), (y, x)) if 1 <= m <= 12), ""
    if match["alone"]:
        return frozenset({(_month(match["alone"]), 0)}), match["word"] or ""
    day = re.sub(r"\D", "", match["day"] or match["day2"])
    return frozenset({(_month(match["month"] or match["month2"]), int(day))}), ""


def _month(name: str) -> int:
    name = name.rstrip(".")
    return _NUMBERS.get(name) or _NUMBERS[name[:3]]
