"""A folder of documents without labels, against which a pair is judged instead of a profile's own corpus.

What counts as alike differs from field to field: two papers of one narrow subject score high because of the subject.
The reference says where its centre lies and how alike two of its documents are when nothing links them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from colde import ingest
from colde.data.corpus import DOCUMENTS, read_records, to_document
from colde.errors import ColdeError, ModelError
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document

MOST = 200  # documents, evenly spread over the folder: enough for a spread within a few per cent
FEWEST = 10
PAIRS = 2_000  # drawn at random; among so many few are related


@dataclass(frozen=True, slots=True)
class Reference:
    """The documents that are read of a folder.

    Attributes:
        name: the folder's name.
        documents: at most `MOST`.
        unread: names of files that could not be read.
    """

    name: str
    documents: tuple[Document, ...]
    unread: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({len(self.documents)} documents)"


def read_reference(folder: Path, on_progress: OnProgress | None = None) -> Reference:
    """Documents of a corpus folder (documents.jsonl.gz), or of the files in a folder.

    Raises:
        ModelError: no such folder, or fewer than `FEWEST` documents in it can be read.
    """
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such folder; a reference is a folder of files, or a corpus folder")
    found: list[Document] = []
    unread: list[str] = []
    if (folder / DOCUMENTS).is_file():
        records = [record for _, record in read_records(folder)]
        found = [to_document(records[i], sentences=False) for i in _spread(len(records))]
    else:
        files = sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
        for n, i in enumerate(_spread(len(files))):
            try:
                found.append(ingest.read(files[i]))
            except ColdeError:
                unread.append(files[i].name)
            if on_progress is not None:
                on_progress(Progress(Stage.REFERENCE, n + 1, min(MOST, len(files))))
    if len(found) < FEWEST:
        raise ModelError(
            f"{folder}: {len(found)} documents can be read, a reference needs at least {FEWEST} to say what is usual"
        )
    return Reference(folder.resolve().name, tuple(found), tuple(unread))


def _spread(count: int) -> list[int]:
    """At most `MOST` of so many positions, evenly spread."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(MOST, count))}) if count else []
