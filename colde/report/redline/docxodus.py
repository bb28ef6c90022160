"""Tracked changes between two Word files, by Docxodus (package `python-redlines`, extra `redline`)."""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from colde.errors import MissingExtraError, ReadError
from colde.ingest.files.zip_archive import ZIP_ERRORS
from colde.report.redline.inverted_changes import invert_changes
from colde.report.redline.remote_files import without_remote_files

MISSING_EXTRA = "tracked changes in Word files need Docxodus: pip install 'colde-explorer[redline]'"
MOST_SECONDS = 600
_SETTINGS = {"DOTNET_GCHeapHardLimit": "0x80000000", "DOTNET_EnableDiagnostics": "0"}
"""At most 2 GB of memory, and no files for debuggers."""
_MAIN_PART = b"wordprocessingml.document.main+xml"
"""The type of the text of a `.docx`; that of a template, or of a file with macros, is another."""


class NotComparedError(Exception):
    """Two Word files that Docxodus cannot compare; the message says why."""


def is_word_file(data: bytes) -> bool:
    """Whether a file is a Word document without macros that is no template."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _MAIN_PART in archive.read("[Content_Types].xml")
    except (*ZIP_ERRORS, KeyError):
        return False


def can_track_changes() -> bool:
    """Whether Docxodus is installed."""
    return find_spec("python_redlines_docxodus") is not None


def track_changes(old: bytes, new: bytes, author: str, made: datetime) -> bytes:
    """The newer of two Word files, with tracked changes from the older one.

    Docxodus writes its changes into the file that it calls the original. So the newer file is the original here, and
    the changes are turned round.

    Args:
        made: the date of the changes.

    Raises:
        MissingExtraError: Docxodus is not installed.
        NotComparedError: it cannot compare these files.
    """
    program = _program()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("new.docx", "old.docx", "redline.docx")]
        date = made.strftime("%Y-%m-%dT%H:%M:%SZ")
        options = (f"--author={author}", f"--date-time={date}", "--no-conflate-spaces")
        try:
            for path, data in zip(paths, (new, old), strict=False):
                path.write_bytes(without_remote_files(data))
            subprocess.run(
                [program, *map(str, paths), *options],
                check=True,
                capture_output=True,
                timeout=MOST_SECONDS,
                env={"HOME": folder, "TMPDIR": folder, **_SETTINGS},
            )
            return invert_changes(paths[2].read_bytes())
        except subprocess.TimeoutExpired:
            raise NotComparedError(f"Docxodus took more than {MOST_SECONDS} seconds") from None
        except (subprocess.CalledProcessError, OSError, ReadError) as error:
            raise NotComparedError("Docxodus cannot compare the two Word files") from error


def _program() -> str:
    """The program; it is unpacked into the user's cache when it is used first."""
    if not can_track_changes():
        raise MissingExtraError(MISSING_EXTRA)
    from python_redlines import DocxodusEngine, EngineNotInstalledError

    try:
        return str(DocxodusEngine().extracted_binaries_path)
    except EngineNotInstalledError as error:  # the package has no program for this machine
        raise MissingExtraError(MISSING_EXTRA) from error
