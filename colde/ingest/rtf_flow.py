"""Paragraphs, notes, boxes and tables of an RTF file in the order in which they are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from colde.ingest.character_encoding import tidy
from colde.ingest.paragraph_styles import ParagraphStyle


@dataclass(slots=True)
class Paragraph:
    """A paragraph as far as it is read, and the notes and boxes in it."""

    parts: list[str] = field(default_factory=list)
    letters: int = 0
    bold_letters: int = 0
    typewriter_letters: int = 0
    most_points: float = 0.0
    style: ParagraphStyle = field(default_factory=ParagraphStyle)
    indented: bool = False
    cells: list[list[list[Paragraph]]] | None = None  # of a table: paragraphs of cells of rows
    notes: list[list[Paragraph]] = field(default_factory=list)
    boxes: list[list[Paragraph]] = field(default_factory=list)

    def text(self) -> str:
        """The text, with line ends for hard line breaks."""
        return tidy("".join(self.parts)).expandtabs(4).strip("\n")


@dataclass(slots=True)
class _Table:
    """A table in hand: the paragraphs of the cell that is read, the cells of its row, and the rows before."""

    cell: list[Paragraph] = field(default_factory=list)
    row: list[list[Paragraph]] = field(default_factory=list)
    rows: list[list[list[Paragraph]]] = field(default_factory=list)

    def end_cell(self) -> None:
        """The next paragraph stands in another cell."""
        self.row.append(self.cell)
        self.cell = []

    def end_row(self) -> None:
        """The next cell stands in another row."""
        self.rows.append(self.row)
        self.row = []


@dataclass(slots=True)
class Flow:
    """A run of paragraphs: the body, a note, a text box. `tables` are in hand, each in a cell of the one before."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    current: Paragraph = field(default_factory=Paragraph)
    tables: list[_Table] = field(default_factory=list)

    def set_depth(self, depth: int) -> None:
        """End tables, or begin some, so that the next paragraph stands in this number of them."""
        while len(self.tables) > depth:
            table = self.tables.pop()
            if table.row or table.cell:
                table.end_cell()
                table.end_row()
            if table.rows:
                self._place.append(Paragraph(cells=table.rows))
        while len(self.tables) < depth:
            self.tables.append(_Table())

    def add(self, paragraph: Paragraph, depth: int) -> None:
        """Add a paragraph that stands in this number of tables."""
        self.set_depth(depth)
        self._place.append(paragraph)

    @property
    def _place(self) -> list[Paragraph]:
        return self.tables[-1].cell if self.tables else self.paragraphs
