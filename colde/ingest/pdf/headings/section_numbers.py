"""Section numbers: reading them off a line, and finding the chain in which each continues an earlier one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_DECIMAL = re.compile(
    r"(?:§\s*|(?:chapter|section|part|article|kapitel)\s+)?(\d{1,3}(?:\s?[.]\s?\d{1,3}){0,5})\s?[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:(?:appendix|annex|anhang)\s+)?([A-Z])((?:\.\d{1,2}){0,4})[.:)]?\s+(?=\S)")
_APPENDIX = re.compile(r"(?:appendix|annex|anhang)\s+([A-Z]|\d{1,2})\b", re.IGNORECASE)
_ROMAN = re.compile(r"([IVX]{1,5})[.:)]?\s+(?=\S)")
_ROMAN_NUMERALS = (
    "", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI",
)  # fmt: skip
_LOST_HEADING = 2.0  # what leaving out one number costs a chain


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """A line that starts with a section number. `rest` is where its text begins."""

    kind: str
    path: tuple[int, ...]
    rest: int


def possible_numbers(text: str) -> list[SectionNumber]:
    """Every way in which the start of a line can be a section number; "I." may be roman 1 or the letter I."""
    numbers = []
    if m := _DECIMAL.match(text):
        path = tuple(int(n) for n in re.findall(r"\d+", m.group(1)))
        if all(n < 100 for n in path) and path[0] > 0:
            numbers.append(SectionNumber("1", path, m.end()))
    if (m := _ROMAN.match(text)) and m.group(1) in _ROMAN_NUMERALS:
        numbers.append(SectionNumber("I", (_ROMAN_NUMERALS.index(m.group(1)),), m.end()))
    if m := _LETTER.match(text):
        path = (ord(m.group(1)) - 64, *(int(n) for n in re.findall(r"\d+", m.group(2))))
        numbers.append(SectionNumber("A", path, m.end()))
    elif m := _APPENDIX.match(text):
        mark = m.group(1)
        place = int(mark) if mark.isdigit() else ord(mark.upper()) - 64
        numbers.append(SectionNumber("A", (place,), m.end()))
    return numbers


Key = tuple[str, tuple[int, ...]]
"""Kind and path of a section number."""


@dataclass(slots=True)
class _Chains:
    """The best chains so far.

    Attributes:
        value: for each candidate the sum of weights of the best chain that ends with it.
        previous: for each candidate the one before it in that chain; -1 where there is none.
        at: for each number the candidate whose chain is the best that ends with exactly this number.
        at_or_below: the same for chains that end with this number or one below it.
        last_decimal: the candidate whose chain is the best of those in digits; -1 before there is one.
    """

    value: list[float] = field(default_factory=list)
    previous: list[int] = field(default_factory=list)
    at: dict[Key, int] = field(default_factory=dict)
    at_or_below: dict[Key, int] = field(default_factory=dict)
    last_decimal: int = -1

    def options(self, kind: str, path: tuple[int, ...]) -> Iterator[tuple[float, int]]:
        """Value and last candidate of each chain that the number can continue; -1 for a chain that begins with it."""
        last, parents = path[-1], path[:-1]
        if path in ((0,), (1,)):
            yield 0.0, -1
            if kind == "A" and self.last_decimal >= 0:
                yield self.value[self.last_decimal], self.last_decimal
        if path == (1, 1):  # the line "1 …" was lost
            yield -_LOST_HEADING, -1
        if last > 1:
            yield from self._chain(self.at_or_below, kind, (*parents, last - 1))
        if last > 2:
            yield from self._chain(self.at_or_below, kind, (*parents, last - 2), _LOST_HEADING)
        if last <= 1 and parents:
            yield from self._chain(self.at, kind, parents)
        if last == 1 and parents and parents[-1] > 1:  # 3.1 after 2.x, where the line "3 …" was lost
            yield from self._chain(self.at_or_below, kind, (*path[:-2], parents[-1] - 1), _LOST_HEADING)

    def _chain(
        self, table: dict[Key, int], kind: str, path: tuple[int, ...], price: float = 0.0
    ) -> Iterator[tuple[float, int]]:
        if (kind, path) in table:
            i = table[kind, path]
            yield self.value[i] - price, i

    def add(self, kind: str, path: tuple[int, ...], weight: float) -> None:
        """Continue the best chain that the next candidate can continue."""
        i = len(self.value)
        best, previous = max(self.options(kind, path), default=(float("-inf"), -1))
        self.value.append(best + weight)
        self.previous.append(previous)
        if best == float("-inf"):
            return
        self._keep_better(self.at, (kind, path), i)
        for depth in range(1, len(path) + 1):
            self._keep_better(self.at_or_below, (kind, path[:depth]), i)
        if kind != "A" and (self.last_decimal < 0 or self.value[i] > self.value[self.last_decimal]):
            self.last_decimal = i

    def _keep_better(self, table: dict[Key, int], key: Key, i: int) -> None:
        if key not in table or self.value[i] >= self.value[table[key]]:
            table[key] = i


def best_chain(candidates: Sequence[tuple[SectionNumber, float]]) -> list[int]:
    """Indices of the chain of numbers, each the successor of an earlier one, with the largest sum of weights.

    After 2.3 come 2.3.1, 2.4 and 3; after any number one that leaves out one (a heading that was lost), at a
    price. Every chain starts with a first number (1, A, I); letters after digits are appendices. One pass over
    the candidates, with the best chain so far that ends in each number or below it.
    """
    chains = _Chains()
    for number, weight in candidates:
        chains.add(number.kind, number.path, weight)
    if not candidates or max(chains.value) == float("-inf"):
        return []
    i = max(range(len(candidates)), key=lambda k: chains.value[k])
    chain = []
    while i >= 0:
        chain.append(i)
        i = chains.previous[i]
    return chain[::-1]
