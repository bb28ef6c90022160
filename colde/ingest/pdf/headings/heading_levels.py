"""A heading of a PDF, and the levels of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from colde.ingest.pdf.headings.heading_rules import Style
from colde.ingest.pdf.headings.section_numbers import SectionNumber

_NO_STYLE = Style(0, False, False, False)


@dataclass(slots=True)
class Heading:
    """Lines [begin, end) that are one heading."""

    begin: int
    end: int
    text: str
    score: float
    numbers: list[SectionNumber] = field(default_factory=list)
    number: SectionNumber | None = None
    style: Style = _NO_STYLE
    is_known_name: bool = False
    is_listed: bool = False
    emphasis: float = 0.0
    level: int = 1


def assign_levels(headings: Sequence[Heading]) -> None:
    """Level from the numbering depth; else that of numbered headings of the same style; else the rank of the style."""
    by_style: dict[Style, Counter[int]] = {}
    for h in headings:
        if h.number is not None:
            h.level = len(h.number.path)
            by_style.setdefault(h.style, Counter())[h.level] += 1
    rest = [h for h in headings if h.number is None]
    ranks = _style_ranks(h.style for h in rest)
    for h in rest:
        near = [levels for style, levels in by_style.items() if style.resembles(h.style)]
        if by_style and h.is_known_name:
            h.level = 1
        else:
            h.level = near[0].most_common(1)[0][0] if near else ranks[h.style]


def _style_ranks(styles: Iterable[Style]) -> dict[Style, int]:
    """1 for the most prominent style, 2 for the next. Sizes that differ by little count as one, the more so where
    capitals say that two styles are the same: a scan spreads one size over several."""
    ordered = sorted(set(styles), key=lambda s: (-s[0], not s[2], not s[1], s[3]))
    ranks: dict[Style, int] = {}
    rank = 0
    first: Style | None = None  # of the current rank
    for style in ordered:
        near = first is not None and style[1:] == first[1:]
        if (
            first is None
            or not near
            or first[0] - style[0] > max(1.0, (0.2 if style[2] else 0.04) * first[0])
        ):
            rank += 1
            first = style
        ranks[style] = min(rank, 6)
    return ranks
