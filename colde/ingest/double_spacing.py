"""Typescripts with blank lines between all their lines: which of the blank lines end a paragraph."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from colde.ingest.line_end_hyphens import NO_SPACES
from colde.ingest.wrapped_lines import ends_sentence, fills, wrap_width

_MIN_WRAPPED_LINES = 2
_MIN_LINE_WORDS = 2.5  # on average: shorter lines are lists of words
_MAX_CLOSE_SHARE = (
    0.4  # of the lines that follow another one without a blank line: quotations, headings over two lines
)
_MIN_WRAPPED_SHARE = 0.2  # of the lines that end within a sentence because the next word does not fit in
_MAX_UNWRAPPED_SHARE = (
    0.25  # of the lines that end earlier, without the end of a sentence: headings and items
)
_MIN_SMALL_SHARE = (
    0.25  # of the lines after wrapped ones that begin with a small letter, or in a script without capitals
)


def single_spaced(lines: Sequence[str]) -> list[str]:
    """The lines without the blank lines between lines of a paragraph, where a text is double-spaced; else as they are.

    A wider gap ends a paragraph, and so does a line that ends early.
    """
    filled = [i for i, line in enumerate(lines) if line.strip()]
    gaps = [b - a - 1 for a, b in itertools.pairwise(filled)]
    spacing = _spacing(lines, filled, gaps)
    if not spacing:
        return list(lines)
    width = wrap_width(lines)
    single = [lines[filled[0]]]
    for gap, (before, after, next_after) in zip(
        gaps, zip(filled, filled[1:], [*filled[2:], filled[-1]], strict=False), strict=True
    ):
        if gap > spacing or (
            gap == spacing and _ends_paragraph(lines[before], lines[after], lines[next_after], width)
        ):
            single.append("")
        single.append(lines[after])
    return single


def _spacing(lines: Sequence[str], filled: Sequence[int], gaps: Sequence[int]) -> int:
    """How many blank lines stand between lines of one paragraph; 0 where the text is not double-spaced."""
    words = sum(len(lines[i] if NO_SPACES.search(lines[i]) else lines[i].split()) for i in filled)
    if gaps.count(0) > _MAX_CLOSE_SHARE * len(gaps) or words < _MIN_LINE_WORDS * len(filled):
        return 0
    width = wrap_width(lines)
    pairs = [
        (gap, lines[a], lines[b]) for gap, (a, b) in zip(gaps, itertools.pairwise(filled), strict=True) if gap
    ]
    spacings = sorted({gap for gap, _, _ in pairs})
    return next((s for s in spacings if _goes_on_over([(a, b) for gap, a, b in pairs if gap == s], width)), 0)


def _goes_on_over(pairs: Sequence[tuple[str, str]], width: int) -> bool:
    """Whether sentences go on from line to line, as wrapped text does, over gaps of one size."""
    unfinished = [(before, after) for before, after in pairs if not ends_sentence(before)]
    wrapped = [after for before, after in unfinished if fills(before, after, width)]
    return (
        len(wrapped) >= max(_MIN_WRAPPED_LINES, _MIN_WRAPPED_SHARE * len(pairs))
        and len(unfinished) - len(wrapped) <= _MAX_UNWRAPPED_SHARE * len(pairs)
        and sum(map(_goes_on_small, wrapped)) >= _MIN_SMALL_SHARE * len(wrapped)
    )


def _goes_on_small(line: str) -> bool:
    """Whether a line begins as the middle of a sentence does; in capitals and some scripts every line may."""
    first = line.lstrip()[0]
    return first.islower() or line.isupper() or (first.isalpha() and first.upper() == first.lower())


def _ends_paragraph(before: str, after: str, following: str, width: int) -> bool:
    """Whether the gap between two lines of a double-spaced text is the end of a paragraph or a heading."""
    if fills(before, after, width):
        # A heading below a full line: a line by itself that is neither full nor a sentence.
        return (
            ends_sentence(before)
            and not after.lstrip()[0].islower()
            and not ends_sentence(after)
            and not fills(after, following, width)
        )
    return ends_sentence(before) or not after.lstrip()[0].islower()
