"""Formats that cannot be read, told by their first bytes, so that an error can name them."""

from __future__ import annotations

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0"
"""First bytes of old Office files, and of Word documents that are protected by a password."""

_ZIP_SIGNATURE = b"PK\x03\x04"
_SIGNATURES = (
    (OLE_SIGNATURE, "an old Office file (.doc, .xls, .ppt)"),
    (b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"), (b"MM\x00*", "a TIFF picture"), (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"), (b"\xfd7zXZ", "an xz archive"), (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"), (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"), (b"MZ\x90", "a program"), (b"ID3", "a sound file"),
    (b"RIFF", "a sound or video file"),
)  # fmt: skip
_INSIDE_ZIP = (
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "an OpenDocument presentation"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file"),
    (b"xl/workbook", "an Excel workbook"), (b"ppt/presentation", "a PowerPoint presentation"),
)  # fmt: skip


def foreign_kind(data: bytes) -> str | None:
    """What a file with a known signature is; None for all others."""
    if data.startswith(_ZIP_SIGNATURE):
        return next((kind for mark, kind in _INSIDE_ZIP if mark in data), "a zip archive")
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)
