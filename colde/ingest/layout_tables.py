"""Tell tables that only place text on a page from tables of data, by what their cells hold, in every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colde.text.document import UNSPACED
from colde.text.front_matter import is_sentence

PROSE_SHARE = 0.5
"""Share of the words of a table that stand in sentences, from which its cells hold prose."""
PROSE_ROWS = 1 / 3
"""Share of the rows with a sentence from which it is prose; fewer will do where nearly all its words are."""
NEARLY_ALL = 0.8
SENTENCE_WORDS = 8
"""Words of a sentence in a cell; shorter ones are remarks."""
LONG_WORDS = 25
"""Words of a cell that is more than a remark in a table of data."""
NUMBERS_SHARE = 0.5
"""Share of cells with numbers, above which sentences of usual length are remarks."""
_STOPS = tuple(".!?…。！？؟।”\"»’')")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its own paragraphs, without those of tables inside it, and whether one is a heading."""

    paragraphs: tuple[str, ...] = ()
    has_heading: bool = False


def is_layout_table(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a table only places text: its cells are to be read as running text, row by row.

    It has a single column, or holds headings below its first row, or most of its words are prose. Below a row of
    labels, single sentences are remarks of a table of data.
    """
    filled = [cells for row in rows if (cells := [cell for cell in row if any(cell.paragraphs)])]
    if all(len(row) < 2 for row in filled):
        return True
    numbers = sum(_is_number(cell) for row in filled for cell in row) / sum(map(len, filled))
    if _has_headings(filled) and numbers <= NUMBERS_SHARE:
        return True
    all_words = sum(_words(text) for row in filled for cell in row for text in cell.paragraphs)
    prose = [[_prose_words(cell) for cell in row] for row in filled]
    long_share = sum(n for row in prose for n in row if n >= LONG_WORDS) / max(1, all_words)
    rows_with_prose = sum(map(any, prose))
    if long_share >= PROSE_SHARE:
        return rows_with_prose >= PROSE_ROWS * len(filled) or long_share >= NEARLY_ALL
    below_labels = not any(prose[0]) and rows_with_prose >= NEARLY_ALL * (len(filled) - 1)
    return (
        prose_share(rows) >= PROSE_SHARE
        and rows_with_prose >= PROSE_ROWS * len(filled)
        and numbers <= NUMBERS_SHARE
        and not below_labels
    )


def prose_share(rows: Sequence[Sequence[Cell]]) -> float:
    """The share of the words of a table that stand in sentences; 0 for an empty table."""
    cells = [cell for row in rows for cell in row]
    words = sum(_words(text) for cell in cells for text in cell.paragraphs)
    return sum(map(_prose_words, cells)) / words if words else 0.0


def _has_headings(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a heading stands below the first row, or above text in its own cell."""
    return any(
        cell.has_heading and (i > 0 or len(cell.paragraphs) > 1) for i, row in enumerate(rows) for cell in row
    )


def _prose_words(cell: Cell) -> int:
    """Words of the sentences of a cell."""
    return sum(_words(text) for text in cell.paragraphs if _is_prose(text))


def _is_prose(text: str) -> bool:
    words = _words(text)
    closed = text.rstrip().endswith(_STOPS) or words >= LONG_WORDS
    return words >= SENTENCE_WORDS and closed and is_sentence(text)


def _is_number(cell: Cell) -> bool:
    """Whether at least half of the letters and digits of a cell are digits."""
    signs = [c for text in cell.paragraphs for c in text if c.isalnum()]
    return bool(signs) and sum(map(str.isdigit, signs)) >= 0.5 * len(signs)


def _words(text: str) -> int:
    return len(text.split()) + len(UNSPACED.findall(text)) // 2
