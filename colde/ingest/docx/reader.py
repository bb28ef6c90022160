"""The walk through the body of a Word document: its paragraphs, tables, content controls, notes and boxes in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from colde.ingest.docx.drawings import read_drawing
from colde.ingest.docx.embedded_files import MAX_DEPTH, FindReader, read_embedded_file
from colde.ingest.docx.fields import remove_field_codes
from colde.ingest.docx.names import COMPATIBILITY, W, child, is_replaced, switch, value
from colde.ingest.docx.package import Package
from colde.ingest.docx.paragraphs import Paragraph, ParagraphReader, is_drop_cap, is_end_deleted
from colde.ingest.docx.styles import Styles, outline_level
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.styled_blocks import StyledBlock
from colde.ingest.word_processors.paragraph_styles import ParagraphCollector, ParagraphStyle
from colde.text.document import ReadWarning

_MIN_INDENT = 300  # twentieths of a point, from which a paragraph is indented
_WRAPPERS = frozenset(
    (W + "ins", W + "smartTag", W + "customXml", W + "moveTo", W + "sdtContent", COMPATIBILITY + "AlternateContent",
     COMPATIBILITY + "Choice", COMPATIBILITY + "Fallback")
)  # fmt: skip


class DocumentReader:
    """Reads the body of one document."""

    def __init__(self, package: Package, reading: Reading, find_reader: FindReader, depth: int = 0) -> None:
        """Read styles and notes; `depth` counts the Word documents around this one."""
        body = package.body()
        remove_field_codes(body)
        styles = next(package.parts_of_kind("styles"), None)
        self._package = package
        self._reading = reading
        self._find_reader = find_reader
        self._depth = depth
        self._body = body
        self._styles = Styles(package.xml(styles) if styles else None)
        self._paragraphs = ParagraphReader(
            self._styles, on_white=child(body.getparent(), "background") is None
        )
        self._notes = _read_notes(package, self._paragraphs)
        self._collector = ParagraphCollector()
        self._unfinished: list[Any] = []  # paragraphs that go on in the next one
        self._warnings: list[ReadWarning] = []

    def read(self) -> tuple[list[StyledBlock], list[ReadWarning]]:
        """The blocks in reading order, notes behind the paragraph that calls them, and warnings."""
        self._walk(self._body)
        warnings = [*self._collector.warnings(), *self._package.warnings(), *self._warnings]
        return self._collector.blocks, warnings

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
        self._collector.count_hidden(paragraph.hidden_characters, paragraph.line()[:60])
        self._put(paragraph, style.meaning, properties)
        for box in paragraph.boxes:
            self._walk(box)
        for drawing in paragraph.drawings:
            self._collector.blocks.extend(map(StyledBlock, read_drawing(drawing, self._package)))
        for note in paragraph.notes:
            self._collector.add_block(self._notes.pop(note, ""), "footnote")

    def _put(self, paragraph: Paragraph, style: ParagraphStyle, properties: Any) -> None:
        level = outline_level(properties)
        wide_left, wide_right = _wide_indents(properties)
        self._collector.add(
            paragraph.text.expandtabs(4).strip("\n") if style.code else paragraph.text,
            replace(
                style,
                level=style.level if level is None else level,
                title_part=None if level else style.title_part,
                quotation=style.quotation or (wide_left and wide_right),
            ),
            bold=paragraph.bold,
            formula=paragraph.formula,
            indented=wide_left,
            bold_line=paragraph.bold_line,
        )

    def _table(self, table: Any) -> None:
        rows = _cells_of_rows(table)
        self._collector.add_table([partial(self._walk, cell) for cell in row] for row in rows)

    def _embedded_file(self, element: Any) -> None:
        read_word = self._read_word if self._depth < MAX_DEPTH else None
        blocks, warnings = read_embedded_file(
            element, self._package, self._reading, self._find_reader, read_word
        )
        self._collector.blocks.extend(blocks)
        self._warnings.extend(warnings)

    def _read_word(self, data: bytes, name: str) -> tuple[list[StyledBlock], list[ReadWarning]]:
        package = Package(data, name, self._reading.limits)
        return DocumentReader(package, self._reading, self._find_reader, self._depth + 1).read()


def _content(parent: Any) -> Iterator[Any]:
    """The paragraphs, tables and embedded files in an element, also in wrappers such as content controls.

    A content control that is a table of contents is left out.
    """
    stack = list(reversed(parent))
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag in (W + "p", W + "tbl", W + "altChunk", W + "subDoc"):
            yield element
        elif (tag in _WRAPPERS and not is_replaced(element)) or (
            tag == W + "sdt" and "Contents" not in value(element, "sdtPr/docPartObj/docPartGallery")
        ):
            stack.extend(reversed(element))


def _wide_indents(properties: Any) -> tuple[bool, bool]:
    """Whether a paragraph stands farther in than the text, on the left and on the right; no item of a list."""
    indent = child(properties, "ind")
    if indent is None or child(properties, "numPr") is not None or indent.get(W + "hanging"):
        return False, False
    left, right = (
        indent.get(W + old) or indent.get(W + new) or "0"
        for old, new in (("left", "start"), ("right", "end"))
    )
    return _is_wide(left), _is_wide(right)


def _is_wide(width: str) -> bool:
    return width.lstrip("-").isdecimal() and int(width) >= _MIN_INDENT


def _read_notes(package: Package, paragraphs: ParagraphReader) -> dict[str, str]:
    """The texts of the notes by their keys: `f` (footnote) or `e` (endnote) and the id."""
    notes = {}
    for kind in ("footnotes", "endnotes"):
        for part in package.parts_of_kind(kind):
            root = package.xml(part)
            if root is None:
                continue
            remove_field_codes(root)
            for note in root:
                texts = (
                    paragraphs.read([p], paragraphs.styles.of_paragraph(child(p, "pPr"))).line()
                    for p in note.iter(W + "p")
                )
                notes[kind[0] + (note.get(W + "id") or "")] = " ".join(filter(None, texts))
    return notes


def _cells_of_rows(table: Any) -> Iterator[list[Any]]:
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
