"""The tables of a document: their rows and cells, and what they are called.

Readers write a row as a line, with ` | ` between its cells. A PDF has lines of words instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from colde.text.document import Document, Section, Span
from colde.text.runs import runs

CELL_BORDER = re.compile(r"(?:^| )\|(?= |$)")
_ROW = re.compile(r"\S(?:[^\n]*\S)?")
_WORD = re.compile(r"\S+")
_NUMBERED = re.compile(
    r"\s*tab(?:le|elle|leau|la|\.)?\s*(\d+(?:\.\d+)*|[IVXL]+)\s*(?:[.:–—-]|$)", re.IGNORECASE
)
_THOUSANDS = re.compile(r"(?<=\d)[ ,'’](?=\d{3}(?!\d))")
_DECIMALS = re.compile(r"(?<![\d.])(\d*)\.(\d+)(?!\.?\d)")
_DASHES = str.maketrans("−–—‐‑", "-----")
_MIN_NUMBERS = 0.5  # share of the cells of the first row that are numbers, from which it is no header


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes:
        span: its place in the document.
        text: as it stands there.
        cells: their places.
        texts: the text of each cell.
        values: the same in one notation, so that `1,000` equals `1000` and `4.10` equals `4.1`.
    """

    span: Span
    text: str
    cells: tuple[Span, ...]
    texts: tuple[str, ...]
    values: tuple[str, ...]

    @cached_property
    def label(self) -> str:
        """The first cell that is not empty; of a row of words those before its first number."""
        if CELL_BORDER.search(self.text):
            return next(filter(None, self.values), "")
        first = next((k for k, value in enumerate(self.values) if value[:1].isdigit()), len(self.values))
        return " ".join(self.values[: max(first, 1)])

    @property
    def is_numeric(self) -> bool:
        """Whether many of its cells are numbers."""
        filled = [value for value in self.values if value]
        return sum(value.strip("-+$€£%")[:1].isdigit() for value in filled) >= _MIN_NUMBERS * max(
            1, len(filled)
        )


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        name: `Table 2`, or `table on p. 3`.
        has_columns: whether its cells are known; else they are words.
    """

    name: str
    span: Span
    rows: tuple[Row, ...]
    has_columns: bool

    @cached_property
    def header(self) -> Row | None:
        """The first row, where it holds names of columns."""
        return (
            self.rows[0] if self.has_columns and len(self.rows) > 1 and not self.rows[0].is_numeric else None
        )

    @cached_property
    def width(self) -> int:
        """The number of columns: cells of most rows, and of the header."""
        row = self.header or max(self.rows, key=lambda r: len(r.cells))
        return len(row.cells)

    @cached_property
    def cells(self) -> Counter[str]:
        """How often each cell occurs; empty cells are left out."""
        return Counter(value for row in self.rows for value in row.values if value)

    @cached_property
    def header_cells(self) -> Counter[str]:
        """The cells of the first row."""
        return Counter(filter(None, self.rows[0].values))

    @cached_property
    def labels(self) -> Counter[str]:
        """The labels of all other rows."""
        return Counter(row.label for row in self.rows[1:] if row.label)

    @cached_property
    def numbered(self) -> bool:
        """Whether the labels only count the rows: 1, 2, 3."""
        labels = [row.label for row in self.rows[1 if self.header else 0 :]]
        return labels in [[str(k) for k in range(first, first + len(labels))] for first in (0, 1)]

    @property
    def words(self) -> int:
        """The number of words of all cells."""
        return sum(len(row.text.split()) for row in self.rows)

    def row_name(self, index: int) -> str:
        """`header`, or `row 3 (Mill)`; the header is not counted."""
        row = self.rows[index]
        if row is self.header:
            return "header"
        texts = [t for t in row.texts if t]
        label = (texts[0] if self.has_columns else " ".join(texts[: len(row.label.split())])) if texts else ""
        number = index if self.header else index + 1
        return f"row {number} ({label})" if any(c.isalpha() for c in label) else f"row {number}"


def row_spans(text: str) -> list[Span]:
    """The places of the rows in the text of a table: its lines, without spaces around them."""
    return [Span(*row.span()) for row in _ROW.finditer(text)]


def is_table(section: Section) -> bool:
    """Whether a section holds tables, compared or not."""
    return "table" in (section.role, section.included_role)


def read_tables(document: Document) -> list[Table]:
    """The tables of a document in reading order."""
    tables: list[Table] = []
    for group in runs(document.sections, _stands_in):
        spans = [p for section in group if is_table(section) for p in section.paragraphs]
        numbers = [
            match[1]
            for section in group
            if not is_table(section)
            for p in section.paragraphs
            if (match := _NUMBERED.match(document.text, p.start, p.end))
        ]
        for k, span in enumerate(spans):
            rows = tuple(_rows(document, span))
            page = document.page_at(span.start)
            if len(numbers) == len(spans):
                name = f"Table {numbers[k]}"
            else:
                name = f"Table {len(tables) + 1}" if page is None else f"table on p. {page}"
            if rows:
                grid = sum(bool(CELL_BORDER.search(row.text)) for row in rows) > len(rows) / 2
                tables.append(Table(name, span, rows, grid))
    return tables


def _stands_in(_: Section, section: Section) -> bool:
    """Whether a section is a caption or a table of the one before it."""
    return section.heading is None and bool(section.role or section.included_role)


def _rows(document: Document, span: Span) -> Iterator[Row]:
    for row in row_spans(document.text[span.start : span.end]):
        start = span.start + row.start
        text = document.text[start : span.start + row.end]
        cells = tuple(Span(start + c.start, start + c.end) for c in _cells(text))
        texts = tuple(document.text[c.start : c.end] for c in cells)
        yield Row(Span(start, start + len(text)), text, cells, texts, tuple(map(plain_value, texts)))


def _cells(line: str) -> list[Span]:
    """The places of the cells in a row; of its words where it has no borders."""
    borders = [m.span() for m in CELL_BORDER.finditer(line)]
    if not borders:
        return [Span(*word.span()) for word in _WORD.finditer(line)]
    edges: Sequence[tuple[int, int]] = [(0, 0), *borders, (len(line), len(line))]
    return [_stripped(line, left[1], right[0]) for left, right in pairwise(edges)]


def _stripped(line: str, start: int, end: int) -> Span:
    text = line[start:end]
    first = start + len(text) - len(text.lstrip())
    return Span(min(first, end), max(min(first, end), start + len(text.rstrip())))


def plain_value(text: str) -> str:
    """The text of a cell in one notation of numbers, dashes and capitals, without spaces."""
    text = unicodedata.normalize("NFKC", text).translate(_DASHES).casefold()
    text = re.sub(r"(?<=\d),(?=\d)", ".", _THOUSANDS.sub("", text))
    return "".join(_DECIMALS.sub(_decimal, text).split())


def _decimal(match: re.Match[str]) -> str:
    return f"{match[1] or '0'}.{match[2]}".rstrip("0").rstrip(".")
