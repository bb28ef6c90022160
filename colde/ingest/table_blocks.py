"""Tables of documents from word processors: rows of cells where they hold data, else the text in them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from colde.ingest.blocks import Block
from colde.ingest.layout_tables import Cell, holds_sentences, is_layout_table
from colde.ingest.styled_blocks import StyledBlock

Row = Sequence[Sequence[StyledBlock]]
"""The blocks of each cell of a row."""


def read_table(rows: Sequence[Row]) -> tuple[list[StyledBlock], bool]:
    """The blocks of a table, and whether sentences in it are not running text.

    A table of data is one styled; what is set aside by itself in its cells (captions, notes, tables) stands behind it.
    The cells of another table follow each other.
    """
    cells = [[_cell(blocks) for blocks in row] for row in rows]
    if is_layout_table(cells):
        return list(itertools.chain.from_iterable(map(_row_blocks, rows))), False
    lines = [" | ".join(map(_line, row)) for row in cells]
    table = StyledBlock(Block("\n".join(line for line in lines if line.strip(" |")), role="table"))
    all_blocks = itertools.chain.from_iterable(itertools.chain.from_iterable(rows))
    return [table, *itertools.filterfalse(_is_cell_text, all_blocks)], holds_sentences(cells)


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
