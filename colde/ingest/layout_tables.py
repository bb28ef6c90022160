"""Tell tables that only place text on a page from tables of data, by what their cells hold, in every format."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from colde.text.document import UNSPACED, ReadWarning
from colde.text.front_matter import is_sentence

PROSE_SHARE = 0.5
"""Share of the words of a table that stand in sentences, from which its cells hold prose."""
PROSE_ROWS = 1 / 3
"""Share of the rows with a sentence from which it is prose; fewer will do where nearly all its words are."""
NEARLY_ALL = 0.8
SENTENCE_WORDS = 8
"""Words of a sentence in a cell; shorter ones are remarks."""
REMARK_WORDS = 10
"""Words of prose in a cell below a label, from which it is no remark where `MOSTLY` of the words are in such cells."""
MOSTLY = 0.75
LONG_WORDS = 25
"""Words of a cell that is more than a remark in a table of data."""
LIST_ITEMS = 3
"""Paragraphs of a cell that are a list, as of duties in a CV. Cells of data have fewer, or names and numbers."""
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
    filled = list(filter(None, map(_filled_cells, rows)))
    if all(len(row) < 2 for row in filled):
        return True
    has_numbers = _share_of_numbers(filled) > NUMBERS_SHARE
    if _has_headings(filled) and not has_numbers:
        return True
    long_share = _prose_share(filled, LONG_WORDS)
    if long_share >= NEARLY_ALL:
        return True
    rows_with_prose = sum(_has_prose(row) for row in filled)
    if rows_with_prose < PROSE_ROWS * len(filled):
        return False
    below_labels = not _has_prose(filled[0]) and rows_with_prose >= NEARLY_ALL * (len(filled) - 1)
    below_labels = below_labels and _prose_share(filled, REMARK_WORDS) < MOSTLY
    return long_share >= PROSE_SHARE or (holds_sentences(filled) and not has_numbers and not below_labels)


def holds_sentences(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether most of the words of a table stand in sentences, which are missed where they are not compared."""
    return _prose_share(rows, SENTENCE_WORDS) >= PROSE_SHARE


def prose_table_warnings(count: int) -> tuple[ReadWarning, ...]:
    """A warning about tables that hold sentences and are set aside as tables; none for 0."""
    if not count:
        return ()
    tables = "a table holds sentences and is" if count == 1 else f"{count} tables hold sentences and are"
    return (ReadWarning(f"{tables} not compared unless tables are included"),)


def _prose_share(rows: Sequence[Sequence[Cell]], fewest_words: int) -> float:
    """The share of the words of a table in cells with that many words of prose; 0 for an empty table."""
    cells = list(itertools.chain.from_iterable(rows))
    words = sum(_words(text) for cell in cells for text in cell.paragraphs)
    return sum(n for n in map(_prose_words, cells) if n >= fewest_words) / max(1, words)


def _filled_cells(row: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in row if any(cell.paragraphs)]


def _has_prose(row: Sequence[Cell]) -> bool:
    return any(map(_prose_words, row))


def _has_headings(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a heading stands below the first row, or above text in its own cell."""
    return any(
        cell.has_heading and (i > 0 or len(cell.paragraphs) > 1) for i, row in enumerate(rows) for cell in row
    )


def _prose_words(cell: Cell) -> int:
    """Words of the sentences of a cell; of all its paragraphs where it lists some, with or without full stops."""
    is_list = (
        len(cell.paragraphs) >= LIST_ITEMS
        and sum(map(is_sentence, cell.paragraphs)) >= len(cell.paragraphs) / 2
    )
    return sum(_words(text) for text in cell.paragraphs if is_list or _is_prose(text))


def _is_prose(text: str) -> bool:
    words = _words(text)
    closed = text.rstrip().endswith(_STOPS) or words >= LONG_WORDS
    return words >= SENTENCE_WORDS and closed and is_sentence(text)


def _share_of_numbers(rows: Sequence[Sequence[Cell]]) -> float:
    """The share of the cells that are numbers."""
    return sum(_is_number(cell) for row in rows for cell in row) / sum(map(len, rows))


def _is_number(cell: Cell) -> bool:
    """Whether at least half of the letters and digits of a cell are digits."""
    signs = [c for text in cell.paragraphs for c in text if c.isalnum()]
    return bool(signs) and sum(map(str.isdigit, signs)) >= 0.5 * len(signs)


def _words(text: str) -> int:
    return len(text.split()) + len(UNSPACED.findall(text)) // 2
