"""Section numbers: reading them off a line, and finding the chain in which each continues an earlier one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_DECIMAL = re.compile(
    r"(?:§\s*|(?:chapter|section|part|article|kapitel)\s+)?(\d{1,3}(?:\s?[.]\s?\d{1,3}){0,5})\s?[.:)]?\s+(?=\S)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:(?:appendix|annex|anhang)\s+)?([A-Z])((?:\.\d{1,2}){0,4})[.:)]?\s+(?=\S)")
_APPENDIX = re.compile(r"(?:appendix|annex|anhang)\s+([A-Z]|\d{1,2})\b", re.IGNORECASE)
_ROMAN = re.compile(r"([IVX]{1,5})[.:)]?\s+(?=\S)")
_ROMAN_VALUE = {"I": 1, "V": 5, "X": 10}


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
    if m := _ROMAN.match(text):
        value = _roman(m.group(1))
        if value:
            numbers.append(SectionNumber("I", (value,), m.end()))
    if m := _LETTER.match(text):
        path = (ord(m.group(1)) - 64, *(int(n) for n in re.findall(r"\d+", m.group(2))))
        numbers.append(SectionNumber("A", path, m.end()))
    elif m := _APPENDIX.match(text):
        mark = m.group(1)
        numbers.append(
            SectionNumber("A", (int(mark) if mark.isdigit() else ord(mark.upper()) - 64,), m.end())
        )
    return numbers


def _roman(text: str) -> int:
    total = 0
    for here, following in zip(text, [*text[1:], ""], strict=True):
        value = _ROMAN_VALUE[here]
        total += -value if following and _ROMAN_VALUE[following] > value else value
    numerals = [
        "",
        "I",
        "II",
        "III",
        "IV",
        "V",
        "VI",
        "VII",
        "VIII",
        "IX",
        "X",
        "XI",
        "XII",
        "XIII",
        "XIV",
        "XV",
        "XVI",
    ]
    return total if 0 < total < len(numerals) and numerals[total] == text else 0


def best_chain(candidates: Sequence[tuple[SectionNumber, float]]) -> list[int]:
    """Indices of the chain of numbers, each the successor of an earlier one, with the largest sum of weights.

    After 2.3 come 2.3.1, 2.4 and 3; after any number one that leaves out one (a heading that was lost), at a
    price. Every chain starts with a first number (1, A, I); letters after digits are appendices. One pass over
    the candidates, with the best chain so far that ends in each number or below it.
    """
    best: list[float] = []
    previous_in_chain: list[int] = []
    best_ending_at: dict[
        tuple[str, tuple[int, ...]], int
    ] = {}  # best chain that ends with exactly this number
    best_at_or_below: dict[tuple[str, tuple[int, ...]], int] = {}  # … with this number or one below it
    best_decimal_end = -1  # best chain so far in digits, for appendices
    for i, (number, weight) in enumerate(candidates):
        kind, path = number.kind, number.path
        options: list[tuple[float, int]] = []
        last = path[-1]
        if all(n == 1 for n in path[1:]) and path[0] <= 1 and len(path) == 1:
            options.append((0.0, -1))
            if kind == "A" and best_decimal_end >= 0:
                options.append((best[best_decimal_end], best_decimal_end))
        if last > 1:
            j = best_at_or_below.get((kind, (*path[:-1], last - 1)), -1)
            if j >= 0:
                options.append((best[j], j))
        if last > 2:
            j = best_at_or_below.get((kind, (*path[:-1], last - 2)), -1)
            if j >= 0:
                options.append((best[j] - 2.0, j))
        if last <= 1 and len(path) > 1:
            j = best_ending_at.get((kind, path[:-1]), -1)
            if j >= 0:
                options.append((best[j], j))
        if len(path) > 1 and last == 1 and path[-2] > 1:  # 3.1 after 2.x, where the line "3 …" was lost
            j = best_at_or_below.get((kind, (*path[:-2], path[-2] - 1)), -1)
            if j >= 0:
                options.append((best[j] - 2.0, j))
        if len(path) == 2 and path == (1, 1):
            options.append((-2.0, -1))
        if not options:
            best.append(float("-inf"))
            previous_in_chain.append(-1)
            continue
        value, previous = max(options)
        best.append(value + weight)
        previous_in_chain.append(previous)
        _keep_better(best_ending_at, (kind, path), i, best)
        for depth in range(1, len(path) + 1):
            _keep_better(best_at_or_below, (kind, path[:depth]), i, best)
        if kind != "A" and (best_decimal_end < 0 or best[i] > best[best_decimal_end]):
            best_decimal_end = i
    if not best or max(best) == float("-inf"):
        return []
    i = max(range(len(best)), key=lambda k: best[k])
    chain = []
    while i >= 0:
        chain.append(i)
        i = previous_in_chain[i]
    return chain[::-1]


def _keep_better(
    table: dict[tuple[str, tuple[int, ...]], int], key: tuple[str, tuple[int, ...]], i: int, best: list[float]
) -> None:
    if key not in table or best[i] >= best[table[key]]:
        table[key] = i
