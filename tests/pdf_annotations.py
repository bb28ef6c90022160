"""Annotations of a PDF, as a reader of PDF files sees them."""

from __future__ import annotations

from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdf


class Annotation(NamedTuple):
    """An annotation: its page from 1, whether it is a highlight, its text, and left, bottom, right and top."""

    page: int
    highlight: bool
    text: str
    box: tuple[float, float, float, float]


def annotations(data: bytes) -> list[Annotation]:
    """All annotations of a PDF, page by page."""
    document = pypdfium2.PdfDocument(data)
    found = []
    for number in range(len(document)):
        page = document[number]
        for index in range(pdf.FPDFPage_GetAnnotCount(page.raw)):
            annotation = pdf.FPDFPage_GetAnnot(page.raw, index)
            highlight = pdf.FPDFAnnot_GetSubtype(annotation) == pdf.FPDF_ANNOT_HIGHLIGHT
            box = pdf.FS_RECTF()
            pdf.FPDFAnnot_GetRect(annotation, box)
            sides = (box.left, box.bottom, box.right, box.top)
            found.append(Annotation(number + 1, highlight, _contents(annotation), sides))
            pdf.FPDFPage_CloseAnnot(annotation)
    document.close()
    return found


def _contents(annotation: object) -> str:
    length = pdf.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
    buffer = (pdf.FPDF_WCHAR * (length // 2 + 1))()
    pdf.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, length)
    return bytes(buffer).decode("utf-16-le").split("\0")[0]
