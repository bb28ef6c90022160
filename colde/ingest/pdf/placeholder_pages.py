"""PDFs whose pages are not their contents: forms that a program draws (XFA), and covers of attached files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.errors import ReadError
from colde.ingest.pdf.document_catalog import Catalog
from colde.ingest.pdf.page_words import Page
from colde.text.document import ReadWarning

_PLACEHOLDER_WORDS = 150  # of a page that says that the reader needs another program; Adobe's has 90
_MAX_NAMES = 3  # of attached files that a warning names


def placeholder_warnings(
    pdf: pdfium.PdfDocument, catalog: Catalog, pages: Sequence[Page], name: str
) -> Iterator[ReadWarning]:
    """Warnings about contents that are not on the pages.

    Raises:
        ReadError: `unsupported` where the pages hold no more than a note that the contents are elsewhere.
    """
    is_placeholder = sum(len(p.words) for p in pages) <= _PLACEHOLDER_WORDS
    form = raw.FPDF_GetFormType(pdf)
    if form == raw.FORMTYPE_XFA_FULL or (form == raw.FORMTYPE_XFA_FOREGROUND and is_placeholder):
        what = "the PDF is an XFA form, whose contents are not on its pages"
        if is_placeholder and form == raw.FORMTYPE_XFA_FULL:
            advice = "open it in Adobe Reader, print it to a PDF and read that"
            raise ReadError(name, "unsupported", what, advice)
        yield ReadWarning(f"{what}: only what the pages show was read")
    attached = [pdf.get_attachment(i).get_name() for i in range(max(pdf.count_attachments(), 0))]
    if catalog.is_portfolio and is_placeholder:
        what = f"the PDF is a portfolio, a cover for {_files_phrase(attached)}"
        raise ReadError(name, "unsupported", what, "save the attached files and read them one by one")
    if attached or catalog.is_portfolio:
        was = "was" if len(attached) == 1 else "were"
        yield ReadWarning(f"{_files_phrase(attached)} {was} not read")


def _files_phrase(names: Sequence[str]) -> str:
    """Attached files in words, the first of them by name."""
    if not names:
        return "attached files"
    listed = ", ".join(f"“{n[:60]}”" for n in names[:_MAX_NAMES])
    more = ", …" if len(names) > _MAX_NAMES else ""
    return f"{len(names)} attached file{'s' if len(names) > 1 else ''} ({listed}{more})"
