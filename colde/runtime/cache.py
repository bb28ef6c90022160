"""Vectors kept on disk by content: the same text is encoded once, whatever file it comes from.

Only vectors are kept, named by a hash; no text. `COLDE_CACHE=off` turns it off; the explorer does so for uploads.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from colde.similarity import Array

MOST_BYTES = 1_000_000_000
"""Above this the vectors used longest ago are dropped."""


def cache_folder() -> Path:
    """Where converted networks and vectors are kept: `$XDG_CACHE_HOME/colde`, else ~/.cache/colde."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "colde"


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
        """The user's cache, or None where `COLDE_CACHE` is `off`."""
        if os.environ.get("COLDE_CACHE", "on").lower() in {"off", "0", "no"}:
            return None
        return cls(cache_folder() / "vectors", encoder)

    def load(self, ids: Sequence[NDArray[np.int32]]) -> Array | None:
        """[texts, dimension] of these texts, if all are known; a damaged file counts as unknown."""
        path = self._path(ids)
        try:
            vectors = cast(Array, load_file(path)["vectors"])
            path.touch()  # used now
        except (OSError, SafetensorError, KeyError):
            return None
        return vectors if len(vectors) == len(ids) else None

    def save(self, ids: Sequence[NDArray[np.int32]], vectors: Array) -> None:
        """Keep them; a full disk or a read-only home is no reason to fail."""
        path = self._path(ids)
        temporary = path.with_suffix(f".{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            save_file({"vectors": np.ascontiguousarray(vectors)}, temporary)
            temporary.replace(path)
            self._drop_oldest()
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _path(self, ids: Sequence[NDArray[np.int32]]) -> Path:
        digest = hashlib.sha256(self._encoder.encode())
        for one in ids:
            digest.update(len(one).to_bytes(4, "little"))
            digest.update(np.ascontiguousarray(one, dtype=np.int32).tobytes())
        return self._folder / f"{digest.hexdigest()}.safetensors"

    def _drop_oldest(self) -> None:
        files = [(p.stat().st_mtime, p.stat().st_size, p) for p in self._folder.glob("*.safetensors")]
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            path.unlink(missing_ok=True)
            total -= size
