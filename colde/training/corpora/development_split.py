"""The development part of the training pairs: documents in no pair that the run is trained on.

The documents of a user were not trained on. So the step at which training stops, the weights of a score's parts, and
thresholds are chosen on such documents: some are set aside, with their neighbours in the graph of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from colde.corpus.corpus_folder import Pair
from colde.corpus.held_out_documents import held_out_documents

BOOKS = {"textbooks": ("microbiology", "introduction-sociology", "introductory-statistics")}
"""Corpora of books: complete books are set aside, so that their subjects are new."""


@dataclass(frozen=True, slots=True)
class DevelopmentSplit:
    """Training pairs of a corpus by how many of their documents are trained on.

    Attributes:
        train: both; one: one of them; none: neither.
        aside: the documents that are set aside.
    """

    train: tuple[Pair, ...]
    one: tuple[Pair, ...]
    none: tuple[Pair, ...]
    aside: frozenset[str]


def split_development(corpus: str, pairs: Sequence[Pair], share: float, seed: int = 0) -> DevelopmentSplit:
    """Set aside a share of the documents by walks over the pairs; 0 sets none aside.

    Of a corpus of books, the books of `BOOKS` are set aside, and with another seed than 0 as many others at random.
    """
    if not share:
        return DevelopmentSplit(tuple(pairs), (), (), frozenset())
    aside = _books(pairs, BOOKS[corpus], seed) if corpus in BOOKS else held_out_documents(pairs, share, seed)
    seen: tuple[list[Pair], ...] = ([], [], [])
    for p in pairs:
        seen[(p.source in aside) + (p.target in aside)].append(p)
    train, one, none = (tuple(s) for s in seen)
    return DevelopmentSplit(train, one, none, aside)


def _books(pairs: Sequence[Pair], books: Sequence[str], seed: int) -> frozenset[str]:
    names = {n for p in pairs for n in (p.source, p.target)}
    if seed:
        others = sorted({n.split("/")[0] for n in names} - set(books))
        books = np.random.default_rng(seed).choice(others, len(books), replace=False).tolist()
    return frozenset(n for n in names if n.split("/")[0] in books)


def unseen(pairs: Sequence[Pair], seen: frozenset[str]) -> np.ndarray:
    """[pairs], how many of the two documents occur in no training pair: 0, 1 or 2."""
    return np.array([(p.source not in seen) + (p.target not in seen) for p in pairs], dtype=np.int64)
