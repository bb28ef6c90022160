"""The zip archive of a Word document: what is checked before a library reads it."""

from __future__ import annotations

import io
import re
import zipfile

from colde.errors import ReadError
from colde.ingest.foreign_formats import OLE_SIGNATURE
from colde.ingest.reading_limits import Limits
from colde.ingest.zip_archive import ZIP_ERRORS, check_expanded_size, declares_document_type

MAIN_PART = "word/document.xml"
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME = re.compile(re.escape(_STRICT) + rb"(officeDocument|wordprocessingml|drawingml)/(\w+)")


def corrupt(name: str, what: str) -> ReadError:
    """The error for a damaged Word document."""
    return ReadError(name, "corrupt", what, "open it in a word processor and save it again as .docx")


def check_archive(data: bytes, name: str, limits: Limits) -> None:
    """Raise a ReadError for bombs, encryption and missing parts, before anything is expanded."""
    if data.startswith(OLE_SIGNATURE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise ReadError(
                name, "encrypted", "the Word document is protected by a password",
                "remove the password in a word processor (Save as) and try again",
            )  # fmt: skip
        raise ReadError(name, "unsupported", "an old Word format (.doc)", "save it as .docx or PDF")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_expanded_size(archive, len(data), name, limits)
            _check_parts(archive, name)
    except (*ZIP_ERRORS, ValueError) as error:
        raise corrupt(name, "the file is not a readable zip archive, as every .docx is") from error


def _check_parts(archive: zipfile.ZipFile, name: str) -> None:
    names = archive.namelist()
    if MAIN_PART not in names and not any(re.fullmatch(r"word/document\d*\.xml", n) for n in names):
        raise corrupt(name, "a zip archive without a Word document in it")
    for part in archive.infolist():
        if part.filename.endswith((".xml", ".rels")):
            with archive.open(part) as stream:
                if declares_document_type(stream):
                    raise corrupt(name, "it declares XML entities, which Word never writes")


def transitional(data: bytes) -> bytes:
    """A file saved as "Strict Open XML" with the names of the usual kind, the only ones python-docx knows."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if "_rels/.rels" not in archive.namelist() or _STRICT not in archive.read("_rels/.rels"):
            return data
        usual = io.BytesIO()
        with zipfile.ZipFile(usual, "w") as copy:
            for part in archive.infolist():
                text = archive.read(part)
                if part.filename.endswith((".xml", ".rels")):
                    text = _STRICT_NAME.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", text)
                copy.writestr(part.filename, text)
    return usual.getvalue()
