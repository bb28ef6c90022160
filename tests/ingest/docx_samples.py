"""Word documents for tests: made by python-docx, and with their parts changed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls


def saved(document: Any) -> bytes:
    """The bytes of a document."""
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def paragraphs(*texts: str, title: str = "") -> bytes:
    """A document of these paragraphs; `title` is one of its properties."""
    made = docx.Document()
    made.core_properties.title = title
    for text in texts:
        made.add_paragraph(text)
    return saved(made)


def xml(source: str) -> Any:
    """An element with the prefix `w` declared."""
    head, _, rest = source.partition(">")
    return parse_xml(f"{head.removesuffix('/')} {nsdecls('w')}{'/' if head.endswith('/') else ''}>{rest}")


def parts_of(data: bytes) -> dict[str, bytes]:
    """The parts of a document by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def changed(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The document with each part as `change(name, part)` returns it."""
    return zipped({name: change(name, part) for name, part in parts_of(data).items()})
