"""Word documents (.docx, and .docm, .dotx, .dotm): headings, lists, tables, notes, text boxes, formulas, diagrams."""

from __future__ import annotations

from colde.ingest.docx.embedded_files import FindReader
from colde.ingest.docx.package import OLE_SIGNATURE, Package, is_word_archive
from colde.ingest.docx.reader import DocumentReader
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.outline import document_from_blocks
from colde.ingest.word_processors.headings_by_look import with_bold_headings
from colde.ingest.word_processors.title_page import take_title
from colde.text.document import Document

SUFFIXES = (".docx", ".docm", ".dotx", ".dotm")
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


def accepts(data: bytes, name: str) -> bool:
    """Whether this is a zip with a Word document in it, or a zip or old Office file that is named as one."""
    is_zip = data.startswith(b"PK")
    named = name.lower().endswith(SUFFIXES)
    return (named and (is_zip or data.startswith(OLE_SIGNATURE))) or (is_zip and is_word_archive(data))


def convert(data: bytes, name: str, reading: Reading, find_reader: FindReader) -> Document:
    """Read a Word document. Headers, footers, comments and deleted text are left out.

    Args:
        find_reader: finds the reader of a file that is embedded in the document.

    Raises:
        ReadError: `encrypted`, `corrupt` (no Word document inside, damaged parts), `too_large` (zip bomb).
    """
    package = Package(data, name, reading.limits)
    all_blocks, warnings = DocumentReader(package, reading, find_reader).read()
    title, blocks = take_title(all_blocks)
    return document_from_blocks(
        (styled.block for styled in with_bold_headings(blocks)),
        name=name, format="docx", title=title or _title_property(package),
        title_in_text=bool(title), warnings=tuple(warnings),
    )  # fmt: skip


def _title_property(package: Package) -> str:
    for part in package.parts_of_kind("core-properties", ""):
        root = package.xml(part)
        if root is not None:
            return str(root.findtext(_TITLE) or "")
    return ""
