"""The report of a comparison as a Word document: styles, tables and a picture, without fields and macros."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import date, datetime
from functools import singledispatchmethod
from typing import Any

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_COLOR_INDEX
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from colde.errors import MissingExtraError
from colde.report.content.report_content import PassagePair, Quotation, report_content
from colde.report.content.report_record import RECORD_PART, carried_xml
from colde.report.content.report_tables import ReportTable
from colde.report.formatting import is_right_to_left, printable
from colde.report.maps.matrix_drawing import Drawing
from colde.report.printed.pdf_report import to_png
from colde.report.printed.printed_report import (
    Block,
    Heading,
    Pairs,
    Paragraph,
    Style,
    column_lengths,
    printed_blocks,
    report_title,
)
from colde.results.comparison import Comparison

PAGE_WIDTH, PAGE_HEIGHT, MARGIN = 21.0, 29.7, 2.0
"""Centimetres of an A4 page."""
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
LATIN_FONT, EAST_ASIAN_FONT = "Arial", "Microsoft YaHei"
"""Fonts of usual installations of Word, which has others for scripts that they lack."""
COLOURS = {"ink": "20292E", "faint": "5C6B73", "accepted": "1D6B3A", "rejected": "8A2B2B"}
LINE_COLOUR, HEADER_SHADE, WARNING_SHADE = "D5DDE1", "EEF2F4", "FFF4DC"


def to_docx(comparison: Comparison, made: date | None = None) -> bytes:
    """The report as a Word document.

    The picture of the matrix needs Typst; without it a sentence says how to install it.

    Arguments and errors as in `report_content`.
    """
    content = report_content(comparison, made)
    languages = (comparison.a.language, comparison.b.language)
    blocks, record = printed_blocks(content, comparison), carried_xml(comparison, content.made)
    return blocks_to_docx(report_title(content), content.made, blocks, languages, record)


def blocks_to_docx(
    title: str, made: date, blocks: Iterable[Block], languages: tuple[str | None, ...], record: bytes = b""
) -> bytes:
    """A report as a Word document.

    Args:
        languages: of the texts.
        record: an XML part that is kept in the file; none if empty.
    """
    writer = _Writer(title, made, languages)
    for block in blocks:
        writer.write(block)
    if record:
        writer.add_part(RECORD_PART, record)
    return writer.saved()


class _Writer:
    def __init__(self, title: str, made: date, languages: tuple[str | None, ...]) -> None:
        self._document = docx.Document()
        _remove_thumbnail(self._document)
        self._languages = languages
        properties = self._document.core_properties
        properties.title, properties.author = title[:255], "CoLDE Explorer"
        properties.created = properties.modified = datetime(made.year, made.month, made.day)
        properties.comments = ""
        (section,) = self._document.sections
        section.page_width, section.page_height = Cm(PAGE_WIDTH), Cm(PAGE_HEIGHT)
        section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(MARGIN)
        for name, size in (("Normal", 10), ("Title", 16), ("Heading 1", 13), ("Heading 2", 10.5)):
            style = self._document.styles[name]
            style.font.name, style.font.size = LATIN_FONT, Pt(size)
            style.font.color.rgb = RGBColor.from_string(COLOURS["ink"])
            _set_fonts(style.element.get_or_add_rPr())
        self._document.styles["Title"].font.bold = True
        _colour_lines(self._document.styles["Table Grid"])
        self._document.styles["Normal"].paragraph_format.space_after = Pt(4)

    def add_part(self, name: str, content: bytes) -> None:
        """Add a custom XML part, which Word keeps."""
        part = Part(PackURI(f"/{name}"), "application/xml", content, self._document.part.package)
        self._document.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)

    def saved(self) -> bytes:
        """The file."""
        buffer = io.BytesIO()
        self._document.save(buffer)
        return buffer.getvalue()

    @singledispatchmethod
    def write(self, block: Block) -> None:
        """Add a block at the end."""
        raise TypeError(type(block))

    @write.register
    def _(self, block: Heading) -> None:
        self._document.add_heading(printable(block.text), level=block.level - 1)

    @write.register
    def _(self, block: Paragraph) -> None:
        paragraph = self._document.add_paragraph()
        run = paragraph.add_run(printable(block.text))
        _apply_style(paragraph, run, block.style)

    @write.register
    def _(self, block: ReportTable) -> None:
        table = self._add_table(1 + len(block.rows), len(block.columns), _widths(block))
        for cell, title in zip(_cells(table.rows[0]), block.columns, strict=True):
            _write_cell(cell, title.removeprefix("#"), right=title.startswith("#"), bold=True)
            shade(cell, HEADER_SHADE)
        repeat_on_each_page(table.rows[0])
        for row, texts in zip(list(table.rows)[1:], block.rows, strict=True):
            for cell, text, title in zip(_cells(row), texts, block.columns, strict=True):
                _write_cell(cell, text, right=title.startswith("#"))
        self._add_gap()

    @write.register
    def _(self, block: Pairs) -> None:
        for item in block.items:
            self._write_pair(item)

    def _write_pair(self, item: PassagePair) -> None:
        extra = bool(item.description) + bool(item.note)
        table = self._add_table(2 + extra, 2, (TEXT_WIDTH / 2, TEXT_WIDTH / 2))
        rows = [_cells(row) for row in table.rows]
        title = rows[0][0].merge(rows[0][1])
        shade(title, HEADER_SHADE)
        heading = title.paragraphs[0]
        heading.paragraph_format.keep_with_next = True
        heading.add_run(f"{item.number}  {item.label}").bold = True
        if item.words:
            heading.add_run(f"  {item.words} words").font.color.rgb = RGBColor.from_string(COLOURS["faint"])
        if item.decision:
            decision = heading.add_run(f"  {item.decision}")
            decision.bold = True
            decision.font.color.rgb = RGBColor.from_string(COLOURS[item.decision])
        at = 1
        if item.description:
            _write_cell(rows[at][0].merge(rows[at][1]), item.description)
            at += 1
        for cell, letter, quotation in zip(rows[at], "AB", (item.a, item.b), strict=True):
            _write_quotation(cell, letter, quotation)
        if item.note:
            note = rows[-1][0].merge(rows[-1][1]).paragraphs[0]
            note.add_run("Note: ").bold = True
            add_text(note, item.note, aligned=False)
        self._add_gap()

    @write.register
    def _(self, block: Drawing) -> None:
        try:
            picture = to_png(block, self._languages)
        except MissingExtraError as error:
            self.write(Paragraph(f"The matrix is not shown. {error}", "muted"))
            return
        shape = self._document.add_picture(io.BytesIO(picture), width=Cm(TEXT_WIDTH))
        shape._inline.docPr.set("descr", printable(block.description))

    def _add_gap(self) -> None:
        gap = self._document.add_paragraph().paragraph_format
        gap.space_after, gap.line_spacing = Pt(0), Pt(8)

    def _add_table(self, rows: int, columns: int, widths: tuple[float, ...]) -> Any:
        """A table with fixed widths of its columns in centimetres."""
        table = self._document.add_table(rows, columns, style="Table Grid")
        table.autofit = False
        for column, width in zip(table.columns, widths, strict=True):
            column.width = Cm(width)
        for row in table.rows:
            for cell, width in zip(_cells(row), widths, strict=True):
                cell.width = Cm(width)
        return table


def _remove_thumbnail(document: Any) -> None:
    """Remove the small image of python-docx's empty template, which a folder would show for the report."""
    relations = document.part.package.rels
    for key in [key for key, relation in relations.items() if relation.reltype.endswith("/thumbnail")]:
        relations.pop(key)


