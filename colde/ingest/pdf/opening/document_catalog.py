"""What of a PDF is not on its pages as PDFium reads them: layers that are switched off, attached files, XFA forms.

pikepdf takes time to load, so only files that may have such entries are opened with it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.errors import ReadError
from colde.ingest.pdf.words.page import Page
from colde.text.document import ReadWarning

_ENTRIES = (b"/OCProperties", b"/Collection")
_OBJECT_STREAM = re.compile(rb"/ObjStm\b.{0,400}?stream\r?\n", re.DOTALL)
_MAX_UNPACKED = 4_000_000  # bytes looked at of an object stream; larger ones are left to pikepdf
_PLACEHOLDER_WORDS = 150  # of a page that says that the reader needs another program; Adobe's has 90
_MAX_NAMES = 3  # of attached files that a warning names


@dataclass(frozen=True, slots=True)
class Catalog:
    """What PDFium needs to be told of a file.

    Attributes:
        data: the file, without the text of layers that are switched off.
        hidden_layers_on: numbers of the pages that lost text with these layers.
        is_portfolio: whether the file is a cover for attached files.
    """

    data: bytes
    hidden_layers_on: tuple[int, ...] = ()
    is_portfolio: bool = False


def read_catalog(data: bytes, password: str | None) -> Catalog:
    """The file as it is to be read, and what its catalog says. A file that pikepdf cannot read is left as it is."""
    if not _may_have_entries(data):
        return Catalog(data)
    import io

    import pikepdf

    from colde.ingest.pdf.opening.hidden_layers import without_hidden_layers

    try:
        with pikepdf.open(io.BytesIO(data), password=password or "") as pdf:
            portfolio = "/Collection" in pdf.Root
            shown, pages = without_hidden_layers(pdf)
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, AttributeError, KeyError):
        return Catalog(data)  # PDFium says what is wrong with it
    return Catalog(shown or data, tuple(pages), portfolio)


def _may_have_entries(data: bytes) -> bool:
    """Whether an entry of interest stands in the file, or in a stream of objects that may hold the catalog."""
    if any(entry in data for entry in _ENTRIES):
        return True
    encrypted = b"/Encrypt" in data
    for start in _OBJECT_STREAM.finditer(data):
        if encrypted:
            return True
        unpacker = zlib.decompressobj()
        try:
            objects = unpacker.decompress(data[start.end() : start.end() + _MAX_UNPACKED], _MAX_UNPACKED)
        except zlib.error:
            return True
        if unpacker.unconsumed_tail or any(entry in objects for entry in _ENTRIES):
            return True
    return False


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
