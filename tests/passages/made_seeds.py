"""Seeds and limits of joining, made for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from colde.passages.joining import Block, JoiningLimits, ordered_blocks
from colde.passages.summaries import SummaryFeatures, SummaryLimits
from colde.results.seeds import Seeds
from colde.results.shared_text import SentenceMatches

LIMITS = JoiningLimits(
    weakest=0.0,
    strongest=1.0,
    gap=3,
    bonus=1.0,
    cost=1.0,
    cap=4.0,
    least=5.0,
)
"""Round numbers: a sentence of 20 words whose seed has log odds of 3 adds 4, one without a seed subtracts 1."""
SUMMARIES = SummaryLimits(
    weakest=0.0, gap=2, reach=-5.0, intercept=0.0, weights=SummaryFeatures(-20.0, 0.0, 0.0, 0.0, 0.0)
)
SUMMARY = ((20, 3), (21, 17), (22, 31), (23, 45))
"""Four sentences in a row whose sources lie far from each other."""


def seeds_of(
    *pairs: tuple[int, int] | tuple[int, int, float], common: int = 0, order: float = 0.0, run: int = 0
) -> Seeds:
    """Seeds of (row, column) or (row, column, log odds), all with the same words in common."""
    full = [(pair[0], pair[1], pair[2] if len(pair) > 2 else 3.0) for pair in pairs]
    rows, columns = (np.array([p[k] for p in full], dtype=np.int64) for k in (0, 1))
    return Seeds(
        rows,
        columns,
        np.array([p[2] for p in full], dtype=np.float64),
        np.full(len(full), common, dtype=np.int64),
        np.full(len(full), order),
        np.full(len(full), run, dtype=np.int64),
    )


def joined(
    *pairs: tuple[int, int] | tuple[int, int, float],
    sentences: int = 60,
    words: float = 20.0,
    **limits: float,
) -> list[Block]:
    """Blocks of seeds in two texts of so many sentences of so many words."""
    counts = np.full(sentences, words)
    return list(ordered_blocks(seeds_of(*pairs), counts, counts, replace(LIMITS, **limits)))


def extents(blocks: Iterable[Block]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """First and last sentence of both sides of each block, in reading order."""
    return sorted((block.rows, block.columns) for block in blocks)


def matches_of(seeds: Seeds) -> SentenceMatches:
    """What the search of sentences says: these seeds, and no pair about the same topic."""
    return SentenceMatches((), seeds=seeds)


def drawn_seeds(rows: int, columns: int) -> st.SearchStrategy[Seeds]:
    """Any seeds of two texts of so many sentences."""
    pair = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    odds = st.integers(-18, 18).map(lambda x: x / 2)
    return st.dictionaries(pair, odds, max_size=12).map(
        lambda found: seeds_of(*((i, j, value) for (i, j), value in sorted(found.items())))
    )


def mirrored(blocks: Sequence[Block]) -> list[tuple[object, ...]]:
    """Blocks as plain values with a and b swapped."""
    return sorted((b.columns, b.rows, round(b.weight, 9)) for b in blocks)
