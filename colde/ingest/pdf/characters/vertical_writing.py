"""Chinese, Japanese and Korean in vertical lines: each line from the top, the lines from the right.

pdfium gives no direction for such text, and a place that depends on the font. A vertical line is a run of characters of
which each stands about one font size below the one before it. It is then read as text that is turned by a quarter.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from colde.ingest.pdf.characters.character_boxes import Box, CharacterReader
from colde.text.runs import runs

_FIRST_EAST_ASIAN = 0x2E80  # the first code of the letters that are set in vertical lines
DOWNWARDS = 3
"""The direction of vertical text, in quarter turns counterclockwise."""
_LAST_EAST_ASIAN = 0xFFEF
_SUPPLEMENT = range(0x20000, 0x40000)  # rare Chinese characters
_MIN_RUN = 3  # characters of a run; fewer may be the first letters of three lines
_MIN_STEP, _MAX_STEP = 0.7, 1.6  # font sizes from one character of a line to the next
_MAX_ASIDE = 0.6  # font sizes by which a character may stand beside the one above it
_BASELINE_SHARE = 0.36  # of the font size from the middle of a turned line to its baseline

Place = tuple[Box, tuple[float, float]]
"""Box and origin of a character."""


def vertical_places(reader: CharacterReader) -> dict[int, Place]:
    """The places of the characters in vertical lines, as those of text turned by a quarter; empty on most pages."""
    letters = [i for i, code in enumerate(reader.codes) if code >= _FIRST_EAST_ASIAN and _is_east_asian(code)]
    if len(letters) < _MIN_RUN:
        return {}
    origins = {i: reader.origin(i) for i in letters}
    sizes = {i: reader.size_and_direction(i)[0] for i in letters}
    vertical = _vertical_letters(letters, origins, sizes)
    if not vertical:
        return {}
    middle = median(_middle(reader, i) - origins[i][0] for i in vertical)
    return {i: _place(origins[i], middle, sizes[i]) for i in vertical}


def _vertical_letters(
    letters: Sequence[int], origins: dict[int, tuple[float, float]], sizes: dict[int, float]
) -> list[int]:
    """The letters of vertical lines, and where these are most of the page, also those of the shortest lines."""
    lines = _runs(letters, origins, sizes)
    vertical = [i for line in lines if len(line) >= _MIN_RUN for i in line]
    if 2 * len(vertical) > len(letters):
        short = [x for x in lines if len(x) < _MIN_RUN and not _is_in_row(x, letters, origins, sizes)]
        vertical += [i for run in short for i in run]
    return vertical


def _is_east_asian(code: int) -> bool:
    return (code <= _LAST_EAST_ASIAN and not 0xE000 <= code < 0xF900) or code in _SUPPLEMENT


def _runs(
    letters: Sequence[int], origins: dict[int, tuple[float, float]], sizes: dict[int, float]
) -> list[list[int]]:
    """Letters in content order, a new run wherever one does not stand right below the one before it."""

    def stands_below(above: int, i: int) -> bool:
        (x, y), (above_x, above_y), size = origins[i], origins[above], sizes[i]
        return abs(x - above_x) <= _MAX_ASIDE * size and _MIN_STEP * size <= above_y - y <= _MAX_STEP * size

    return list(runs(letters, stands_below))


def _middle(reader: CharacterReader, index: int) -> float:
    left, _, right, _ = reader.box(index)
    return (left + right) / 2


def _is_in_row(
    run: Sequence[int],
    letters: Sequence[int],
    origins: dict[int, tuple[float, float]],
    sizes: dict[int, float],
) -> bool:
    """Whether another letter stands beside a letter, on its baseline: it is text in a row."""
    x, y = origins[run[0]]
    size = sizes[run[0]]
    return any(
        j not in run
        and abs(origins[j][1] - y) < 0.1 * size
        and 0.3 * size < abs(origins[j][0] - x) < 1.1 * size
        for j in letters
    )


def _place(origin: tuple[float, float], middle: float, size: float) -> Place:
    x, y = origin[0] + middle, origin[1]
    box = (x - size / 2, y - 0.12 * size, x + size / 2, y + 0.88 * size)
    return box, (x - _BASELINE_SHARE * size, y + 0.88 * size)
