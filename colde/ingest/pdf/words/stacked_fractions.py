"""Fractions with one part above a short bar and one below it: 1 over 20 stands as 1/20 in the line beside the bar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colde.ingest.pdf.words.page import Rule, Word

_PART = re.compile(r"[−-]?\w(?:[\w.,]{0,4}\w)?")
_MAX_BAR_WIDTH = 4.0  # font sizes of the parts
_MARGIN = 0.2  # font sizes by which a part may reach over its bar
_MAX_ABOVE, _MAX_BELOW = 0.6, 1.3  # font sizes between the bar and the baselines
_MIN_BELOW = 0.5
_MAX_GAP = 1.0  # font sizes between the bar and the word beside it
_MIN_OFF_LINE = 0.15  # font sizes between the baselines of the parts and that of the line


def join_stacked_fractions(words: list[Word], bars: Sequence[Rule]) -> list[Word]:
    """The words of a page, in its reading frame, with the two parts of each such fraction as one word."""
    parts = [w for w in words if _PART.fullmatch(w.text)] if bars else []
    if len(parts) < 2:
        return words
    joined: dict[int, Word | None] = {}  # by the id of a part: what stands for it
    for bar in bars:
        above, below = _stacked(bar, parts)
        if len(above) != 1 or len(below) != 1 or not {id(above[0]), id(below[0])}.isdisjoint(joined):
            continue
        if _stacked(bar, words) != (above, below):
            continue
        line = _word_beside(bar, above[0], below[0], words)
        if line is not None:
            joined[id(below[0])] = None
            joined[id(above[0])] = replace(
                above[0], text=f"{above[0].text}/{below[0].text}", x0=bar.x0, x1=bar.x1,
                base=line.base, size=line.size, joined_to_previous=False,
            )  # fmt: skip
    return [w for word in words if (w := joined.get(id(word), word)) is not None]


def _stacked(bar: Rule, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The words right above a bar that is hardly wider, and those right below it."""
    over = [(w, (w.base - bar.y) / w.size) for w in words if _is_over(bar, w)]
    above = [w for w, depth in over if -_MAX_ABOVE <= depth <= 0.0]
    return above, [w for w, depth in over if _MIN_BELOW <= depth <= _MAX_BELOW]


def _is_over(bar: Rule, word: Word) -> bool:
    """Whether a word stands above or below a bar that is hardly wider."""
    margin = _MARGIN * word.size
    within = bar.x0 - margin <= word.x0 and word.x1 <= bar.x1 + margin
    return within and bar.x1 - bar.x0 <= _MAX_BAR_WIDTH * word.size


def _word_beside(bar: Rule, above: Word, below: Word, words: Sequence[Word]) -> Word | None:
    """The nearest word of the line in which a fraction stands, between its parts; None where it stands by itself."""
    nearest = None
    least = _MAX_GAP * above.size
    for word in words:
        gap = max(bar.x0 - word.x1, word.x0 - bar.x1)
        off_line = _MIN_OFF_LINE * word.size
        if 0.0 <= gap <= least and above.base + off_line <= word.base <= below.base - off_line:
            nearest, least = word, gap
    return nearest
