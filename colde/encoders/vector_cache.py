"""Cache of vectors on disk, by the hash of token ids: a text is encoded once, whatever file it comes from.

It holds vectors and no text. `COLDE_CACHE=off` turns it off; the explorer does so for uploads.
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
"""Size above which the least recently used vectors are deleted."""

LOOKS = 16
"""How often a cache looks at all its files while it writes `MOST_BYTES`: it exceeds that by a part of them at most."""

CHECKED = "checked"
"""The tensor of a file that holds the SHA-256 of the vectors, so that a flipped bit on disk gives no wrong score."""

ABANDONED = 3_600.0
"""Seconds after which an incomplete file is deleted: its process ended while it wrote."""


def cache_folder() -> Path | None:
    """`$XDG_CACHE_HOME/colde`, else ~/.cache/colde; None if `COLDE_CACHE` is `off`, or without a home."""
    if os.environ.get("COLDE_CACHE", "on").lower() in {"off", "0", "no"}:
        return None
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "colde"
    except RuntimeError:  # a user without a home
        return None


class VectorCache:
    """Arrays of vectors by token ids.

    Args:
        folder: created when vectors are saved for the first time.
        encoder: identifies the encoder; vectors of different encoders are separate.
    """

    def __init__(self, folder: Path, encoder: str, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._encoder = encoder
        self._most = most_bytes
        self._unseen = most_bytes  # bytes written since the last look at all files; the first save looks

    @classmethod
    def from_environment(cls, encoder: str) -> VectorCache | None:
        """The cache in `cache_folder`, if there is one."""
        folder = cache_folder()
        return None if folder is None else cls(folder / "vectors", encoder)

    def load(self, ids: Sequence[NDArray[np.int32]]) -> Array | None:
        """[texts, dimension] of these texts; None if they are not in the cache, or the file is damaged."""
        path = self._path(ids)
        try:
            tensors = load_file(path)
            vectors = cast(Array, tensors["vectors"])
            intact = np.array_equal(tensors[CHECKED], _hash(vectors)) and len(vectors) == len(ids)
        except (OSError, SafetensorError, KeyError, ValueError):
            return None
        if not intact:
            return None
        with suppress(OSError):  # the folder may be read-only
            path.touch()  # most recently used
        return vectors

    def save(self, ids: Sequence[NDArray[np.int32]], vectors: Array) -> None:
        """Save the vectors; does nothing if the disk is full or read-only."""
        path = self._path(ids)
        vectors = np.ascontiguousarray(vectors)
        with suppress(OSError, SafetensorError):  # SafetensorError: the disk is full
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(
                dir=path.parent, suffix=".part"
            )  # other processes have other names
            os.close(handle)
            temporary = Path(name)
            try:
                save_file({"vectors": vectors, CHECKED: _hash(vectors)}, temporary)
                self._unseen += temporary.stat().st_size
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
            if self._unseen >= self._most // LOOKS:
                self._unseen = 0
                self._delete_oldest()

    def _path(self, ids: Sequence[NDArray[np.int32]]) -> Path:
        digest = hashlib.sha256(self._encoder.encode())
        for one in ids:
            digest.update(len(one).to_bytes(4, "little"))
            digest.update(np.ascontiguousarray(one, dtype=np.int32).tobytes())
        return self._folder / f"{digest.hexdigest()}.safetensors"

    def _delete_oldest(self) -> None:
        for incomplete in self._folder.glob("*.part"):
            with suppress(OSError):
                if time.time() - incomplete.stat().st_mtime > ABANDONED:
                    incomplete.unlink()
        files = []
        for path in self._folder.glob("*.safetensors"):
            with suppress(OSError):  # another process may delete it
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            path.unlink(missing_ok=True)
            total -= size


def _hash(vectors: Array) -> NDArray[np.uint8]:
    """SHA-256 of the numbers, their type and shape: [32]."""
    digest = hashlib.sha256(str((vectors.dtype, vectors.shape)).encode())
    digest.update(np.ascontiguousarray(vectors).data)
    return np.frombuffer(digest.digest(), np.uint8).copy()
