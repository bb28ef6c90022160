"""Several rankings joined into one: reciprocal rank fusion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

RANK_CONSTANT = 60
"""Cormack, Clarke and Büttcher 2009: how little a first place counts above a tenth."""


def reciprocal_rank(rankings: Iterable[Sequence[str]], k: int = RANK_CONSTANT) -> list[str]:
    """Items by the sum of 1 / (k + rank) over the rankings that hold them, best first (ranks from 1).

    Items of equal sums stay in the order in which they first come.
    """
    sums: dict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            sums[item] += 1 / (k + rank)
    return sorted(sums, key=lambda item: -sums[item])