def _cells(row: Any) -> list[Any]:
    """The cells of a row: each look at `row.cells` goes through the table."""
    return list(row.cells)


def _widths(table: ReportTable) -> tuple[float, ...]:
    """Centimetres of each column, by its longest cell; each has room for the longest word of its title."""
    lengths = [
        max(length, *(len(word) + 3 for word in title.split()))
        for title, length in zip(table.columns, column_lengths(table), strict=True)
    ]
    return tuple(TEXT_WIDTH * length / sum(lengths) for length in lengths)


_AFTER_SIZE = ("w:highlight", "w:u", "w:effect", "w:lang")
"""Elements of the properties of a style after that of its size in complex scripts."""


def _set_fonts(properties: Any) -> None:
    """Fonts of all scripts; those of the template's theme would win."""
    fonts = properties.get_or_add_rFonts()
    for name in list(fonts.attrib):
        if name.endswith("Theme"):
            del fonts.attrib[name]
    for kind in ("ascii", "hAnsi", "cs"):
        fonts.set(qn(f"w:{kind}"), LATIN_FONT)
    fonts.set(qn("w:eastAsia"), EAST_ASIAN_FONT)
    size = properties.find(qn("w:sz"))
    if size is not None:  # the same for Arabic and Hebrew
        _add_element(properties, "w:szCs", before=_AFTER_SIZE, val=size.get(qn("w:val")))


