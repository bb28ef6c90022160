"""The SHA-256 of files that were read before, by path, size and date, so that a later run does not open them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self

from colde.corpus.document_sources import DocumentSource, FileSource
from colde.errors import StoreError

COMMIT_EVERY = 200
"""Files after which the manifest is saved: what a killed program reads again at most."""


class DigestManifest:
    """A manifest on disk; as a context manager it is saved at the end.

    Args:
        path: its file, an SQLite database, which is made if it does not exist.

    Raises:
        StoreError: the file is something else, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unsaved = 0
        try:
            self._database = sqlite3.connect(path)
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, bytes INTEGER, changed INTEGER, sha256 TEXT)"
            )
        except sqlite3.Error as error:
            raise StoreError(f"{path} cannot be used as a manifest ({error}): name another file") from None

    def digest(self, source: DocumentSource) -> str:
        """SHA-256 of a source, from the manifest where its file has the same size and date.

        Raises:
            ReadError: the file cannot be opened.
        """
        if not isinstance(source, FileSource) or not source.path.is_file():
            return source.digest()
        state = source.path.stat()
        key = str(source.path.absolute()).encode("utf-8", "replace").decode()
        wanted = (key, state.st_size, state.st_mtime_ns)
        query = "SELECT sha256 FROM files WHERE path = ? AND bytes = ? AND changed = ?"
        if (row := self._database.execute(query, wanted).fetchone()) is not None:
            return str(row[0])
        digest = source.digest()
        self._database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", (*wanted, digest))
        self._unsaved += 1
        if self._unsaved % COMMIT_EVERY == 0:
            self._database.commit()
        return digest

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.commit()
        self._database.close()
