"""From the characters of a PDF and their places to sections in reading order.

The text layer of a PDF has no columns, headings or paragraphs. Each folder of this package restores one of them;
docs/reading.md tells in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from colde.errors import ReadError
from colde.ingest.pdf.asides.captions import mark_captions
from colde.ingest.pdf.asides.display_equations import mark_equations
from colde.ingest.pdf.asides.footnotes import mark_footnotes
from colde.ingest.pdf.asides.raised_marks import resolve_raised_words
from colde.ingest.pdf.asides.table_rows import mark_tables
from colde.ingest.pdf.columns.columns import Gutter, gutters, usual_gutters, usual_gutters_on_page
from colde.ingest.pdf.columns.page_parts import (
    PagePart,
    parts_after_lines,
    parts_of_pages,
    take_out_side_notes,
)
from colde.ingest.pdf.columns.reading_order import in_reading_order
from colde.ingest.pdf.furniture.line_numbers import drop_line_numbers
from colde.ingest.pdf.furniture.page_furniture import find_furniture
from colde.ingest.pdf.furniture.repeated_pages import drop_repeated_pages
from colde.ingest.pdf.furniture.watermarks import drop_watermarks
from colde.ingest.pdf.headings.headings import find_headings
from colde.ingest.pdf.headings.known_headings import references_start, strip_number
from colde.ingest.pdf.headings.listed_headings import listed_headings
from colde.ingest.pdf.headings.table_of_contents import contents
from colde.ingest.pdf.headings.title import find_title
from colde.ingest.pdf.lines.body_style import body_style, running_text
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.lines.text_rows import Row, text_rows
from colde.ingest.pdf.opening.pdf_file import read_pages
from colde.ingest.pdf.paragraphs import BlockWriter, blocks
from colde.ingest.pdf.words.page import Page
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block, assemble, normalise_blocks
from colde.ingest.shared.language_detection import detect_language
from colde.ingest.shared.line_end_hyphens import Vocabulary, vocabulary
from colde.ingest.shared.outline import language_warnings
from colde.ingest.shared.reference_sections import with_reference_role
from colde.text.characters.text_normalisation import normalise_text
from colde.text.document import Document, ReadWarning, Role


def read_pdf(data: bytes, name: str, reading: Reading) -> Document:
    """The Document of a PDF.

    Raises:
        ReadError: `empty`, `corrupt`, `encrypted`, `too_large`, `no_text`, `garbled`.
    """
    if not data:
        raise ReadError(name, "empty", "the file is empty", "choose another file")
    pages, warnings = read_pages(data, name, reading)
    warnings += drop_watermarks(pages)
    drop_line_numbers(pages)
    lines, repeated_page_warnings = _lines(pages)
    parts, part_warnings = parts_of_pages(pages)
    title, text_blocks = _structure(pages, lines, parts, name)
    text_blocks = with_reference_role(normalise_blocks(text_blocks), strip_number)
    language = detect_language("\n".join(b.text for b in text_blocks if b.role is None and not b.level))
    document = assemble(
        text_blocks,
        source=name,
        format="pdf",
        title=normalise_text(title).text,
        pages=len(pages),
        page_sizes=tuple((round(p.size[0], 2), round(p.size[1], 2)) for p in pages),
        language=language,
        warnings=(*warnings, *repeated_page_warnings, *part_warnings),
    )
    language = language or detect_language(document.text)
    return replace(document, language=language, warnings=(*document.warnings, *language_warnings(language)))


def _structure(
    pages: list[Page], lines: list[Line], parts: Sequence[PagePart], name: str
) -> tuple[str, list[Block]]:
    listed = contents(lines)
    lines = [line for i, line in enumerate(lines) if i not in listed.lines] or lines
    if not lines:
        raise ReadError(name, "no_text", "no text but page numbers and running heads", "run OCR first")
    by_key = {p.key: p for page in pages for p in (page, *page.parts)}
    body = body_style(lines)
    running = running_text(lines, body)
    begin, end = find_title(lines, body, by_key[lines[0].page])
    roles: list[Role | None] = [None] * len(lines)
    mark_captions(lines, body, roles)
    mark_footnotes(lines, body, by_key, roles, references_start(lines))
    resolve_raised_words(lines, roles)
    mark_tables(lines, body, running, roles)
    roles[begin:end] = [None] * (end - begin)
    titles = listed_headings(lines, body, roles, listed.titles, by_key)
    headings = find_headings(lines, body, running, roles, end, titles)
    mark_equations(lines, body, roles)
    writer = BlockWriter(by_key, _vocabulary(lines, roles))
    title = writer.block(lines[begin:end]).text if end > begin else ""
    del lines[begin:end], roles[begin:end]
    headings = [replace(h, begin=h.begin - (end - begin), end=h.end - (end - begin)) for h in headings]
    for part in parts:
        part_roles: list[Role | None] = [None] * len(part.lines)
        mark_captions(part.lines, body, part_roles)
        resolve_raised_words(part.lines, part_roles)
        mark_tables(part.lines, body, running, part_roles)
        part.role = part_roles[0]
    after = parts_after_lines(parts, lines)
    by_heading = blocks(lines, roles, headings, body, writer, after)
    return title, [replace(b, role=None) if b.role == "references" else b for b in by_heading]


def _vocabulary(lines: Sequence[Line], roles: Sequence[Role | None]) -> Vocabulary:
    """The words of the lines; those of the text come first, for it goes on past what is set aside."""
    order = sorted(range(len(lines)), key=lambda i: roles[i] is not None)
    return vocabulary("\n".join(lines[i].text for i in order))


def _lines(pages: list[Page]) -> tuple[list[Line], list[ReadWarning]]:
    """Lines of the whole document in reading order, without furniture and repeated pages, and a warning of these."""
    page_rows = [text_rows(p) for p in pages]
    for page in pages:
        page.words.clear()  # its rows have them
    furniture = find_furniture(pages, page_rows)
    warnings = drop_repeated_pages(pages, page_rows, furniture)
    if warnings:
        furniture = find_furniture(pages, page_rows)
    page_rows = [
        [r for i, r in enumerate(rows_of_page) if i not in out]
        for rows_of_page, out in zip(page_rows, furniture, strict=True)
    ]
    page_rows, page_gutters = _columns(pages, page_rows)
    lines = [
        line
        for p, r, g in zip(pages, page_rows, page_gutters, strict=True)
        for line in in_reading_order(p, r, g)
    ]
    return lines, warnings


def _columns(pages: list[Page], page_rows: list[list[Row]]) -> tuple[list[list[Row]], list[list[Gutter]]]:
    """The rows of all pages without side notes, and the gutters between the columns of each page."""
    page_gutters = [gutters(p, r) for p, r in zip(pages, page_rows, strict=True)]
    usual = usual_gutters(page_gutters)
    if usual:
        page_gutters = [
            g if len(g) >= len(usual) else usual_gutters_on_page(p, r, usual) or g
            for p, r, g in zip(pages, page_rows, page_gutters, strict=True)
        ]
    else:  # a word beside a column of several is no note
        parts = [len(p.parts) for p in pages]
        page_rows = [take_out_side_notes(p, r) for p, r in zip(pages, page_rows, strict=True)]
        page_gutters = [
            g if len(p.parts) == n else gutters(p, r)
            for p, r, g, n in zip(pages, page_rows, page_gutters, parts, strict=True)
        ]
    return page_rows, page_gutters
