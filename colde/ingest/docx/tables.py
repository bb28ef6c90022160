"""The rows and cells of tables of Word documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from colde.ingest.docx.names import W, child, switch


def cells_of_rows(table: Any) -> Iterator[list[Any]]:
    """The cells of each row, without deleted and hidden rows, deleted cells, and the cells of tables inside."""
    for row in _direct(table, "tr"):
        properties = child(row, "trPr")
        if child(properties, "del") is None and not switch(properties, "hidden"):
            yield [cell for cell in _direct(row, "tc") if child(cell, "tcPr/cellDel") is None]


def _direct(parent: Any, name: str) -> Iterator[Any]:
    """The rows (`tr`) of a table or the cells (`tc`) of a row, without those of the tables inside them."""
    for element in parent:
        if element.tag == W + name:
            yield element
        elif element.tag not in (W + "tbl", W + "p"):
            yield from _direct(element, name)