def _colour_lines(style: Any) -> None:
    for borders in style.element.iter(qn("w:tblBorders")):
        for border in borders:
            border.set(qn("w:color"), LINE_COLOUR)


def _add_element(parent: Any, name: str, *, before: tuple[str, ...] = (), **attributes: str) -> None:
    """Add an element with attributes at the end of another, or before the first of these, as the schema orders them."""
    element = OxmlElement(name)
    for key, value in attributes.items():
        element.set(qn(f"w:{key}"), value)
    parent.insert_element_before(element, *before)


def shade(cell: Any, colour: str) -> None:
    """Colour the background of a cell of a table."""
    _add_element(cell._tc.get_or_add_tcPr(), "w:shd", val="clear", color="auto", fill=colour)


def repeat_on_each_page(row: Any) -> None:
    """Make a row of a table the header of each page that the table is on."""
    _add_element(row._tr.get_or_add_trPr(), "w:tblHeader", val="true")


def _apply_style(paragraph: Any, run: Any, style: Style) -> None:
    if style == "muted":
        run.font.color.rgb = RGBColor.from_string(COLOURS["faint"])
    elif style == "strong":
        run.bold, run.font.size = True, Pt(12)
    elif style == "warning":
        _add_element(paragraph._p.get_or_add_pPr(), "w:shd", val="clear", color="auto", fill=WARNING_SHADE)


def _write_cell(cell: Any, text: str, *, right: bool = False, bold: bool = False) -> None:
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(2)
    run = add_text(paragraph, text)
    run.bold, run.font.size = bold, Pt(9)
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _write_quotation(cell: Any, letter: str, quotation: Quotation | None) -> None:
    place = cell.paragraphs[0]
    place.paragraph_format.space_after = Pt(2)
    words = f"Not in {letter}" if quotation is None else " · ".join(filter(None, (letter, quotation.place)))
    run = place.add_run(words)
    run.font.size, run.font.color.rgb = Pt(8), RGBColor.from_string(COLOURS["faint"])
    if quotation is not None:
        paragraph = cell.add_paragraph()
        for text, differs in quotation.pieces:
            run = _add_run(paragraph, text, rtl=is_right_to_left(quotation.text))
            run.font.size = Pt(9.5)
            run.font.highlight_color = WD_COLOR_INDEX.YELLOW if differs else None
        if is_right_to_left(quotation.text):
            _align_right_to_left(paragraph)


def add_text(paragraph: Any, text: str, *, aligned: bool = True) -> Any:
    """Add a text of a document; one that is written from right to left is marked so, and aligned if asked."""
    rtl = is_right_to_left(text)
    if rtl and aligned:
        _align_right_to_left(paragraph)
    return _add_run(paragraph, printable(text), rtl=rtl)


def _add_run(paragraph: Any, text: str, *, rtl: bool) -> Any:
    run = paragraph.add_run(text)
    if rtl:
        run.font.rtl = True
    return run


def _align_right_to_left(paragraph: Any) -> None:
    _add_element(paragraph._p.get_or_add_pPr(), "w:bidi", before=("w:spacing", "w:ind", "w:jc", "w:rPr"))
