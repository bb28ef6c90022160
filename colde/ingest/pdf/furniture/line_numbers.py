"""Numbers of lines in the margin, as in manuscripts, bills and court filings: on every line, or every fifth.

They rise from line to line as the lines do. Numbers of sections, lists and paragraphs stay: these have lines
without numbers between them, or a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from statistics import median

import numpy as np
import numpy.typing as npt

from colde.ingest.pdf.words.page import Page, Word
from colde.text.runs import runs

_NUMBER = re.compile(r"\d{1,5}")
_MIN_NUMBERS = 5  # in the margin of a page that proves that its document has line numbers
_MIN_STEPPED_NUMBERS = 2  # of those in steps of five and the like
_STEP_TOLERANCE = 0.25  # of the distance of two such numbers: headings and paragraphs have some space
_FEW_NUMBERS = 3  # on a page of a few lines, where they look like those of another page
_SAME_EDGE = 0.6  # font sizes by which the edges of numbers in one margin differ
_MIN_REGULAR_SHARE = 0.75  # of neighbouring numbers that rise as the lines do
_LINE_STEPS = (0.75, 2.6)  # distance of two numbered lines, in font sizes of the text
_MAX_SPACE = 1.7  # usual distances of two numbered lines, where a paragraph or a heading begins
_MIN_RUNNING_SHARE = 0.35  # of numbered lines that go on in small letters, or fill the column
_MIN_GAP = 0.45  # font sizes between a number and the text; a space is narrower
_CLEAR_SHARE = 0.1  # of the rows: words in the strip of the numbers, such as running heads


@dataclass
class _Column:
    page: Page
    words: list[Word]

    @property
    def values(self) -> list[int]:
        return [int(w.text) for w in self.words]

    @cached_property
    def left(self) -> float:
        return min(w.x0 for w in self.words)

    @cached_property
    def right(self) -> float:
        return max(w.x1 for w in self.words)


def drop_line_numbers(pages: Sequence[Page]) -> None:
    """Take line numbers off the pages of a document that has them."""
    columns = [c for page in pages for c in _columns(page)]
    proven = _proven(columns)
    for column in columns:
        if any(_continues(known, column) for known in proven):
            gone = set(map(id, column.words))
            column.page.words[:] = [w for w in column.page.words if id(w) not in gone]


def _proven(columns: Sequence[_Column]) -> list[_Column]:
    """The columns that number lines beyond doubt: several numbers, or few in exact steps."""
    proven = [c for c in columns if _numbers_lines(c, _MIN_NUMBERS)]
    return proven or [c for c in columns if _numbers_lines(c, _MIN_STEPPED_NUMBERS) and _counts_lines(c)]


def _counts_lines(column: _Column) -> bool:
    """Whether the numbers are multiples of a step above 1, each as many lines below the last as they differ."""
    step = _step(column)
    bases = sorted({w.base for w in column.page.words if any(map(str.isalpha, w.text))})
    leading = median([b - a for a, b in pairwise(bases) if b - a > 1.0] or [0.0])
    return step > 1 and all(
        int(below.text) - int(above.text) == step
        and int(above.text) % step == 0
        and abs(below.base - above.base - step * leading) < _STEP_TOLERANCE * step * leading
        for above, below in pairwise(column.words)
    )


def _columns(page: Page) -> Iterator[_Column]:
    """Columns of bare numbers, aligned on the left or on the right, in strips that hold nothing else."""
    numbers = sorted((w for w in page.words if _NUMBER.fullmatch(w.text)), key=lambda w: w.base)
    if not numbers:
        return
    others = [w for w in page.words if not _NUMBER.fullmatch(w.text)]
    places = np.array([(w.x0, w.x1, round(w.base)) for w in others]).reshape(-1, 3)
    max_blocked = max(1, _CLEAR_SHARE * np.unique(places[:, 2]).size)
    taken: set[int] = set()
    aligned = [group for edge in ("x1", "x0") for group in _aligned(numbers, edge)]
    for group in sorted(aligned, key=len, reverse=True):
        column = _Column(page, sorted((w for w in group if id(w) not in taken), key=lambda w: w.base))
        if column.words and _rows_in_strip(column, places) <= max_blocked and _stand_apart(column, others):
            taken.update(map(id, column.words))
            yield column


def _rows_in_strip(column: _Column, places: npt.NDArray[np.float64]) -> int:
    """How many rows have other words in the strip of the numbers.

    Args:
        places: [words, 3] left edge, right edge and rounded baseline of the other words.
    """
    left, right, rows = places.T
    return np.unique(rows[(right > column.left) & (left < column.right)]).size


def _aligned(numbers: Sequence[Word], edge: str) -> list[list[Word]]:
    """Numbers with the same left or right edge."""
    place = attrgetter(edge)
    return list(runs(sorted(numbers, key=place), lambda a, b: place(b) - place(a) <= 0.25 * b.size))


def _stand_apart(column: _Column, others: Sequence[Word]) -> bool:
    """Whether hardly any other word stands right beside one of the numbers."""
    beside = [n for n in column.words if any(_stands_beside(w, n) for w in others)]
    return len(beside) <= _CLEAR_SHARE * len(column.words)


def _stands_beside(word: Word, number: Word) -> bool:
    gap = max(word.x0 - number.x1, number.x0 - word.x1)
    return gap < _MIN_GAP * number.size and abs(word.base - number.base) < 0.5 * number.size


def _step(column: _Column) -> int:
    """The usual difference of neighbouring numbers."""
    return int(median(b - a for a, b in pairwise(column.values))) if len(column.words) > 1 else 1


def _numbers_lines(column: _Column, least: int) -> bool:
    if len(column.words) < least:
        return False
    text = [w for w in column.page.words if any(map(str.isalpha, w.text))]
    if not text:
        return False
    size = median(w.size for w in text)
    if not _rise_as_lines(column, size):
        return False
    return _step(column) > 1 or _numbers_running_text(column, text, size)


def _rise_as_lines(column: _Column, size: float) -> bool:
    """Whether most numbers stand as many lines below the last as they are larger; `size` is that of the text."""
    low, high = (share * size for share in _LINE_STEPS)
    pairs = list(pairwise(column.words))
    distances = [
        (b.base - a.base) / (int(b.text) - int(a.text)) for a, b in pairs if int(a.text) != int(b.text)
    ]
    usual = median(distances or [0.0])
    if usual <= high:
        high = max(high, _MAX_SPACE * usual)
    regular = 0
    for above, below in pairs:
        rise = int(below.text) - int(above.text)
        if rise < 0 and int(below.text) <= 10 and below.base > above.base:
            regular += 1  # they begin anew
        elif rise > 0 and low <= (below.base - above.base) / rise <= high:
            regular += 1
    return regular >= _MIN_REGULAR_SHARE * len(pairs)


def _numbers_running_text(column: _Column, text: Sequence[Word], size: float) -> bool:
    """Whether lines with a number go on in others, as those of a list or a table do not."""
    bases = sorted(w.base for w in column.words)
    inside = [w for w in text if bases[0] - size <= w.base <= bases[-1] + size]
    lines: dict[int, list[Word]] = {}
    for word in inside:
        lines.setdefault(round(word.base / 2), []).append(word)
    if not lines:
        return False
    right = max(w.x1 for w in inside)
    left = min(w.x0 for w in inside)
    going_on = 0
    for words in lines.values():
        first = min(words, key=lambda w: w.x0)
        reach = max(w.x1 for w in words)
        going_on += first.text[:1].islower() or reach >= right - 0.15 * (right - left)
    return going_on >= _MIN_RUNNING_SHARE * len(lines)


def _goes_on_in(known: _Column, column: _Column) -> bool:
    """Whether the numbers of a column of text go on in the next column of the same page."""
    return column.page is known.page and column.values[0] == known.values[-1] + _step(known)


def _continues(known: _Column, column: _Column) -> bool:
    """Whether a column stands where the line numbers of a page were found, and looks like them."""
    if column is known:
        return True
    size = known.words[0].size
    aligned = _goes_on_in(known, column) or (
        abs(known.right - column.right) <= _SAME_EDGE * size
        or abs(known.left - column.left) <= _SAME_EDGE * size
    )
    if not aligned or abs(column.words[0].size - size) > 0.1 * size:
        return False
    few = len(column.words) <= _FEW_NUMBERS and column.words[0].font == known.words[0].font
    return few or _numbers_lines(column, _FEW_NUMBERS)
