"""The walk through the body of a Word document: its paragraphs, tables, content controls, notes and boxes in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from colde.ingest.blocks import Block, follows_colon
from colde.ingest.docx.drawings import read_drawing
from colde.ingest.docx.embedded_files import MAX_DEPTH, read_embedded_file
from colde.ingest.docx.names import COMPATIBILITY, W, child, is_replaced, value
from colde.ingest.docx.notes import read_notes
from colde.ingest.docx.package import Package
from colde.ingest.docx.paragraphs import Paragraph, ParagraphReader, is_drop_cap, is_end_deleted
from colde.ingest.docx.styles import Style, Styles, outline_level
from colde.ingest.docx.tables import cells_of_rows, read_table
from colde.ingest.hidden_text import hidden_text_warnings
from colde.ingest.layout_tables import prose_table_warnings
from colde.ingest.reading_limits import Reading
from colde.ingest.styled_blocks import StyledBlock
from colde.text.document import ReadWarning, Role

_MAX_HEADING = 400  # characters; a longer paragraph has the style of a heading by mistake
_MIN_INDENT = 300  # twentieths of a point, from which a paragraph is indented
_WRAPPERS = frozenset(
    (W + "ins", W + "smartTag", W + "customXml", W + "moveTo", W + "sdtContent", COMPATIBILITY + "AlternateContent",
     COMPATIBILITY + "Choice", COMPATIBILITY + "Fallback")
)  # fmt: skip


class DocumentReader:
    """Reads the body of one document."""

    def __init__(self, package: Package, reading: Reading, depth: int = 0) -> None:
        """Read styles and notes.

        Args:
            depth: of Word documents around this one.
        """
        body = package.body()
        styles = next(package.parts_of_kind("styles"), None)
        self._package = package
        self._reading = reading
        self._depth = depth
        self._body = body
        self._styles = Styles(package.xml(styles) if styles else None)
        self._paragraphs = ParagraphReader(
            self._styles, on_white=child(body.getparent(), "background") is None
        )
        self._notes = read_notes(package, self._paragraphs)
        self._blocks: list[StyledBlock] = []
        self._unfinished: list[Any] = []  # paragraphs that go on in the next one
        self._hidden_characters = 0
        self._text_near_hidden = ""
        self._prose_tables = 0
        self._warnings: list[ReadWarning] = []

    def read(self) -> tuple[list[StyledBlock], list[ReadWarning]]:
        """The blocks in reading order, notes behind the paragraph that calls them, and warnings."""
        self._walk(self._body)
        return self._blocks, [
            *hidden_text_warnings(self._hidden_characters, self._text_near_hidden),
            *prose_table_warnings(self._prose_tables),
            *self._package.warnings(),
            *self._warnings,
        ]

    def _walk(self, parent: Any) -> None:
        """Read the paragraphs, tables and files in an element; a paragraph does not go on behind its end."""
        for element in _content(parent):
            if element.tag == W + "p":
                self._unfinished.append(element)
                if not (is_end_deleted(element) or is_drop_cap(element)):
                    self._paragraph()
                continue
            self._paragraph()
            if element.tag == W + "tbl":
                self._table(element)
            else:
                self._embedded_file(element)
        self._paragraph()

    def _paragraph(self) -> None:
        elements, self._unfinished = self._unfinished, []
        if not elements:
            return
        properties = child(elements[-1], "pPr")
        style = self._styles.of_paragraph(properties)
        paragraph = self._paragraphs.read(elements, style)
        if paragraph.hidden_characters and not self._hidden_characters:
            last = self._blocks[-1].block.text if self._blocks else ""
            self._text_near_hidden = paragraph.line()[:60] or last
        self._hidden_characters += paragraph.hidden_characters
        if paragraph.text.strip() and not style.contents:
            self._put(paragraph, style, properties)
        for box in paragraph.boxes:
            self._walk(box)
        for drawing in paragraph.drawings:
            self._blocks.extend(map(StyledBlock, read_drawing(drawing, self._package)))
        self._put_notes(paragraph)

    def _put(self, paragraph: Paragraph, style: Style, properties: Any) -> None:
        last = self._blocks[-1] if self._blocks else None
        if style.code and last is not None and last.code:
            (code,) = paragraph.texts(keep_lines=True)
            self._blocks[-1] = StyledBlock(Block(f"{last.block.text}\n{code}"), code=True)
            return
        level = outline_level(properties)
        level = (style.level or 0) if level is None else level
        if level or style.title_part:
            line = paragraph.line()
            heading = level if len(line) <= _MAX_HEADING else 0
            part = None if level else style.title_part
            self._blocks.append(StyledBlock(Block(line, heading), title_part=part, bold=paragraph.bold))
            return
        self._put_text(paragraph, style, properties)

    def _put_text(self, paragraph: Paragraph, style: Style, properties: Any) -> None:
        """Add the items and paragraphs of a paragraph that is no heading."""
        role: Role | None = "equation" if paragraph.formula else style.role
        first_bold = paragraph.bold or bool(paragraph.bold_line.strip())
        for i, text in enumerate(paragraph.texts(keep_lines=style.code)):
            before = self._blocks[-1].block if self._blocks else None
            block = Block(text, role=role, quoted=_is_quotation(style, properties, text, before))
            bold = paragraph.bold if i else first_bold
            self._blocks.append(StyledBlock(block, bold=bold, code=style.code))

    def _table(self, table: Any) -> None:
        rows = [[self._cell_blocks(cell) for cell in row] for row in cells_of_rows(table)]
        blocks, is_prose = read_table(rows)
        self._blocks.extend(blocks)
        self._prose_tables += is_prose

    def _cell_blocks(self, parent: Any) -> list[StyledBlock]:
        """The blocks of a cell."""
        before, self._blocks = self._blocks, []
        self._walk(parent)
        inside, self._blocks = self._blocks, before
        return inside

    def _embedded_file(self, element: Any) -> None:
        read_word = self._read_word if self._depth < MAX_DEPTH else None
        blocks, warnings = read_embedded_file(element, self._package, self._reading, read_word)
        self._blocks.extend(blocks)
        self._warnings.extend(warnings)

    def _read_word(self, data: bytes, name: str) -> tuple[list[StyledBlock], list[ReadWarning]]:
        """A Word document inside this one."""
        package = Package(data, name, self._reading.limits)
        return DocumentReader(package, self._reading, self._depth + 1).read()

    def _put_notes(self, paragraph: Paragraph) -> None:
        """The notes that a paragraph calls; each once."""
        for note in paragraph.notes:
            if text := self._notes.pop(note, ""):
                self._blocks.append(StyledBlock(Block(text, role="footnote")))


def _content(parent: Any) -> Iterator[Any]:
    """The paragraphs, tables and embedded files in an element, also in content controls and other wrappers."""
    stack = list(reversed(parent))
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag in (W + "p", W + "tbl", W + "altChunk", W + "subDoc"):
            yield element
        elif (tag in _WRAPPERS and not is_replaced(element)) or (
            tag == W + "sdt" and not _is_contents(element)
        ):
            stack.extend(reversed(element))


def _is_contents(control: Any) -> bool:
    """Whether a content control is a table of contents."""
    return "Contents" in value(control, "sdtPr/docPartObj/docPartGallery")


def _is_quotation(style: Style, properties: Any, text: str, before: Block | None) -> bool:
    """Whether a paragraph has the style, or is indented on both sides or after a colon; no item of a list."""
    if style.quotation:
        return True
    indent = child(properties, "ind")
    if indent is None or child(properties, "numPr") is not None or indent.get(W + "hanging"):
        return False
    widths = [
        indent.get(W + old) or indent.get(W + new) or "0"
        for old, new in (("left", "start"), ("right", "end"))
    ]
    wide = [width.lstrip("-").isdecimal() and int(width) >= _MIN_INDENT for width in widths]
    return wide[0] and (wide[1] or follows_colon(text, before))
