"""Both texts as one: pieces that are the same, inserted, deleted or moved, in paragraphs.

Without the deleted pieces this is the text of B, without the inserted ones that of A. White space that both have is as
in B.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from colde.alignment.aligned_units import UnitText
from colde.alignment.document_alignment import Alignment, UnitGroup
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span
from colde.text.tables import is_table

State = Literal["same", "inserted", "deleted", "moved here", "moved away"]
STATES_OF_A: tuple[State, ...] = ("same", "deleted", "moved away")
STATES_OF_B: tuple[State, ...] = ("same", "inserted", "moved here")
BREAK = "\n"
"""The text of the piece that ends a paragraph."""
_ATOM = re.compile(r"\s*\n\s*|[^\S\n]+|\S+")


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive characters in one state, or the end of a paragraph.

    Attributes:
        a, b: where it begins in each text that has it.
        move: of moved pieces, the number of the move; both places have the same.
    """

    text: str
    state: State
    a: int | None = None
    b: int | None = None
    move: int | None = None


@dataclass(frozen=True, slots=True)
class RedlineParagraph:
    """A paragraph of the redline.

    Attributes:
        end: state of its end; where that is inserted or deleted, one of the texts goes on with the next paragraph.
        level: of the heading that it is; None for others.
        table: whether it is a row of a table.
    """

    pieces: tuple[Piece, ...]
    end: State = "same"
    level: int | None = None
    table: bool = False


def redline_paragraphs(
    alignment: Alignment, cuts: tuple[Collection[int], Collection[int]] = ((), ())
) -> list[RedlineParagraph]:
    """The paragraphs of both texts.

    Args:
        cuts: offsets in each text at which one piece shall end and another begin.

    >>> import colde
    >>> from colde.alignment.document_alignment import align
    >>> a, b = (colde.read_text(f"It rained. He took {dose} mg. All slept.") for dose in ("5.0", "50"))
    >>> [(piece.state, piece.text) for piece in redline_paragraphs(align(a, b))[0].pieces]
    [('same', 'It rained. He took '), ('deleted', '5.0'), ('inserted', '50'), ('same', ' mg. All slept.')]
    """
    documents = alignment.a.document, alignment.b.document
    paragraphs: list[RedlineParagraph] = []
    pieces: list[Piece] = []
    for piece in [*_joined(_atoms(alignment, cuts), cuts), Piece(BREAK, "same")]:
        if piece.text != BREAK:
            pieces.append(piece)
        elif pieces or piece.state != "same":
            level, table = _look(documents, pieces)
            paragraphs.append(RedlineParagraph(tuple(pieces), piece.state, level, table))
            pieces = []
    return paragraphs


def _joined(atoms: Iterable[Piece], cuts: tuple[Collection[int], Collection[int]]) -> Iterator[Piece]:
    """The pieces of neighbouring atoms in one state."""
    last: Piece | None = None
    for atom in atoms:
        divided = BREAK in (atom.text, last and last.text) or atom.a in cuts[0] or atom.b in cuts[1]
        if last is not None and not divided and (last.state, last.move) == (atom.state, atom.move):
            last = replace(last, text=last.text + atom.text)
            continue
        if last is not None:
            yield last
        last = atom
    if last is not None:
        yield last


def _look(documents: tuple[Document, Document], pieces: Sequence[Piece]) -> tuple[int | None, bool]:
    """The level of a heading, and whether it is a row of a table, of a paragraph: as in B, where it has words there."""
    place = next(
        ((1, piece.b) for piece in pieces if piece.b is not None),
        next(((0, piece.a) for piece in pieces), (0, None)),
    )
    document, offset = documents[place[0]], place[1]
    index = None if offset is None else document.section_at(offset)
    if index is None or offset is None:
        return None, False
    section = document.sections[index]
    is_heading = section.heading is not None and offset < section.body
    return section.level if is_heading else None, is_table(section) and not is_heading


def _atoms(alignment: Alignment, cuts: tuple[Collection[int], Collection[int]]) -> Iterator[Piece]:
    """Words, white space and line ends of both texts in one order."""
    a, b = alignment.a, alignment.b
    moves = _Moves(alignment)
    sides = _Side(a.document.text, "a", moves, cuts[0]), _Side(b.document.text, "b", moves, cuts[1])
    at_a = at_b = 0
    for i, j in [*_same_tokens(alignment), (len(a.tokens), len(b.tokens))]:
        begins = _start(a, i), _start(b, j)
        yield from _between(sides[0].atoms(at_a, begins[0]), sides[1].atoms(at_b, begins[1]))
        if i < len(a.tokens):
            yield Piece(b.names[j], "same", *begins)
            at_a, at_b = a.tokens[i].end, b.tokens[j].end


