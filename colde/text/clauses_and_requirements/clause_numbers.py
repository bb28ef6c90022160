"""Numbers of clauses, such as `7.2` or `(b)`, and references to them, in two versions of a text.

A new clause renumbers all that follow. So a clause's own number says nothing about a change of the clause, and a
reference that follows the new numbers (`clause 7.2` → `clause 8.2`) is no change of what it refers to.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from colde.text.document import Document, Span

_CODE = r"[A-Z]{2,6}-\d{1,4}"
_NUMBER = re.compile(
    r"\s*(\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}[.)]|\(\d{1,3}\)|\[\d{1,4}\]|¶\s?\d{1,4}|\(?[a-z]{1,5}\)"
    rf"|{_CODE}[.:)]?)\s+(?=\W*(\w))"
)
_AT_LINE_START = re.compile(f"^{_NUMBER.pattern}", re.MULTILINE)
_NUMERAL = r"\d{1,3}(?:\.\d{1,3})*"
_REFERENCE = re.compile(
    rf"(?:\b(?:clause|section|article|paragraph|schedule|annex|appendix)s?|§+)\s*{_NUMERAL}"
    rf"(?:(?:,|\s*(?:and|or|to|–|-))\s*{_NUMERAL})*",
    re.IGNORECASE,
)
_ROMAN = (
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi",
)  # fmt: skip

_LETTERS, _NUMERALS, _CODES = 10_000, 20_000, 30_000
"""First component of the path of a letter, of a Roman numeral and, at least, of a code; no decimal number has them."""


def clause_numbers(document: Document, sentences: Sequence[Span]) -> dict[int, str]:
    """Numbers at the start of paragraphs by the first character of their sentence, with the space after them.

    A number counts where the text has one next to it, too: `3.4` where there is a `3.3`, a `3.5` or a `4.4`.
    """
    starts = {p.start for section in document.sections for p in (section, *section.paragraphs)}
    numbers: dict[int, str] = {}
    for s in sentences:
        match = _NUMBER.match(document.text, s.start, s.end) if s.start in starts else None
        if match and not (
            match[1][0].isdigit() and match[1][-1].isdigit() and match[2].islower()
        ):  # “1.5 tonnes are delivered”
            numbers[s.start] = match[0]
    known = {place for number in numbers.values() for place in _places(number)}
    return {
        start: number
        for start, number in numbers.items()
        if any(near in known for place in _places(number) for near in _neighbours(place))
    }


def without_line_numbers(text: str) -> str:
    """The text without what may be the number of a clause at the beginning of a line."""
    return _AT_LINE_START.sub("", text)


def _neighbours(place: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The numbers that differ by one at one level."""
    for level, step in product(range(len(place)), (-1, 1)):
        yield (*place[:level], place[level] + step, *place[level + 1 :])


def _places(number: str) -> list[tuple[int, ...]]:
    """The number as a path: `3.4` is (3, 4); of a letter its places among letters and Roman numerals."""
    plain = _plain(number)
    if plain[0].isdigit():
        return [tuple(map(int, plain.split(".")))]
    code, _, count = plain.partition("-")
    if count:
        return [(_CODES + int.from_bytes(code.encode()), int(count))]
    places: list[tuple[int, ...]] = [(_LETTERS, ord(plain))] if len(plain) == 1 else []
    return places + ([(_NUMERALS, _ROMAN.index(plain))] if plain in _ROMAN else [])


def _plain(number: str) -> str:
    """The number without signs and spaces around it."""
    return number.strip(" \t\n.:()[]¶")


@dataclass(frozen=True, slots=True)
class Renumbering:
    """The number that clauses have in the other text.

    Attributes:
        numbers: by the number in the first text; of clauses (`7.2`) and of the sections they are in (`7`).
    """

    numbers: Mapping[str, str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Renumbering:
        """From the numbers of corresponding clauses, as `clause_numbers` gives them."""
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for pair in pairs:
            a, b = (_plain(number).split(".") for number in pair)
            if len(a) == len(b):
                for depth in range(1, len(a) + 1):
                    votes[".".join(a[:depth])][".".join(b[:depth])] += 1
        return cls({a: counts.most_common(1)[0][0] for a, counts in votes.items()})

    def apply(self, text: str) -> str:
        """The text with the references that it would have in the other text."""

        def renumbered(number: re.Match[str]) -> str:
            return self.numbers.get(number[0], number[0])

        text = _REFERENCE.sub(lambda reference: re.sub(_NUMERAL, renumbered, reference[0]), text)
        return re.sub(rf"\b{_CODE}\b", renumbered, text)
