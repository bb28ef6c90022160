"""A folder or a URI, as the place of an index."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from colde.index.folder_storage import FolderStorage
from colde.index.index_storage import IndexStorage
from colde.index.object_storage import ObjectStorage, is_uri

Location: TypeAlias = str | os.PathLike[str]
"""A folder by its path, or a URI as a string."""


def storage_at(where: Location | IndexStorage) -> IndexStorage:
    """The storage of an index; raises `StoreError` for a strange URI, `MissingExtraError` without obstore."""
    if isinstance(where, IndexStorage):
        return where
    if isinstance(where, str) and is_uri(where):
        return ObjectStorage(where)
    assert isinstance(where, str | os.PathLike)
    return FolderStorage(Path(where))
