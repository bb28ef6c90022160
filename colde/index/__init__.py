"""A collection of documents on disk that can be searched: texts, vectors of every level, and words (LanceDB)."""

from __future__ import annotations

from colde.index.hits import Added, Hit, HitPassage, Indexed, Stats, Unread
from colde.index.index import Index

__all__ = ["Added", "Hit", "HitPassage", "Index", "Indexed", "Stats", "Unread"]
