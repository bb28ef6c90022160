"""Where the words of a sentence that only one text has stand elsewhere in both texts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from colde.alignment.aligned_units import UnitText
from colde.alignment.document_alignment import Alignment, UnitGroup
from colde.results.change import Marks
from colde.results.similarity_map import Letter

FEWEST = 4
"""Words of a sentence; fewer stand anywhere."""
MOST = 3
"""Places in each text that are named."""


class _Letters:
    """The letters and digits of a text as one string, and the token that each belongs to."""

    def __init__(self, text: UnitText) -> None:
        self.text = text
        words = ["".join(filter(str.isalnum, name)).lower() for name in text.names]
        self.starts = list(accumulate(map(len, words), initial=0))
        self.joined = "".join(words)

    def of(self, tokens: range) -> str:
        """The letters of consecutive tokens."""
        return self.joined[self.starts[tokens.start] : self.starts[tokens.stop]]

    def places(self, letters: str, but: range) -> list[tuple[int, int]]:
        """Start and end of the first places of a run of whole words, without one place."""
        places: list[tuple[int, int]] = []
        at = self.joined.find(letters)
        while at >= 0 and len(places) < MOST:
            first, end = bisect_right(self.starts, at) - 1, at + len(letters)
            last = bisect_left(self.starts, end)
            if self.starts[first] == at and self.starts[last] == end and first not in but:
                span = self.text.mark(range(first, last))
                places.append((span.start, span.end))
            at = self.joined.find(letters, at + 1)
        return places


@dataclass
class Elsewhere:
    """Finds other places of the words of units."""

    alignment: Alignment
    _letters: dict[Letter, _Letters] = field(default_factory=dict)

    def places(self, group: UnitGroup) -> Marks:
        """Places in both texts where the same words stand, without the units themselves; empty where there are none."""
        if not self._letters:
            self._letters = {"a": _Letters(self.alignment.a), "b": _Letters(self.alignment.b)}
        here: Letter = "a" if group.a else "b"
        text, units = (self.alignment.a, group.a) if group.a else (self.alignment.b, group.b)
        tokens = text.token_range(units)
        if sum(text.names[k][0].isalnum() for k in tokens) < FEWEST:
            return {}
        letters = self._letters[here].of(tokens)
        places: dict[Letter, tuple[tuple[int, int], ...]] = {
            side: tuple(held.places(letters, tokens if side == here else range(0)))
            for side, held in self._letters.items()
        }
        return places if any(places.values()) else {}
