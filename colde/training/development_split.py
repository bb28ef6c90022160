"""A development part of the training pairs: documents that occur in no pair the run is trained on.

A reader's files were never trained on. What is chosen by pairs of documents that were (when to stop, how parts of a
score are weighed, where the threshold lies) is chosen for another task. So some documents of each corpus are set aside,
with their neighbours among the pairs, until enough pairs lie wholly among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from colde.corpus.corpus_folder import Pair
from colde.corpus.document_split import held_out_documents

BOOKS = {"textbooks": ("microbiology", "introduction-sociology", "introductory-statistics")}
"""Corpora whose documents belong to books: whole books are set aside, so that their subjects are new."""


@dataclass(frozen=True, slots=True)
class DevelopmentSplit:
    """Training pairs of a corpus, parted.

    Attributes:
        train: neither document is set aside.
        one: exactly one is; none: both are.
        aside: the documents set aside.
    """

    train: tuple[Pair, ...]
    one: tuple[Pair, ...]
    none: tuple[Pair, ...]
    aside: frozenset[str]


def split_development(corpus: str, pairs: Sequence[Pair], share: float, seed: int = 0) -> DevelopmentSplit:
    """Set aside whole books where the corpus has them, else a share of the documents, by walks over the pairs.

    A share of 0 sets nothing aside.
    """
    if not share:
        return DevelopmentSplit(tuple(pairs), (), (), frozenset())
    aside = _books(pairs, BOOKS[corpus]) if corpus in BOOKS else held_out_documents(pairs, share, seed)
    seen: tuple[list[Pair], ...] = ([], [], [])
    for p in pairs:
        seen[(p.source in aside) + (p.target in aside)].append(p)
    train, one, none = (tuple(s) for s in seen)
    return DevelopmentSplit(train, one, none, aside)


def _books(pairs: Sequence[Pair], books: Sequence[str]) -> frozenset[str]:
    names = {n for p in pairs for n in (p.source, p.target)}
    return frozenset(n for n in names if n.split("/")[0] in books)


def unseen(pairs: Sequence[Pair], seen: frozenset[str]) -> np.ndarray:
    """[pairs], how many of the two documents occur in no training pair: 0, 1 or 2."""
    return np.array([(p.source not in seen) + (p.target not in seen) for p in pairs], dtype=np.int64)
