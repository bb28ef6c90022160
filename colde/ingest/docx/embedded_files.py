"""Files inside a Word document that Word shows as a part of its text (`w:altChunk`): web pages, mails, documents."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from colde.errors import ReadError
from colde.ingest.docx.package import Package
from colde.ingest.files.character_encoding import declared_encoding, decode
from colde.ingest.files.xml_parsing import parse_xml
from colde.ingest.html.xhtml import as_html, is_xhtml
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.styled_blocks import StyledBlock
from colde.text.document import Document, ReadWarning

MAX_DEPTH = 5
"""Word documents inside each other."""
_TOO_DEEP = "too many documents are inside each other"
_FLAT = "http://schemas.microsoft.com/office/2006/xmlPackage"
_BEGINNING = 4096  # bytes in which a file says what it is

FindReader = Callable[[bytes, str], tuple[str, Callable[[bytes, str, Reading], Document]]]
"""Tells from the bytes and the name of a file the name of its format and the `convert` of that."""
ReadWord = Callable[[bytes, str], tuple[list[StyledBlock], list[ReadWarning]]]
"""Reads a Word document inside another one."""


def read_embedded_file(
    element: Any, package: Package, reading: Reading, find_reader: FindReader, read_word: ReadWord | None
) -> tuple[list[StyledBlock], list[ReadWarning]]:
    """The text of an embedded file, and warnings; one of them names a file that cannot be read.

    Args:
        element: `w:altChunk`, or `w:subDoc`, which points at a file of its own.
        read_word: None where the documents are too deep inside each other.
    """
    relation = package.related(element)
    if relation is None:
        return [], []  # the warnings of the package name it
    name = posixpath.basename(relation.target.replace("\\", "/"))
    if relation.external:
        return [], [_not_read(name, "it is a file of its own beside the document")]
    data = package.data(relation.target)
    if data is None:
        return [], []
    try:
        content_type = package.content_type(relation.target)
        return _read(data, name, content_type, reading, find_reader, read_word)
    except ReadError as error:
        return [], [_not_read(name, error.what)]


def _read(
    data: bytes,
    name: str,
    content_type: str,
    reading: Reading,
    find_reader: FindReader,
    read_word: ReadWord | None,
) -> tuple[list[StyledBlock], list[ReadWarning]]:
    from colde.ingest import html, rtf, web_archive

    if _FLAT.encode() in data[:_BEGINNING]:
        return _read_flat(data, name, read_word)
    format, convert = find_reader(data, name)
    if format == "docx":
        if read_word is None:
            return [], [_not_read(name, _TOO_DEEP)]
        return read_word(data, name)
    if format == "mhtml":
        data = web_archive.main_page(data, name)
    if format in ("html", "mhtml") or "html" in content_type:
        text, warnings = decode(data, name, declared_encoding(data))
        page, page_warnings = html.read_part(as_html(text) if is_xhtml(text, name) else text)
        return [StyledBlock(block) for block in page], [*warnings, *page_warnings]
    if format == "rtf":
        blocks, rtf_warnings = rtf.read_blocks(data)
        return blocks, list(rtf_warnings)
    if format == "text" and data.lstrip().startswith(b"<"):
        return [], [_not_read(name, "it is XML of an unknown kind")]
    document = convert(data, name, reading)
    return [StyledBlock(block) for block in _blocks(document)], list(document.warnings)


def _read_flat(
    data: bytes, name: str, read_word: ReadWord | None
) -> tuple[list[StyledBlock], list[ReadWarning]]:
    """The text of a Word document that is one XML file with all its parts."""
    from lxml import etree

    if read_word is None:
        return [], [_not_read(name, _TOO_DEEP)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part in parse_xml(data, name).iterfind(f"{{{_FLAT}}}part"):
            content = part.find(f"{{{_FLAT}}}xmlData/*")
            if content is not None:
                archive.writestr((part.get(f"{{{_FLAT}}}name") or "").lstrip("/"), etree.tostring(content))
    return read_word(packed.getvalue(), name)


def _blocks(document: Document) -> Iterator[Block]:
    """The blocks that a document was made from; its title is a heading."""
    if document.title and all(section.heading != document.title for section in document.sections):
        yield Block(document.title, 1)
    for section in document.sections:
        if section.heading:
            yield Block(section.heading, section.level, section.role)
        for span in section.paragraphs:
            yield Block(document.text[span.start : span.end], role=section.role)


def _not_read(name: str, why: str) -> ReadWarning:
    return ReadWarning(f"an embedded file, {name}, was not read: {why}")
