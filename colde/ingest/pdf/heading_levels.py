"""Levels of headings by their style."""

from __future__ import annotations

from collections.abc import Iterable

from colde.ingest.pdf.heading_rules import Style


def style_ranks(styles: Iterable[Style]) -> dict[Style, int]:
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
