"""A converted network on disk: published whole, checked before it is used, made again where it is damaged."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from colde.assets import file_hash

SUMS = "sums.json"


def kept_network(folder: Path, write: Callable[[Path], None]) -> Path | None:
    """The folder with the files that `write` makes, made now where they are missing or damaged.

    Several processes may do so at once: each writes a folder of its own, and the first one done gives it its name.

    Returns:
        None where nothing can be kept: a full disk, a home that can be read only.
    """
    if intact(folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError:
        return None
    try:
        write(made)
        sums = {p.name: file_hash(p) for p in sorted(made.iterdir())}
        (made / SUMS).write_text(json.dumps(sums), encoding="utf-8")
        if not intact(folder):
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):  # another process was faster
                os.replace(made, folder)
        return folder if intact(folder) else None
    except (OSError, RuntimeError):  # RuntimeError: how OpenVINO says that it cannot write
        return None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def intact(folder: Path) -> bool:
    """Whether all files are there as they were written."""
    try:
        sums = json.loads((folder / SUMS).read_text(encoding="utf-8"))
        return bool(sums) and all(file_hash(folder / name) == known for name, known in sums.items())
    except (OSError, ValueError, AttributeError, TypeError):
        return False
