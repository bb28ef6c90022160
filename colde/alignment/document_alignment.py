"""The alignment of two whole documents: each token of both is the same, changed, moved, or in one of them only.

Units correspond first (`unit_pairs`), in whatever order, then tokens within corresponding units. Signs and punctuation
are tokens; spaces and hyphens at line ends make no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from colde.alignment.aligned_units import UnitText
from colde.alignment.unit_pairs import moved_pairs, pair_units
from colde.results.shared_text import SentenceMatch
from colde.text.document import Document, Span

HELD = 0.6
"""Share of a unit's tokens that a longer unit of the other text must hold to be divided into both."""


@dataclass(frozen=True, slots=True)
class TokenEdit:
    """Tokens of both texts that take each other's place; one side may be empty."""

    a: range
    b: range


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """Consecutive units of both texts that correspond, or units of one text alone.

    Attributes:
        a, b: the units; empty where a text has none.
        edits: tokens that differ, in order; all tokens of units of one text alone.
        moved: whether the units stand in another order than most others.
    """

    a: range
    b: range
    edits: tuple[TokenEdit, ...] = ()
    moved: bool = False


@dataclass(frozen=True)
class Alignment:
    """Two documents, unit by unit. Every unit of both is in one group.

    Attributes:
        groups: in the order of a, those of b alone at the end.
    """

    a: UnitText
    b: UnitText
    groups: tuple[UnitGroup, ...]

    def mirrored(self) -> Alignment:
        """The same with a and b swapped."""
        groups = [
            UnitGroup(g.b, g.a, tuple(TokenEdit(e.b, e.a) for e in g.edits), g.moved) for g in self.groups
        ]
        groups.sort(key=lambda g: (not g.a, g.a.start, g.b.start))
        return Alignment(self.b, self.a, tuple(groups))

    def unequal_words(self) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """Of each text, words that the other has with other signs, capitals or spaces, and those beside such signs."""
        edits = [
            edit
            for group in self.groups
            if group.a and group.b
            for edit in group.edits
            if _letters(self.a, edit.a) == _letters(self.b, edit.b)
        ]
        return tuple(_beside(self.a, e.a) for e in edits if e.a), tuple(
            _beside(self.b, e.b) for e in edits if e.b
        )


def align(a: Document, b: Document, matches: Sequence[SentenceMatch] = ()) -> Alignment:
    """Align two documents; swapped documents have the mirrored alignment.

    Args:
        matches: pairs of sentences that mean the same or the opposite in other words.

    >>> import colde
    >>> a, b = (colde.read_text(f"It rained. {text} All slept.") for text in ("He took 5.0 mg.", "He took 50 mg."))
    >>> alignment = align(a, b)
    >>> [a.text[alignment.a.mark(e.a).start : alignment.a.mark(e.a).end] for g in alignment.groups for e in g.edits]
    ['5.0']
    """
    if _order(b) < _order(a):
        return _align(b, a, [replace(m, a=m.b, b=m.a) for m in matches]).mirrored()
    return _align(a, b, matches)


def _align(a: Document, b: Document, matches: Sequence[SentenceMatch]) -> Alignment:
    one, two = UnitText.of(a), UnitText.of(b)
    places = [{unit.start: k for k, unit in enumerate(text.units)} for text in (one, two)]
    known = {
        (places[0][m.a.start], places[1][m.b.start]): m.certainty
        for m in matches
        if m.a.start in places[0] and m.b.start in places[1]
    }
    pairs = pair_units(one, two, known)
    moved = moved_pairs(one, two, list(pairs))
    groups = {i: (range(i, i + 1), range(j, j + 1)) for i, j in pairs}
    _divide(one, two, pairs.of_a, pairs.of_b, groups)
    aligned = [
        UnitGroup(x, y, tuple(_edits(one, two, x, y)), (i, pairs.of_a[i]) in moved)
        for i, (x, y) in groups.items()
    ]
    held = {k for x, _ in groups.values() for k in x}, {k for _, y in groups.values() for k in y}
    none = range(0)
    aligned += [UnitGroup(x, none, (TokenEdit(one.token_range(x), none),)) for x in _others(one, held[0])]
    aligned.sort(key=lambda group: group.a.start)
    aligned += [UnitGroup(none, y, (TokenEdit(none, two.token_range(y)),)) for y in _others(two, held[1])]
    return Alignment(one, two, tuple(aligned))


def _order(document: Document) -> tuple[object, ...]:
    """By which of two documents comes first, so that ties between equal sentences do not depend on which is a."""
    return document.text, tuple((s.start, s.body, s.end, s.role or "") for s in document.sections)


def _others(text: UnitText, held: set[int]) -> Iterator[range]:
    """Each unit that is in no group, as a range."""
    return (range(k, k + 1) for k in range(len(text.units)) if k not in held)


def _divide(
    a: UnitText,
    b: UnitText,
    of_a: Sequence[int],
    of_b: Sequence[int],
    groups: dict[int, tuple[range, range]],
) -> None:
    """Take units without a partner into the group beside them whose other side holds their words."""
    owner = {i: i for i in groups}
    for u, partner in enumerate(of_a):
        for near in (u - 1, u + 1) if partner < 0 else ():
            key = owner.get(near)
            if key is not None and _holds(b, groups[key][1], a, groups[key][0], u):
                groups[key] = _extended(groups[key][0], u), groups[key][1]
                owner[u] = key
                break
    owner = {k: key for key, (_, y) in groups.items() for k in y}
    for u, partner in enumerate(of_b):
        for near in (u - 1, u + 1) if partner < 0 else ():
            key = owner.get(near)
            if key is not None and _holds(a, groups[key][0], b, groups[key][1], u):
                groups[key] = groups[key][0], _extended(groups[key][1], u)
                owner[u] = key
                break


def _extended(units: range, unit: int) -> range:
    return range(min(units.start, unit), max(units.stop, unit + 1))


def _holds(long: UnitText, units: range, other: UnitText, partners: range, unit: int) -> bool:
    """Whether units hold the tokens of a unit of the other text beside those of their partners there."""
    left = _counts(long, units) - _counts(other, partners)
    tokens = _counts(other, range(unit, unit + 1))
    return (left & tokens).total() >= HELD * tokens.total()


def _letters(text: UnitText, tokens: range) -> str:
    return "".join(text.names[k] for k in tokens if text.names[k][0].isalnum()).lower()


def _beside(text: UnitText, tokens: range) -> Span:
    """The place of tokens, with the one before them where they are signs alone, or else the one after them."""
    if not _letters(text, tokens):
        before = tokens.start > 0
        tokens = range(tokens.start - before, min(tokens.stop + (not before), len(text.tokens)))
    return text.mark(tokens)


def _counts(text: UnitText, units: range) -> Counter[str]:
    return Counter(name.lower() for k in units for name in text.keys[k])


def _edits(a: UnitText, b: UnitText, x: range, y: range) -> Iterator[TokenEdit]:
    """The tokens of corresponding units that differ; not where only spaces do."""
    one, two = a.token_range(x), b.token_range(y)
    left, right = a.names[one.start : one.stop], b.names[two.start : two.stop]
    if left == right:
        return
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal" and "".join(left[i0:i1]) != "".join(right[j0:j1]):
            yield TokenEdit(one[i0:i1], two[j0:j1])
