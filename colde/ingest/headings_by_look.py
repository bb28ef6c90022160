"""Headings of documents that do not name them: short paragraphs in larger, bold or coloured letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

MAX_CHARACTERS = 100
"""Characters of a paragraph that may be a heading by its look."""
_LARGER = 1.08  # times the size of the text, from which letters are larger
_SMALLEST = 0.9  # times the size of the text, of a heading that is bold or has a colour
_MAX_SHARE = 0.5  # of all paragraphs that are headings
_MAX_LEVEL = 6


@dataclass(frozen=True, slots=True)
class ParagraphLook:
    """How a paragraph looks.

    Attributes:
        text: its text.
        points: size of its largest letters; 0 where that is not known.
        bold: whether all of it is bold.
        coloured: whether all of it has a colour other than that of the text.
        is_text: whether it is running text, and no caption, note, table or code.
    """

    text: str
    points: float = 0.0
    bold: bool = False
    is_text: bool = True
    coloured: bool = False

    def may_be_heading(self) -> bool:
        """Whether it is short, no address, and does not end as sentences and lists do."""
        return (
            self.is_text
            and 0 < len(self.text) <= MAX_CHARACTERS
            and "://" not in self.text
            and not self.text.endswith((".", ",", ";", ":"))
        )


def levels_by_look(paragraphs: Sequence[ParagraphLook]) -> dict[int, int]:
    """The levels of the headings, by their positions; larger letters stand above smaller, bold ones above others.

    Empty where the headings would be most of the document.
    """
    text = _rank_of_text(paragraphs)
    headings = _headings(paragraphs, text)
    last_text = max((i for i, p in enumerate(paragraphs) if p.text and i not in headings), default=-1)
    headings = {i: rank for i, rank in headings.items() if i < last_text}
    if len(headings) > _MAX_SHARE * sum(bool(p.text) for p in paragraphs):
        return {}
    levels = _levels(set(headings.values()))
    return {i: levels[rank] for i, rank in headings.items()}


def _headings(
    paragraphs: Sequence[ParagraphLook], text: tuple[float, bool, bool]
) -> dict[int, tuple[float, bool, bool]]:
    """The paragraphs that stand out, with their look; where most have a colour, one without it must be larger."""
    headings = {
        i: _rank(p) for i, p in enumerate(paragraphs) if p.may_be_heading() and _stands_out(_rank(p), text)
    }
    if 2 * sum(coloured for _, _, coloured in headings.values()) > len(headings):
        return {i: rank for i, rank in headings.items() if rank[2] or rank[0] > _LARGER * text[0]}
    return headings


def _rank_of_text(paragraphs: Sequence[ParagraphLook]) -> tuple[float, bool, bool]:
    """The look of most letters."""
    letters: Counter[tuple[float, bool, bool]] = Counter()
    for paragraph in paragraphs:
        if paragraph.is_text:
            letters[_rank(paragraph)] += len(paragraph.text)
    return max(letters, key=lambda rank: letters[rank], default=(0.0, False, False))


def _rank(paragraph: ParagraphLook) -> tuple[float, bool, bool]:
    return paragraph.points, paragraph.bold, paragraph.coloured


def _stands_out(rank: tuple[float, bool, bool], text: tuple[float, bool, bool]) -> bool:
    """Whether letters are larger than those of the text, or bold or coloured where those are not."""
    emphasised = rank[1:] > text[1:]
    return rank[0] > _LARGER * text[0] or (emphasised and rank[0] >= _SMALLEST * text[0])


def _levels(ranks: Set[tuple[float, bool, bool]]) -> dict[tuple[float, bool, bool], int]:
    """A level for each rank; one for those that differ a little in size."""
    levels: dict[tuple[float, bool, bool], int] = {}
    above: tuple[float, bool, bool] | None = None
    level = 0
    for rank in sorted(ranks, reverse=True):
        if above is None or rank[1:] != above[1:] or rank[0] < _SMALLEST * above[0]:
            above, level = rank, min(level + 1, _MAX_LEVEL)
        levels[rank] = level
    return levels
