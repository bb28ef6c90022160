"""Tell tables that only place text on a page from tables of data, by what their cells hold, in every format."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from colde.ingest.shared.blocks import Block
from colde.ingest.shared.styled_blocks import StyledBlock
from colde.text.document import ReadWarning
from colde.text.not_compared.front_matter import is_sentence
from colde.text.words import count_words

_PROSE_SHARE = 0.5  # share of the words of a table that stand in sentences, from which its cells hold prose
_PROSE_ROWS = 1 / 3  # of the rows have a sentence; fewer will do where nearly all words are prose
_NEARLY_ALL = 0.8
_SENTENCE_WORDS = 8  # words of a sentence in a cell; shorter ones are remarks
_REMARK_WORDS = 10  # of prose in a cell below a label, which is no remark where most words are in such cells
_MOSTLY = 0.75
_LONG_WORDS = 25  # words of a cell that is more than a remark in a table of data
_LIST_ITEMS = 3  # paragraphs of a cell that are a list, as of duties in a CV; cells of data have fewer
_NUMBERS_SHARE = 0.5  # share of cells with numbers, above which sentences of usual length are remarks
_STOPS = tuple(".!?…。！？؟।”\"»’')")
Row = Sequence[Sequence[StyledBlock]]
"""The blocks of each cell of a row."""


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
    has_numbers = _share_of_numbers(filled) > _NUMBERS_SHARE
    if _has_headings(filled) and not has_numbers:
        return True
    long_share = _prose_share(filled, _LONG_WORDS)
    if long_share >= _NEARLY_ALL:
        return True
    rows_with_prose = sum(_has_prose(row) for row in filled)
    if rows_with_prose < _PROSE_ROWS * len(filled):
        return False
    below_labels = not _has_prose(filled[0]) and rows_with_prose >= _NEARLY_ALL * (len(filled) - 1)
    below_labels = below_labels and _prose_share(filled, _REMARK_WORDS) < _MOSTLY
    return long_share >= _PROSE_SHARE or (holds_sentences(filled) and not has_numbers and not below_labels)


def holds_sentences(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether most of the words of a table stand in sentences, which are missed where they are not compared."""
    return _prose_share(rows, _SENTENCE_WORDS) >= _PROSE_SHARE


def prose_table_warnings(count: int) -> tuple[ReadWarning, ...]:
    """A warning about tables that hold sentences and are set aside as tables; none for 0."""
    if not count:
        return ()
    tables = (
        "a table contains sentences and is" if count == 1 else f"{count} tables contain sentences and are"
    )
    return (ReadWarning(f"{tables} not compared unless tables are included"),)


def _prose_share(rows: Sequence[Sequence[Cell]], fewest_words: int) -> float:
    """The share of the words of a table in cells with that many words of prose; 0 for an empty table."""
    cells = list(itertools.chain.from_iterable(rows))
    words = sum(count_words(text) for cell in cells for text in cell.paragraphs)
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
        len(cell.paragraphs) >= _LIST_ITEMS
        and sum(map(is_sentence, cell.paragraphs)) >= len(cell.paragraphs) / 2
    )
    return sum(count_words(text) for text in cell.paragraphs if is_list or _is_prose(text))


def _is_prose(text: str) -> bool:
    words = count_words(text)
    closed = text.rstrip().endswith(_STOPS) or words >= _LONG_WORDS
    return words >= _SENTENCE_WORDS and closed and is_sentence(text)


def _share_of_numbers(rows: Sequence[Sequence[Cell]]) -> float:
    return sum(_is_number(cell) for row in rows for cell in row) / sum(map(len, rows))


def _is_number(cell: Cell) -> bool:
    """Whether at least half of the letters and digits of a cell are digits."""
    signs = [c for text in cell.paragraphs for c in text if c.isalnum()]
    return bool(signs) and sum(map(str.isdigit, signs)) >= 0.5 * len(signs)


def read_table(rows: Sequence[Row]) -> tuple[list[StyledBlock], bool]:
    """The blocks of a table, and whether sentences in it are not running text.

    A table of data is one styled; what is set aside by itself in its cells (captions, notes, tables) stands behind it.
    The cells of another table follow each other.
    """
    cells = [[_cell(blocks) for blocks in row] for row in rows]
    if is_layout_table(cells):
        return list(itertools.chain.from_iterable(map(_row_blocks, rows))), False
    table = StyledBlock(Block(table_text(map(_line, row) for row in cells), role="table"))
    all_blocks = itertools.chain.from_iterable(itertools.chain.from_iterable(rows))
    return [table, *itertools.filterfalse(_is_cell_text, all_blocks)], holds_sentences(cells)


def table_text(rows: Iterable[Iterable[str]]) -> str:
    """The rows of a table as lines, with bars between the cells; rows whose cells are all empty are left out."""
    lines = (" | ".join(row) for row in rows)
    return "\n".join(line for line in lines if line.strip(" |"))


def _cell(blocks: Sequence[StyledBlock]) -> Cell:
    texts = [styled.block for styled in blocks if _is_cell_text(styled)]
    return Cell(tuple(block.text for block in texts), any(block.level for block in texts))


def _line(cell: Cell) -> str:
    return " ".join(" ".join(cell.paragraphs).split())


def _is_cell_text(styled: StyledBlock) -> bool:
    return styled.block.role in (None, "equation")


def _row_blocks(row: Row) -> Iterator[StyledBlock]:
    """The blocks of a row in order; a row whose cells are all bold names columns, and holds no headings."""
    filled = [cell for cell in row if cell]
    names_columns = len(filled) > 1 and all(styled.bold for cell in filled for styled in cell)
    for styled in itertools.chain.from_iterable(row):
        yield replace(styled, bold=False) if names_columns else styled
