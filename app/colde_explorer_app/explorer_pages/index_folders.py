"""The indexes that the page Search offers, and conditions of a search. This module does not call Streamlit."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from colde.index import IndexedDocument
from colde.index.storage.index_storage import META_FILE

MAX_FOLDERS = 200  # folders that are listed


def root() -> Path:
    """The folder of all indexes: `COLDE_INDEXES`, which `colde app` sets."""
    return Path(os.environ.get("COLDE_INDEXES") or ".").absolute()


def index_folders_in(folder: Path) -> list[Path]:
    """Indexes in a folder, and the folder itself if it is one, by name."""
    if (folder / META_FILE).is_file():
        return [folder]
    return [p for p in _folders(folder) if (p / META_FILE).is_file()]


def folders(folder: Path) -> list[Path]:
    """Folders in a folder that are no indexes, by name."""
    return [p for p in _folders(folder) if not (p / META_FILE).is_file() and p.suffix != ".rebuild"]


def _folders(folder: Path) -> list[Path]:
    try:
        there = sorted(p for p in folder.iterdir() if p.is_dir() and not p.name.startswith("."))
    except OSError:
        return []
    return there[:MAX_FOLDERS]


def new_name(folder: Path, wanted: str) -> Path | None:
    """Path of a new index of this name; None if the name is taken or leads out of the folder."""
    name = wanted.strip()
    if not name or name.startswith(".") or Path(name).name != name:
        return None
    path = folder / name
    return None if path.exists() and not (path / META_FILE).is_file() else path


def years(documents: Iterable[IndexedDocument]) -> list[int]:
    """Years of the last changes of files, ascending."""
    return sorted({int(d.modified[:4]) for d in documents if d.modified})


def condition(
    formats: Iterable[str], folders: Iterable[str], since: int | None, until: int | None
) -> str | None:
    """The condition of a search for these formats, folders and years; None without any."""
    parts = []
    for column, values in (("format", list(formats)), ("folder", list(folders))):
        if values:
            parts.append(f"{column} IN ({', '.join(map(_quoted, values))})")
    if since is not None:
        parts.append(f"modified >= '{since:04d}-01-01'")
    if until is not None:
        parts.append(f"modified <= '{until:04d}-12-31'")
    return " AND ".join(parts) or None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
