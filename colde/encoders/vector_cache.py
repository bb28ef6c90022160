"""Vectors kept on disk by content: the same text is encoded once, whatever file it comes from.

Only vectors are kept, named by a hash; no text. `COLDE_CACHE=off` turns it off; the explorer does so for uploads.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from colde.results.similarity_map import Array

MOST_BYTES = 1_000_000_000
"""Above this the vectors used longest ago are dropped."""


CHECKED = "checked"
"""The tensor in a file of vectors that holds the SHA-256 of the others: a disk's flipped bit makes no wrong score."""
ABANDONED = 3_600.0  # seconds; what is left of a process that was ended while it wrote


def cache_folder() -> Path | None:
    """Where converted networks and vectors are kept: `$XDG_CACHE_HOME/colde`, else ~/.cache/colde.

    None where `COLDE_CACHE` is `off`, and where there is no home.
    """
    if os.environ.get("COLDE_CACHE", "on").lower() in {"off", "0", "no"}:
        return None
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "colde"
    except RuntimeError:  # a user without a home
        return None


class VectorCache:
    """Arrays of vectors by the token ids they were made from.

    Args:
        folder: made when something is kept for the first time.
        encoder: what made the vectors; vectors of different encoders never meet.
    """

    def __init__(self, folder: Path, encoder: str, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._encoder = encoder
        self._most = most_bytes

    @classmethod
    def from_environment(cls, encoder: str) -> VectorCache | None:
        """The user's cache, or None where there is none (`cache_folder`)."""
        folder = cache_folder()
        return None if folder is None else cls(folder / "vectors", encoder)

    def load(self, ids: Sequence[NDArray[np.int32]]) -> Array | None:
        """[texts, dimension] of these texts, if all are known; a damaged file counts as unknown."""
        path = self._path(ids)
        try:
            tensors = load_file(path)
            vectors = cast(Array, tensors["vectors"])
            whole = np.array_equal(tensors[CHECKED], _sum(vectors)) and len(vectors) == len(ids)
        except (OSError, SafetensorError, KeyError, ValueError):
            return None
        if not whole:
            return None
        with suppress(OSError):  # a folder that can be read only is of use, too
            path.touch()  # used now
        return vectors

    def save(self, ids: Sequence[NDArray[np.int32]], vectors: Array) -> None:
        """Keep them; a full disk or a read-only home is no reason to fail."""
        path = self._path(ids)
        vectors = np.ascontiguousarray(vectors)
        temporary: Path | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")  # of this writer alone
            os.close(handle)
            temporary = Path(name)
            save_file({"vectors": vectors, CHECKED: _sum(vectors)}, temporary)
            temporary.replace(path)
            temporary = None
            self._drop_oldest()
        except (OSError, SafetensorError):  # safetensors has an error of its own for a full disk
            pass
        finally:
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)

    def _path(self, ids: Sequence[NDArray[np.int32]]) -> Path:
        digest = hashlib.sha256(self._encoder.encode())
        for one in ids:
            digest.update(len(one).to_bytes(4, "little"))
            digest.update(np.ascontiguousarray(one, dtype=np.int32).tobytes())
        return self._folder / f"{digest.hexdigest()}.safetensors"

    def _drop_oldest(self) -> None:
        for left in self._folder.glob("*.part"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > ABANDONED:
                    left.unlink()
        files = []
        for path in self._folder.glob("*.safetensors"):
            with suppress(OSError):  # another process may drop it just now
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            path.unlink(missing_ok=True)
            total -= size


def _sum(vectors: Array) -> NDArray[np.uint8]:
    """SHA-256 of the numbers and their shape: [32]."""
    digest = hashlib.sha256(str((vectors.dtype, vectors.shape)).encode())
    digest.update(np.ascontiguousarray(vectors).data)
    return np.frombuffer(digest.digest(), np.uint8).copy()
