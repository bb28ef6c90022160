"""Zip archives: what is checked before a part is read, and the files of one that somebody uploads.

Everything happens in memory, so a part whose name leads out of the archive leads nowhere.
"""

from __future__ import annotations

import codecs
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO
from xml.parsers import expat

from colde.errors import ReadError
from colde.ingest.reading_limits import Limits

MAX_FILES = 5_000
"""Files in a zip; its list of contents alone can be made long."""

ZIP_ERRORS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError,
)  # fmt: skip
"""What reading a damaged archive raises."""
# Encodings that expat does not know.
_EXPAT_ENCODINGS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"<\0\0\0", b"\0\0\0<")
ADVICE = "zip the folder again, or add the files one by one"


def open_archive(data: bytes, name: str, limits: Limits, what: str) -> zipfile.ZipFile:
    """The archive of a document, once its size is checked.

    Args:
        limits: its parts, their size, and how far it may expand.
        what: the kind of the document, for errors: "EPUB book".

    Raises:
        ReadError: `corrupt`, `too_large`, `encrypted`.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        _check_expanded_size(archive, len(data), name, limits)
    except (*ZIP_ERRORS, ValueError) as error:
        raise damaged(name, f"the file is not a readable zip archive, as every {what} is") from error
    return archive


def read_part(archive: zipfile.ZipFile, part: str, name: str) -> bytes:
    """The bytes of a part of a document's archive.

    Raises:
        ReadError: `corrupt` where it is missing or damaged.
    """
    try:
        return archive.read(part)
    except (KeyError, *ZIP_ERRORS, RuntimeError, ValueError) as error:
        raise damaged(name, f"the part {part} is missing or damaged") from error


def damaged(name: str, what: str) -> ReadError:
    """The error for a document whose parts cannot be read."""
    return ReadError(name, "corrupt", what, "open it in the program it comes from and save it again")


def _check_expanded_size(archive: zipfile.ZipFile, packed: int, name: str, limits: Limits) -> None:
    """Raise a ReadError for an archive that grows too large, and for an encrypted one, before a part is expanded."""
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


def declares_document_type(stream: IO[bytes]) -> bool:
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


def unzip_files(data: bytes, name: str, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Each file of a zip with its name (without folders) and its bytes; hidden files and folders are passed over.

    Nothing is written anywhere, so a name with `..` in it leads nowhere. A zip in the zip is given as it is.

    Args:
        most_bytes: of all files together, unpacked: the count is of what really comes out, not of what the zip says.

    Raises:
        ReadError: `corrupt` for what is no zip, `encrypted`, `too_large`.
    """
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
        members = [m for m in packed.infolist() if not m.is_dir() and _member_name(m)]
    except (zipfile.BadZipFile, ValueError, OverflowError, EOFError, UnicodeError) as error:
        raise ReadError(name, "corrupt", "this is not a zip archive that can be opened", ADVICE) from error
    if len(members) > MAX_FILES:
        raise ReadError(name, "too_large", f"{len(members):,} files, the limit is {MAX_FILES:,}", ADVICE)
    bytes_left = most_bytes
    for member in sorted(members, key=lambda m: m.filename):
        if member.flag_bits & 1:
            raise ReadError(name, "encrypted", "it is locked with a password", "zip the files without one")
        try:
            with packed.open(member) as file:
                content = file.read(bytes_left + 1)
        except (*ZIP_ERRORS, RuntimeError, ValueError) as error:
            raise ReadError(name, "corrupt", f"{_member_name(member)} in it is damaged", ADVICE) from error
        bytes_left -= len(content)
        if bytes_left < 0:
            what = f"more than {most_bytes / 1e6:.0f} MB when unpacked"
            raise ReadError(name, "too_large", what, "add fewer files: at most 200 are read")
        yield _member_name(member), content


def _member_name(member: zipfile.ZipInfo) -> str:
    """A file's own name; empty for a hidden one and for what macOS adds."""
    path = PurePosixPath(member.filename.replace("\\", "/"))
    return "" if path.name.startswith(".") or "__MACOSX" in path.parts else path.name
