"""PDF files. Nothing is imported until one is read: PDFium and numpy take time to load."""

from __future__ import annotations

from colde.ingest.reading_limits import Reading
from colde.text.document import Document

_HEAD_BYTES = 1024  # the header may stand behind some other bytes


def accepts(data: bytes, name: str) -> bool:
    """Whether the bytes are a PDF; a name alone makes none."""
    return b"%PDF-" in data[:_HEAD_BYTES]


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read a PDF; see `layout.read_pdf`."""
    from colde.ingest.pdf.layout import read_pdf

    return read_pdf(data, name, reading)
