"""Units of a document that are aligned: titles, headings, sentences, cells, captions, notes; and their tokens.

Every word, number and sign of the text is a token of exactly one unit, whatever the role of its section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

from colde.text.clauses_and_requirements.clause_numbers import clause_numbers
from colde.text.document import EXCLUDED_ROLE, Document, Section, Span
from colde.text.words import word_pattern


@lru_cache(maxsize=1)
def _token_pattern() -> re.Pattern[str]:
    """A number with its separators, a word, or one other sign."""
    return re.compile(rf"\d+(?:[.,]\d+)*|{word_pattern().pattern}|[^\w\s]")


def tokenize(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """The tokens of a text, signs and punctuation included."""
    return _token_pattern().finditer(text, start, len(text) if end is None else end)


@dataclass(frozen=True)
class Unit(Span):
    """A piece of a section that is aligned as one.

    Attributes:
        section: index of its section.
        heading: whether it is the heading of its section.
        number: the number of the clause that it begins with, and the space after it; empty where there is none.
        tokens: places of its tokens.
    """

    section: int
    heading: bool
    number: str
    tokens: tuple[Span, ...]


@dataclass(frozen=True)
class UnitText:
    """The units of a document in reading order. Sections that the user left out have none."""

    document: Document
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, document: Document) -> UnitText:
        """The units of a document, and their tokens."""
        pieces = [
            (i, piece)
            for i, section in enumerate(document.sections)
            if section.role != EXCLUDED_ROLE
            for piece in _pieces(document.text, section)
        ]
        numbers = clause_numbers(document, [piece for _, piece in pieces])
        units = []
        for i, piece in pieces:
            tokens = tuple(Span(*m.span()) for m in tokenize(document.text, piece.start, piece.end))
            if tokens:
                section = document.sections[i]
                heading = section.heading is not None and piece.start == section.start < section.body
                units.append(Unit(piece.start, piece.end, i, heading, numbers.get(piece.start, ""), tokens))
        return cls(document, tuple(units))

    @cached_property
    def tokens(self) -> tuple[Span, ...]:
        """All tokens in reading order."""
        return tuple(token for unit in self.units for token in unit.tokens)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The text of each token."""
        return tuple(self.document.text[t.start : t.end] for t in self.tokens)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """[units + 1], the first token of each unit, and the number of all."""
        return tuple(accumulate((len(unit.tokens) for unit in self.units), initial=0))

    def token_range(self, units: range) -> range:
        """Positions of the tokens of consecutive units."""
        return range(self.first[units.start], self.first[units.stop])

    def span(self, units: range) -> Span:
        """The place of consecutive units."""
        return Span(self.units[units.start].start, self.units[units.stop - 1].end)

    def text_of(self, units: range) -> str:
        """The text of consecutive units without the number that the first begins with."""
        span = self.span(units)
        return self.document.text[span.start + len(self.units[units.start].number) : span.end]

    def mark(self, tokens: range) -> Span:
        """The characters from the first to the last of consecutive tokens."""
        return Span(self.tokens[tokens.start].start, self.tokens[tokens.stop - 1].end)

    @cached_property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of each unit without the number of its clause; all tokens where it has no others."""
        return tuple(
            tuple(
                self.names[k]
                for k in range(first, after)
                if self.tokens[k].start >= unit.start + len(unit.number)
            )
            or self.names[first:after]
            for unit, first, after in zip(self.units, self.first, self.first[1:], strict=False)
        )

    def heading_of(self, unit: int) -> str:
        """The words of the heading over a unit, numbers aside."""
        return self._headings[self.units[unit].section]

    @cached_property
    def _headings(self) -> tuple[str, ...]:
        return tuple(
            " ".join(m[0] for m in tokenize((s.heading or "").lower()) if m[0].isalpha())
            for s in self.document.sections
        )


def _pieces(text: str, section: Section) -> Iterator[Span]:
    """Heading, sentences and whatever stands between them, in reading order."""
    known: Sequence[Span] = section.sentences
    if section.heading is not None and section.body > section.start:
        end = section.start + len(section.heading)
        known = [Span(section.start, end if end <= section.body else section.body), *known]
    place = section.start
    for span in [*known, Span(section.end, section.end)]:
        if text[place : span.start].strip():
            yield Span(place, span.start)
        if len(span):
            yield span
        place = max(place, span.end)
