"""A collection of documents on disk that can be searched: texts, vectors of every level, and words (LanceDB)."""

from __future__ import annotations

from colde.index.document_index import Index
from colde.index.index_results import Added, Hit, HitPassage, IndexedDocument, SkippedFile, Stats

__all__ = ["Added", "Hit", "HitPassage", "Index", "IndexedDocument", "SkippedFile", "Stats"]
