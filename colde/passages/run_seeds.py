"""Seeds from identical runs of words, beside those from the similarity of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from colde.explain.sentence_pair_features import common_subsequence_length
from colde.explain.shared_runs import ComparedWords, SharedRun
from colde.passages.sentence_words import SentenceWords
from colde.results.seeds import MOST_LOG_ODDS, Seeds

PER_WORD = 0.5
"""Log odds that each word of a run adds."""
EVEN = 12
"""Words of a run whose log odds are 0."""


def run_lengths(
    runs: Iterable[SharedRun], words: tuple[ComparedWords, ComparedWords], a: SentenceWords, b: SentenceWords
) -> dict[tuple[int, int], int]:
    """Words of the longest run that a sentence of a and one of b share, by their positions."""
    longest: dict[tuple[int, int], int] = {}
    for run in runs:
        places = (words[0].starts[words[0].inside(run.a)], words[1].starts[words[1].inside(run.b)])
        pairs = zip(a.sentences_of(places[0]).tolist(), b.sentences_of(places[1]).tolist(), strict=False)
        for pair, count in Counter(pairs).items():
            longest[pair] = max(longest.get(pair, 0), count)
    return longest


def with_runs(seeds: Seeds, lengths: dict[tuple[int, int], int], a: SentenceWords, b: SentenceWords) -> Seeds:
    """The seeds with the runs that their sentences share, and further seeds of sentences that share a run.

    Args:
        lengths: as `run_lengths` gives them.
    """
    known = set(zip(seeds.rows.tolist(), seeds.columns.tolist(), strict=True))
    new = sorted(pair for pair in lengths if pair not in known and min(pair) >= 0)
    names = [(a.names[a.within(i, i)], b.names[b.within(j, j)]) for i, j in new]
    common = np.array([common_subsequence_length(x, y) for x, y in names], dtype=np.int64)
    counts = np.array([len(x) + len(y) for x, y in names], dtype=np.float64)
    added = np.array(new, dtype=np.int64).reshape(-1, 2)
    rows, columns = np.r_[seeds.rows, added[:, 0]], np.r_[seeds.columns, added[:, 1]]
    run = np.array([lengths.get(pair, 0) for pair in zip(rows.tolist(), columns.tolist(), strict=True)])
    log_odds = np.r_[seeds.log_odds, np.full(len(new), -MOST_LOG_ODDS)]
    return Seeds(
        rows,
        columns,
        np.where(run > 0, np.maximum(log_odds, run_log_odds(run)), log_odds),
        np.r_[seeds.common, common],
        np.r_[seeds.order, 2 * common / np.maximum(counts, 1)],
        run.astype(np.int64),
    )


def run_log_odds(words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log odds of identical runs of so many words."""
    return np.asarray(np.clip(PER_WORD * (words - EVEN), -MOST_LOG_ODDS, MOST_LOG_ODDS), dtype=np.float64)
