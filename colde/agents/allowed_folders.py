"""The folders whose files agents may read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class NotAllowedError(Exception):
    """A path that is not below an allowed folder."""


class AllowedFolders:
    """Resolves the paths that an agent names; links count as what they lead to."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [folder.resolve(strict=True) for folder in folders]

    def file(self, name: str) -> Path:
        """The file of a path, absolute or below one of the folders.

        Raises:
            NotAllowedError: it is not below an allowed folder, or there is no such file; the two look the same.
        """
        path = self._resolve(name)
        if path is None or not path.is_file():
            raise NotAllowedError("there is no such file below the allowed folders")
        return path

    def folder(self, name: str) -> Path:
        """The folder of a path; none of its links leads out of the allowed folders.

        Raises:
            NotAllowedError: it is not below an allowed folder, or there is none, or a link in it leads elsewhere.
        """
        path = self._resolve(name)
        if path is None or not path.is_dir():
            raise NotAllowedError("there is no such folder below the allowed folders")
        if not all(self._is_below(entry.resolve()) for entry in path.rglob("*") if entry.is_symlink()):
            raise NotAllowedError("a link in the folder leads out of the allowed folders")
        return path

    def _resolve(self, name: str) -> Path | None:
        """What a path leads to; None where that does not exist or is not below an allowed folder."""
        for folder in self._folders:
            try:
                path = (folder / name).resolve()
                if path.exists() and self._is_below(path):
                    return path
            except (OSError, ValueError, RuntimeError):
                continue
        return None

    def _is_below(self, path: Path) -> bool:
        return any(path.is_relative_to(allowed) for allowed in self._folders)
