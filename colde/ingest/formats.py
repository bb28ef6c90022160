"""The table of all formats. A new format is a module with a `convert`, a row here, and an example in its test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from colde.errors import ReadError
from colde.ingest import (
    docx,
    epub,
    html,
    latex,
    markdown,
    notebook,
    opendocument,
    pdf,
    plain_text,
    restructuredtext,
    rtf,
    subtitles,
    web_archive,
    xml_documents,
)
from colde.ingest.docx.package import OLE_SIGNATURE
from colde.ingest.files.character_encoding import looks_binary
from colde.ingest.reading_limits import Reading
from colde.text.document import Document

_ZIP_SIGNATURE = b"PK\x03\x04"
_SIGNATURES = (
    (OLE_SIGNATURE, "an old Office file (.doc, .xls, .ppt)"),
    (b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"), (b"MM\x00*", "a TIFF picture"), (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"), (b"\xfd7zXZ", "an xz archive"), (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"), (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"), (b"MZ\x90", "a program"), (b"ID3", "a sound file"),
    (b"RIFF", "a sound or video file"),
)  # fmt: skip
_INSIDE_ZIP = (
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "an OpenDocument presentation"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file"),
    (b"xl/workbook", "an Excel workbook"), (b"ppt/presentation", "a PowerPoint presentation"),
)  # fmt: skip


def _by_name_only(data: bytes, name: str) -> bool:
    """The `accepts` of a format that only the suffix of a file tells from others."""
    return False


@dataclass(frozen=True, slots=True)
class Format:
    """What a format is called, how its files are recognised, and who reads them.

    Attributes:
        name: `Document.format`, as it stands in JSON results and in an index; never changed.
        label: its name for people.
        suffixes: of its files, the usual one first; the empty suffix is that of a name without any.
        convert: makes the Document from the bytes and the name of a file.
        accepts: whether bytes are of this format whatever the file is called.
        libraries: modules that a reading process imports once, before the first file of this format.
        binary: whether `accepts` is asked before the signatures of foreign formats.
        markup: whether a file may have many more bytes than its text has characters.
        seconds_per_megabyte: processor time allowed for a megabyte.
        has_pages: whether pages can be shown and highlighted.
    """

    name: str
    label: str
    suffixes: tuple[str, ...]
    convert: Callable[[bytes, str, Reading], Document]
    accepts: Callable[[bytes, str], bool] = _by_name_only
    libraries: tuple[str, ...] = ()
    binary: bool = False
    markup: bool = False
    seconds_per_megabyte: float = 4.0
    has_pages: bool = False

    def has_suffix_of(self, name: str) -> bool:
        """Whether a file of this name is called as files of this format are."""
        without_suffix = "." not in name[1:]
        return name.lower().endswith(tuple(filter(None, self.suffixes))) or (
            without_suffix and "" in self.suffixes
        )


def _convert_word(data: bytes, name: str, reading: Reading) -> Document:
    """Read a Word document, and the files in it by the readers of this table."""

    def find_reader(data: bytes, name: str) -> tuple[str, Callable[[bytes, str, Reading], Document]]:
        format = detect_format(data, name)
        return format.name, format.convert

    return docx.convert(data, name, reading, find_reader)


_MARKDOWN_LIBRARIES = (
    "markdown_it", "mdit_py_plugins.deflist", "mdit_py_plugins.dollarmath", "mdit_py_plugins.footnote",
    "selectolax.lexbor",
)  # fmt: skip
_LATEX_LIBRARIES = ("colde.ingest.latex.latex_text", "pylatexenc.latexwalker._defaultspecs")
_DOCUTILS = (
    "docutils.core", "docutils.languages.en", "docutils.parsers.rst.languages.en", "docutils.readers.standalone",
    "docutils.transforms.frontmatter", "docutils.transforms.misc", "docutils.transforms.references",
    "docutils.utils.code_analyzer", "docutils.writers.null",
)  # fmt: skip

TEXT = Format("text", "plain text", plain_text.SUFFIXES, plain_text.convert)
"""The format of files that no other one accepts."""

FORMATS = (
    Format(
        "pdf", "PDF", (".pdf",), pdf.convert, pdf.accepts,
        libraries=("colde.ingest.pdf.layout", "PIL.Image", "numpy.ma"),
        binary=True, markup=True,
        seconds_per_megabyte=1.0,  # most of a PDF's bytes are pictures; its pages are counted
        has_pages=True,
    ),
    Format(
        "docx", "Word", docx.SUFFIXES, _convert_word, docx.accepts,
        libraries=("lxml.etree",), binary=True, markup=True,
    ),
    Format(
        "epub", "EPUB", epub.SUFFIXES, epub.convert, epub.accepts,
        libraries=("lxml.etree", "selectolax.lexbor", "PIL.ImageColor"), binary=True, markup=True,
    ),
    Format(
        "odt", "OpenDocument", opendocument.SUFFIXES, opendocument.convert, opendocument.accepts,
        libraries=("lxml.etree",), binary=True, markup=True,
    ),
    Format("rtf", "RTF", rtf.SUFFIXES, rtf.convert, rtf.accepts, binary=True, markup=True),
    Format(
        "mhtml", "saved web pages (MHTML)", web_archive.SUFFIXES, web_archive.convert, web_archive.accepts,
        libraries=("email.parser", "selectolax.lexbor", "PIL.ImageColor"), binary=True, markup=True,
    ),
    Format(
        "html", "HTML", html.SUFFIXES, html.convert, html.accepts,
        libraries=("selectolax.lexbor", "PIL.ImageColor"), markup=True,
    ),
    Format(
        "markdown", "Markdown", markdown.SUFFIXES, markdown.convert, markdown.accepts,
        libraries=_MARKDOWN_LIBRARIES,
        seconds_per_megabyte=25.0,  # which a list of one-letter items takes
    ),
    Format(
        "rst", "reStructuredText", restructuredtext.SUFFIXES, restructuredtext.convert,
        libraries=_DOCUTILS, seconds_per_megabyte=25.0,
    ),
    Format(
        "latex", "LaTeX", latex.SUFFIXES, latex.convert, latex.accepts,
        libraries=_LATEX_LIBRARIES, seconds_per_megabyte=30.0,
    ),
    Format(
        "xml", "XML (JATS, DocBook, TEI)", xml_documents.SUFFIXES, xml_documents.convert, xml_documents.accepts,
        libraries=("lxml.etree", *_LATEX_LIBRARIES), markup=True,
    ),
    Format(
        "notebook", "Jupyter notebooks", notebook.SUFFIXES, notebook.convert, notebook.accepts,
        libraries=_MARKDOWN_LIBRARIES, markup=True,
        seconds_per_megabyte=25.0,
    ),
    Format("subtitles", "subtitles (SRT, WebVTT)", subtitles.SUFFIXES, subtitles.convert, subtitles.accepts),
    TEXT,
)  # fmt: skip
"""All formats, in any order: no two accept the same file (`tests/ingest/test_formats_rows.py`)."""


def format_labels() -> str:
    """The formats that can be read, as they are named in a sentence."""
    *first, last = (row.label for row in FORMATS)
    return f"{', '.join(first)} and {last}"


def format_of(document: Document) -> Format | None:
    """The row of the format that a document was read from; None for a record of a corpus and the like."""
    return next((row for row in FORMATS if row.name == document.format), None)


def format_of_name(name: str) -> Format | None:
    """The row of the format that a file is named after."""
    return next((row for row in FORMATS if row.has_suffix_of(name)), None)


def detect_format(data: bytes, name: str) -> Format:
    """The format of a file: by what it contains first, by its name, which may be empty, second.

    Raises:
        ReadError: `empty`, `unsupported`.
    """
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise ReadError(name, "empty", "the file is empty", "choose a file with text in it")
    foreign = _foreign_kind(data)
    for row in FORMATS:
        if (row.binary or foreign is None) and row.accepts(data, name):
            return row
    if foreign is not None:
        raise _unsupported(name, foreign)
    if named := format_of_name(name):
        return named  # its reader says what is wrong with the file
    if looks_binary(data):
        raise _unsupported(name, f"files of the type .{name.lower().rsplit('.', 1)[-1]} cannot be read")
    return TEXT


def _unsupported(name: str, what: str) -> ReadError:
    return ReadError(name, "unsupported", what, f"save it as one of {format_labels()}")


def _foreign_kind(data: bytes) -> str | None:
    """What a file with a known signature is; None for all others."""
    if data.startswith(_ZIP_SIGNATURE):
        return next((kind for mark, kind in _INSIDE_ZIP if mark in data), "a zip archive")
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)
