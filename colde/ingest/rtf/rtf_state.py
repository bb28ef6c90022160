"""What an RTF file says before its text (fonts, colours, styles), the state of its groups, and its paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from colde.ingest.files.character_encoding import tidy
from colde.ingest.formulas.raised_figures import Height, text_on_one_line
from colde.ingest.rtf.rtf_tokens import CODE_PAGES, SYMBOL_CHARSET, encoding_of_code_page
from colde.ingest.shared.hidden_text import MIN_POINTS, WHITE, Colour, is_same_to_the_eye
from colde.ingest.word_processors.paragraph_styles import ParagraphStyle, style_of_names

_LONGEST_CHAIN = 20  # styles based on each other
_MAX_LEVEL = 9


@dataclass(slots=True)
class State:
    """What holds inside a group; a copy of it at its beginning is taken back at its end.

    Attributes:
        destination: what the text of the group is: `body`, `note`, `box`, `fonts`, `skip` and so on.
        fallback: characters that stand after a Unicode character for programs that do not know it.
        points: size of the letters.
        level: of the outline, as written: 0 for the first; None where it is not named.
        hidden: whether letters are; None where the style says it.
        depth: number of tables that the paragraph stands in, each in a cell of the one before.
        indent, first_line: of the paragraph, in twentieths of a point.
        height: where letters stand in their line.
        formula: the element of a formula that is being read, as `office_math` knows it.
    """

    destination: str = "body"
    fallback: int = 1
    font: int = 0
    bold: bool = False
    hidden: bool | None = None
    deleted: bool = False
    points: float = 12.0
    colour: int = 0
    shaded: bool = False
    style: int = 0
    level: int | None = None
    depth: int = 0
    indent: int = 0
    first_line: int = 0
    height: Height = "level"
    formula: Any = None

    def reset_paragraph(self) -> None:
        """What `\\pard` does."""
        self.style = self.indent = self.first_line = 0
        self.level, self.depth = None, 0

    def reset_letters(self, font: int) -> None:
        """What `\\plain` does."""
        self.bold = self.deleted = self.shaded = False
        self.hidden, self.height = None, "level"
        self.font, self.points, self.colour = font, 12.0, 0


@dataclass(slots=True)
class _Style:
    name: str = ""
    base: int | None = None
    level: int | None = None
    hidden: bool | None = None


@dataclass(slots=True)
class Tables:
    """Fonts, colours and styles of a file."""

    encoding: str = "cp1252"
    default_font: int = 0
    encodings: dict[int, str] = field(default_factory=dict)
    symbol_fonts: set[int] = field(default_factory=set)
    typewriter_fonts: set[int] = field(default_factory=set)
    colours: list[Colour | None] = field(default_factory=list)
    styles: dict[int, _Style] = field(default_factory=dict)
    _font: int = 0
    _rgb: dict[str, int] = field(default_factory=dict)
    _style: _Style = field(default_factory=_Style)
    _number: int = 0
    _known: dict[tuple[int, int | None], ParagraphStyle] = field(default_factory=dict)

    def font_word(self, word: str, number: int) -> None:
        """Take in a control word of the table of fonts."""
        if word == "f":
            self._font = number
        elif word == "fmodern":
            self.typewriter_fonts.add(self._font)
        elif word == "fcharset":
            if number == SYMBOL_CHARSET:
                self.symbol_fonts.add(self._font)
            if number in CODE_PAGES and number:
                self.encodings[self._font] = CODE_PAGES[number]
        elif word == "cpg" and (encoding := encoding_of_code_page(number)):
            self.encodings[self._font] = encoding

    def colour_word(self, word: str, number: int) -> None:
        """Take in a control word of the table of colours."""
        if word in ("red", "green", "blue"):
            self._rgb[word] = number & 255

    def colour_text(self, text: str) -> None:
        """Take in text of the table of colours, where each semicolon ends one."""
        for _ in range(text.count(";")):
            rgb = self._rgb
            self.colours.append((rgb["red"], rgb["green"], rgb["blue"]) if len(rgb) == 3 else None)
            self._rgb = {}

    def style_word(self, word: str, number: int) -> None:
        """Take in a control word of a style."""
        if word == "s":
            self._number = number
        elif word == "sbasedon":
            self._style.base = number
        elif word == "outlinelevel":
            self._style.level = number
        elif word == "v":
            self._style.hidden = bool(number)

    def style_text(self, text: str) -> None:
        """Take in text of a style: its name, which a semicolon ends."""
        self._style.name += text
        if ";" in text:
            self._style.name = self._style.name.partition(";")[0].strip()
            self.styles.setdefault(self._number, self._style)
            self._style, self._number = _Style(), 0

    def is_hidden(self, style: int) -> bool:
        """Whether a style hides its paragraphs."""
        return next((s.hidden for s in self._chain(style) if s.hidden is not None), False)

    def paragraph_style(self, style: int, level: int | None) -> ParagraphStyle:
        """What a style says; a level of the outline that the paragraph names itself counts first."""
        key = style, level
        if key not in self._known:
            chain = list(self._chain(style))
            if level is None:
                level = next((s.level for s in chain if s.level is not None), None)
            outline = level + 1 if level is not None and 0 <= level < _MAX_LEVEL else 0
            self._known[key] = style_of_names((s.name for s in chain), outline)
        return self._known[key]

    def _chain(self, number: int | None) -> Iterator[_Style]:
        seen: set[int] = set()
        while (
            number is not None and number in self.styles and number not in seen and len(seen) < _LONGEST_CHAIN
        ):
            seen.add(number)
            yield self.styles[number]
            number = self.styles[number].base

    def is_unseen(self, state: State) -> bool:
        """Whether nobody sees letters that stand on the page: white or tiny ones."""
        if state.points < MIN_POINTS:
            return True
        colour = self.colours[state.colour] if 0 < state.colour < len(self.colours) else None
        return colour is not None and not state.shaded and is_same_to_the_eye(colour, WHITE)


@dataclass(slots=True)
class Paragraph:
    """A paragraph as far as it is read, and the notes and boxes in it."""

    parts: list[tuple[str, Height]] = field(default_factory=list)
    letters: int = 0
    bold_letters: int = 0
    formula_letters: int = 0
    typewriter_letters: int = 0
    most_points: float = 0.0
    style: ParagraphStyle = field(default_factory=ParagraphStyle)
    indented: bool = False
    cells: list[list[list[Paragraph]]] | None = None  # of a table: paragraphs of cells of rows
    notes: list[list[Paragraph]] = field(default_factory=list)
    boxes: list[list[Paragraph]] = field(default_factory=list)

    def written(self) -> str:
        """The text as it is written, with tabs and line ends."""
        return text_on_one_line(self.parts)

    def text(self) -> str:
        """The text, with line ends for hard line breaks."""
        return tidy(self.written()).expandtabs(4).strip("\n")


@dataclass(slots=True)
class _Table:
    """A table that is being read: the paragraphs of the current cell, the cells of its row, and the rows before."""

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
    """A run of paragraphs: the body, a note, a text box. `tables` are being read, each in a cell of the one before."""

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
