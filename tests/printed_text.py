"""The text of reports in DOCX and PDF, as their readers see it."""

from __future__ import annotations

import io

import docx
import pypdfium2

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""Namespace of the elements of a Word document."""


def docx_text(file: bytes) -> str:
    """All text of a Word document, a line for each paragraph."""
    body = docx.Document(io.BytesIO(file)).element.body
    return "\n".join("".join(t.text or "" for t in p.iter(f"{W}t")) for p in body.iter(f"{W}p"))


def pdf_text(file: bytes) -> str:
    """All text of a PDF, with blanks in place of line ends."""
    with pypdfium2.PdfDocument(file) as pdf:
        pages = [page.get_textpage().get_text_bounded() for page in pdf]
    return " ".join(" ".join(pages).split())
