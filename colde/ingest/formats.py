"""Which reader a file belongs to: by what it contains first, by its name second."""

from __future__ import annotations

from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain_text, restructuredtext
from colde.ingest.character_encoding import looks_binary

READABLE = "PDF, DOCX, HTML, Markdown, reStructuredText and plain text"
_BINARY_SIGNATURES = (
    (b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"), (b"MM\x00*", "a TIFF picture"), (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"), (b"\xfd7zXZ", "an xz archive"), (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"), (b"%!PS", "a PostScript file"), (b"{\\rtf", "an RTF document"),
    (b"\x7fELF", "a program"), (b"MZ\x90", "a program"), (b"ID3", "a sound file"),
    (b"RIFF", "a sound or video file"),
)  # fmt: skip
_ZIP_SIGNATURES = (
    (b"mimetypeapplication/epub", "an EPUB book"), (b"mimetypeapplication/vnd.oasis", "an OpenDocument file"),
    (b"xl/workbook", "an Excel workbook"), (b"ppt/presentation", "a PowerPoint presentation"),
)  # fmt: skip
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0"
_TEXTS = (
    (html, "html"),
    (docx, "docx"),
    (restructuredtext, "rst"),
    (markdown, "markdown"),
    (plain_text, "text"),
)


def detect(data: bytes, name: str) -> str:
    """Name of the reader: `pdf docx html rst markdown text`.

    Args:
        data: the file.
        name: its name; may be empty for bytes and pasted text.

    Raises:
        ReadError: `empty`, `unsupported`.
    """
    lower = name.lower()
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise ReadError(name, "empty", "the file is empty", "choose a file with text in it")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04") or (data.startswith(_OLE_SIGNATURE) and lower.endswith(".docx")):
        if docx.accepts(data, name):
            return "docx"
        raise _unsupported(
            name, next((kind for mark, kind in _ZIP_SIGNATURES if mark in data), "a zip archive")
        )
    if data.startswith(_OLE_SIGNATURE):
        raise _unsupported(name, "an old Office file (.doc, .xls, .ppt)")
    if kind := next((kind for magic, kind in _BINARY_SIGNATURES if data.startswith(magic)), None):
        raise _unsupported(name, kind)
    if reader := next((key for reader, key in _TEXTS if reader.accepts(data, name)), None):
        return reader
    if lower.endswith(".pdf"):
        return "pdf"  # whose reader says what is wrong with it
    if looks_binary(data):
        raise _unsupported(name, f"files of the type .{lower.rsplit('.', 1)[-1]} cannot be read")
    return "text"


def _unsupported(name: str, what: str) -> ReadError:
    return ReadError(name, "unsupported", what, f"save it as one of {READABLE}")
