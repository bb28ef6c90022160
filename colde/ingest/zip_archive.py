"""The files in a zip that somebody uploads: in memory alone, named as text, none larger than is allowed."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from colde.errors import ReadError

MAX_FILES = 5_000
"""Files in a zip; its list of contents alone can be made long."""

_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, ValueError, EOFError, OSError)
ADVICE = "pack the folder anew, or put the files in one by one"


def unzip_files(data: bytes, name: str, most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Each file of a zip with its name (without folders) and its bytes; hidden files and folders are passed over.

    Nothing is written anywhere, so a name with `..` in it leads nowhere. A zip in the zip is given as it is.

    Args:
        data: the zip. name: what it is called in errors.
        most_bytes: of all files together, unpacked: the count is of what really comes out, not of what the zip says.

    Raises:
        ReadError: `corrupt` for what is no zip, `encrypted`, `too_large`.
    """
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
        members = [m for m in packed.infolist() if not m.is_dir() and _member_name(m)]
    except (zipfile.BadZipFile, ValueError, OverflowError, EOFError, UnicodeError) as error:
        raise ReadError(name, "corrupt", "this is no zip that can be opened", ADVICE) from error
    if len(members) > MAX_FILES:
        raise ReadError(name, "too_large", f"{len(members):,} files, {MAX_FILES:,} is the limit", ADVICE)
    bytes_left = most_bytes
    for member in sorted(members, key=lambda m: m.filename):
        if member.flag_bits & 1:
            raise ReadError(name, "encrypted", "it is locked with a password", "pack it without one")
        try:
            with packed.open(member) as file:
                content = file.read(bytes_left + 1)
        except _ZIP_ERRORS as error:
            raise ReadError(name, "corrupt", f"{_member_name(member)} in it is damaged", ADVICE) from error
        bytes_left -= len(content)
        if bytes_left < 0:
            raise ReadError(
                name,
                "too_large",
                f"more than {most_bytes / 1e6:.0f} MB when unpacked",
                "put in fewer files: at most 200 are read",
            )
        yield _member_name(member), content


def _member_name(member: zipfile.ZipInfo) -> str:
    """A file's own name; empty for a hidden one and for what macOS adds."""
    path = PurePosixPath(member.filename.replace("\\", "/"))
    return "" if path.name.startswith(".") or "__MACOSX" in path.parts else path.name
