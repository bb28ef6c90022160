"""What body text of a document looks like; everything else is compared with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from colde.ingest.pdf.lines.text_lines import Line, count_characters, rounded_size

_WORD_SPACE = 0.3  # font sizes
_WIDE_LEADING = 1.5  # font sizes
_NUMBER = re.compile(r"[-−–+±]?\d[\d.,:/]*%?")


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """Body text: font size in points, most frequent font family and weight, distance of baselines in points."""

    size: float
    family: str
    bold: bool
    italic: bool
    mono: bool
    leading: float


def body_style(lines: Sequence[Line]) -> BodyStyle:
    """The most frequent font and size, by characters."""
    size = _weighted_mode(count_characters((w for line in lines for w in line.words), rounded_size))
    of_size = (w for line in lines if line.similar_size(size, 0.08) for w in line.words)
    fonts = count_characters(of_size, lambda w: (w.font.family, w.font.bold, w.font.italic, w.font.mono))
    family, bold, italic, mono = fonts.most_common(1)[0][0] if fonts else ("", False, False, False)
    return BodyStyle(size, family, bold, italic, mono, _leading(lines, size))


def _leading(lines: Sequence[Line], size: float) -> float:
    """The most frequent distance of baselines; where that is wide, as between paragraphs, the one within paragraphs."""
    within: Counter[float] = Counter()
    leadings: Counter[float] = Counter()
    for above, line in pairwise(lines):
        if line.similar_size(size, 0.08) and 0.8 * size < line.gap < 3.0 * size:
            leadings[round(line.gap * 4) / 4] += 1
            if line.text[:1].islower() and not above.fits_in_room(line.words[0], _WORD_SPACE):
                within[round(line.gap * 4) / 4] += 1
    leading = _weighted_mode(leadings) if leadings else 1.2 * size
    return _weighted_mode(within) if leading > _WIDE_LEADING * size and within else leading


def running_text(lines: Sequence[Line], body: BodyStyle) -> list[bool]:
    """Which lines are running text: nearly as wide as their column and made of words, and those that end such."""
    full = [_is_full_line(line, body) for line in lines]
    is_running = list(full)
    for i in range(1, len(lines)):
        line, above = lines[i], lines[i - 1]
        if is_running[i] or not line.same_column(above) or not is_running[i - 1]:
            continue
        if is_row_of_numbers(line):
            continue
        close = line.gap <= 1.3 * max(body.leading, line.size)
        is_running[i] = close and abs(line.size - above.size) <= 0.08 * body.size and len(line.gaps()) == 0
    return is_running


def _is_full_line(line: Line, body: BodyStyle) -> bool:
    if not line.similar_size(body.size, 0.2) or len(line.gaps()) > 0:
        return False
    if line.width < 0.62 * line.column_width:
        return False
    words = sum(len(w) for w in line.text.split() if len(w) >= 2 and w[0].isalpha() and not w[-1].isdigit())
    return words >= 0.55 * len(line.text) and len(line.words) >= 4


def is_row_of_numbers(line: Line) -> bool:
    """Whether a line is mostly numbers, three or more: a row of a table, not the end of a sentence."""
    words = line.text.split()
    numbers = sum(1 for word in words if _NUMBER.fullmatch(word))
    return numbers >= 3 and numbers >= 0.6 * len(words)


def _weighted_mode(counts: Counter[float]) -> float:
    """The value with most weight within ± 4 %: a scan spreads one size over several."""
    values = sorted(counts)
    best, most = values[0], -1
    begin = end = weight = 0
    for value in values:
        while end < len(values) and values[end] <= 1.04 * value:
            weight += counts[values[end]]
            end += 1
        while values[begin] < 0.96 * value:
            weight -= counts[values[begin]]
            begin += 1
        if (weight, counts[value]) > (most, counts[best]):
            best, most = value, weight
    return best