def _start(text: UnitText, token: int) -> int:
    return text.tokens[token].start if token < len(text.tokens) else len(text.document.text)


def _between(one: list[Piece], two: list[Piece]) -> Iterator[Piece]:
    """What stands between two words that both texts have; white space at its ends that both have is the same."""
    before = _same_space(one[:1], two[:1])
    one, two = one[len(before) :], two[len(before) :]
    after = _same_space(one[-1:], two[-1:])
    yield from before
    yield from one[: len(one) - len(after)]
    yield from two[: len(two) - len(after)]
    yield from after


def _same_space(one: Sequence[Piece], two: Sequence[Piece]) -> list[Piece]:
    """The white space of B where both texts have white space, or both the end of a paragraph; else nothing."""
    if not one or not two or one[0].text.strip() or two[0].text.strip():
        return []
    if (one[0].text == BREAK) != (two[0].text == BREAK):
        return []
    return [Piece(two[0].text, "same", one[0].a, two[0].b)]


class _Moves:
    """Units that stand at another place in the other text and are the same there.

    Attributes:
        units: of each text, the places of these units in reading order, with the number of the move.
    """

    def __init__(self, alignment: Alignment) -> None:
        groups = [group for group in alignment.groups if _is_move(alignment, group)]
        self.units: dict[Letter, list[tuple[Span, int]]] = {
            "a": [(alignment.a.span(group.a), k) for k, group in enumerate(groups, 1)],
            "b": [(alignment.b.span(group.b), k) for k, group in enumerate(groups, 1)],
        }
        for units in self.units.values():
            units.sort(key=lambda unit: unit[0].start)

    def number(self, letter: Letter, offset: int) -> int | None:
        """The number of the move of a place; None where it did not move."""
        units = self.units[letter]
        k = bisect_right(units, offset, key=lambda unit: unit[0].start) - 1
        return units[k][1] if k >= 0 and offset < units[k][0].end else None


def _is_move(alignment: Alignment, group: UnitGroup) -> bool:
    if not group.moved or group.edits:
        return False
    one, two = alignment.a.span(group.a), alignment.b.span(group.b)
    text = alignment.a.document.text[one.start : one.end]
    return text == alignment.b.document.text[two.start : two.end] and BREAK not in text


class _Side:
    """The text of one document, as atoms that the other does not have at their place."""

    def __init__(self, text: str, letter: Letter, moves: _Moves, cuts: Collection[int]) -> None:
        self._text, self._letter, self._moves = text, letter, moves
        units = [span for span, _ in moves.units[letter]]
        self._ends = sorted({*cuts, *(s.start for s in units), *(s.end for s in units)})

    def atoms(self, start: int, end: int) -> list[Piece]:
        """Words, white space and line ends of a part of the text, divided where a move or a cut is."""
        inside = self._ends[bisect_right(self._ends, start) : bisect_right(self._ends, end - 1)]
        return [
            self._piece(match[0], match.start())
            for one, two in pairwise((start, *inside, end))
            for match in _ATOM.finditer(self._text, one, two)
        ]

    def _piece(self, text: str, offset: int) -> Piece:
        shown = BREAK if BREAK in text else text
        move = None if shown == BREAK else self._moves.number(self._letter, offset)
        if self._letter == "a":
            return Piece(shown, "deleted" if move is None else "moved away", a=offset, move=move)
        return Piece(shown, "inserted" if move is None else "moved here", b=offset, move=move)


def _same_tokens(alignment: Alignment) -> Iterator[tuple[int, int]]:
    """Tokens that both texts have in the same order."""
    a, b = alignment.a, alignment.b
    reached = 0
    for group in alignment.groups:
        if not (group.a and group.b) or group.moved or group.b.start < reached:
            continue
        reached = group.b.stop
        one, two = a.token_range(group.a), b.token_range(group.b)
        begins = [(one.start, two.start), *((e.a.stop, e.b.stop) for e in group.edits)]
        ends = [*((e.a.start, e.b.start) for e in group.edits), (one.stop, two.stop)]
        for (i, j), (k, m) in zip(begins, ends, strict=True):
            yield from ((i + x, j + y) for x, y in _same_names(a.names[i:k], b.names[j:m]))


def _same_names(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal tokens of two stretches that differ in spaces alone: a word of one may be two of the other."""
    i = j = at_a = at_b = 0
    while i < len(a) and j < len(b):
        if at_a == at_b and a[i] == b[j]:
            yield i, j
        shorter = at_a + len(a[i]) - at_b - len(b[j])
        if shorter <= 0:
            at_a, i = at_a + len(a[i]), i + 1
        if shorter >= 0:
            at_b, j = at_b + len(b[j]), j + 1
