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
        for folder in self._folders:
            try:
                path = (folder / name).resolve()
                if path.is_file() and any(path.is_relative_to(allowed) for allowed in self._folders):
                    return path
            except (OSError, ValueError, RuntimeError):
                continue
        raise NotAllowedError("there is no such file below the allowed folders")
