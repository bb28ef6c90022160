"""The zip archive of a Word document: what is checked before a library reads it."""

from __future__ import annotations

import codecs
import io
import lzma
import re
import zipfile
import zlib
from typing import IO
from xml.parsers import expat

from colde.errors import ReadError
from colde.ingest.foreign_formats import OLE_SIGNATURE
from colde.ingest.reading_limits import Limits

MAIN_PART = "word/document.xml"
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME = re.compile(re.escape(_STRICT) + rb"(officeDocument|wordprocessingml|drawingml)/(\w+)")
# Encodings that expat does not know.
_EXPAT_ENCODINGS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"<\0\0\0", b"\0\0\0<")
ZIP_ERRORS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, EOFError, OSError,
    NotImplementedError,
)  # fmt: skip


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
            _check_size(archive, len(data), name, limits)
            _check_parts(archive, name)
    except (*ZIP_ERRORS, ValueError) as error:
        raise corrupt(name, "the file is not a readable zip archive, as every .docx is") from error


def _check_size(archive: zipfile.ZipFile, packed: int, name: str, limits: Limits) -> None:
    parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    bomb = size > 2**22 and size > limits.zip_ratio * packed
    if len(parts) > limits.zip_parts or size > limits.zip_bytes or bomb:
        raise ReadError(
            name, "too_large", f"it holds {len(parts)} parts, {size / 2**20:.0f} MB when expanded",
            "save it again without embedded files, or raise the limits",
        )  # fmt: skip
    if any(part.flag_bits & 1 for part in parts):
        raise ReadError(name, "encrypted", "the zip archive is encrypted", "unpack it and try again")


def _check_parts(archive: zipfile.ZipFile, name: str) -> None:
    names = archive.namelist()
    if MAIN_PART not in names and not any(re.fullmatch(r"word/document\d*\.xml", n) for n in names):
        raise corrupt(name, "a zip archive without a Word document in it")
    for part in archive.infolist():
        if part.filename.endswith((".xml", ".rels")):
            with archive.open(part) as stream:
                if _declares_entities(stream):
                    raise corrupt(name, "it declares XML entities, which Word never writes")


def _declares_entities(stream: IO[bytes]) -> bool:
    """Whether an XML part has a document type, however it is encoded and whatever stands before it."""
    parser = expat.ParserCreate()
    declares: list[bool] = []
    parser.StartDoctypeDeclHandler = lambda *_: declares.append(True)
    parser.StartElementHandler = lambda *_: declares.append(False)
    while not declares and (piece := stream.read(65_536)):
        if piece.startswith(_EXPAT_ENCODINGS):
            return True
        try:
            parser.Parse(piece)
        except expat.ExpatError:
            return declares[:1] == [True]
    return declares[:1] == [True]


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
