"""What the catalog of a PDF says and PDFium does not tell: layers that are switched off, and attached files.

pikepdf takes time to load, so only files that may have such entries are opened with it.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

_ENTRIES = (b"/OCProperties", b"/Collection")
_OBJECT_STREAM = re.compile(rb"/ObjStm\b.{0,400}?stream\r?\n", re.DOTALL)
_MAX_UNPACKED = 4_000_000  # bytes looked at of an object stream; larger ones are left to pikepdf


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

    from colde.ingest.pdf.hidden_layers import without_hidden_layers

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
