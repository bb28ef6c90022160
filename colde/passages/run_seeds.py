"""Seeds from identical runs of words, beside those from the similarity of sentences."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from colde.alignment.paraphrase_classifier import EDITED, is_edited
from colde.alignment.sentence_pair_features import common_subsequence_length
from colde.alignment.shared_runs import MIN_WORDS, ComparedWords, SharedRun, shared_runs
from colde.passages.sentence_words import SentenceWords
from colde.results.seeds import MOST_LOG_ODDS, Seeds
from colde.text.document import Span

PER_WORD = 0.5
"""Log odds that each word of a run adds."""
EVEN = 12
"""Words of a run whose log odds are 0."""


@dataclass(frozen=True)
class RunsOfTexts:
    """The identical runs of two texts, the same when they are swapped.

    Attributes:
        words: the compared words of a and of b.
        by_a, by_b: the runs that do not overlap in a, in its order, and those that do not overlap in b, in its order.
    """

    words: tuple[ComparedWords, ComparedWords]
    by_a: tuple[SharedRun, ...]
    by_b: tuple[SharedRun, ...]

    @classmethod
    def of(cls, a: ComparedWords, b: ComparedWords) -> Self:
        """All runs of two texts."""
        by_a = (SharedRun(run.b, run.a, run.words) for run in shared_runs(b, a))
        return cls((a, b), tuple(by_a), tuple(shared_runs(a, b)))

    def lengths(self, a: SentenceWords, b: SentenceWords) -> dict[tuple[int, int], int]:
        """Words of the longest run that a sentence of a and one of b share, by their positions.

        A run that holds both whole sentences counts whole, so that several short sentences in a row count like a
        long one.
        """
        sizes = np.diff(a.first), np.diff(b.first)
        longest: dict[tuple[int, int], int] = {}
        for run in (*self.by_a, *self.by_b):
            one, two = (w.starts[w.inside(s)] for w, s in zip(self.words, (run.a, run.b), strict=True))
            pairs = zip(a.sentences_of(one).tolist(), b.sentences_of(two).tolist(), strict=True)
            for pair, count in Counter(pair for pair in pairs if min(pair) >= 0).items():
                both = count >= max(sizes[0][pair[0]], sizes[1][pair[1]])
                longest[pair] = max(longest.get(pair, 0), run.words if both else count)
        return longest

    def within(
        self, a: Span, b: Span, counted: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    ) -> Iterator[tuple[Span, Span]]:
        """The runs inside a passage of both texts, cut at its ends and where words are not counted.

        What is left of a run that was cut has words enough for a run.

        Args:
            counted: of both texts: [words], whether each is counted.
        """
        for run in (*self._of_a.overlapping(a), *self._of_b.overlapping(b)):
            one, two = (w.inside(s) for w, s in zip(self.words, (run.a, run.b), strict=True))
            kept = np.isin(one, self.words[0].inside(a)) & np.isin(two, self.words[1].inside(b))
            kept &= counted[0][one] & counted[1][two]
            places = np.flatnonzero(kept)
            for piece in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
                if len(piece) and (kept.all() or len(piece) * run.words >= MIN_WORDS * len(kept)):
                    yield _extent(self.words[0], one[piece]), _extent(self.words[1], two[piece])

    @cached_property
    def _of_a(self) -> _Sorted:
        return _Sorted(self.by_a, tuple(run.a for run in self.by_a))

    @cached_property
    def _of_b(self) -> _Sorted:
        return _Sorted(self.by_b, tuple(run.b for run in self.by_b))


@dataclass(frozen=True)
class _Sorted:
    """Runs that do not overlap in one text, in its order, with their places there."""

    runs: tuple[SharedRun, ...]
    places: tuple[Span, ...]

    def overlapping(self, span: Span) -> tuple[SharedRun, ...]:
        first = bisect_right(self.places, span.start, key=lambda s: s.end)
        return self.runs[first : bisect_left(self.places, span.end, key=lambda s: s.start)]


def _extent(words: ComparedWords, places: NDArray[np.int64]) -> Span:
    return Span(words.spans[int(places[0])].start, words.spans[int(places[-1])].end)


def with_runs(seeds: Seeds, lengths: dict[tuple[int, int], int], a: SentenceWords, b: SentenceWords) -> Seeds:
    """The seeds with the runs that their sentences share, and further seeds of sentences that share a run.

    Args:
        lengths: as `RunsOfTexts.lengths` gives them.
    """
    known = set(zip(seeds.rows.tolist(), seeds.columns.tolist(), strict=True))
    new = sorted(pair for pair in lengths if pair not in known)
    names = [(a.names[a.within(i, i)], b.names[b.within(j, j)]) for i, j in new]
    common = np.array([common_subsequence_length(x, y) for x, y in names], dtype=np.int64)
    counts = np.array([len(x) + len(y) for x, y in names], dtype=np.float64)
    added = np.array(new, dtype=np.int64).reshape(-1, 2)
    rows, columns = np.r_[seeds.rows, added[:, 0]], np.r_[seeds.columns, added[:, 1]]
    run = np.array([lengths.get(pair, 0) for pair in zip(rows.tolist(), columns.tolist(), strict=True)])
    order = 2 * common / np.maximum(counts, 1)
    log_odds = np.r_[seeds.log_odds, np.where(is_edited(order, common), EDITED, -MOST_LOG_ODDS)]
    return Seeds(
        rows,
        columns,
        np.where(run > 0, np.maximum(log_odds, run_log_odds(run)), log_odds),
        np.r_[seeds.common, common],
        np.r_[seeds.order, order],
        run.astype(np.int64),
    )


def run_log_odds(words: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log odds of identical runs of so many words."""
    return np.asarray(np.clip(PER_WORD * (words - EVEN), -MOST_LOG_ODDS, MOST_LOG_ODDS), dtype=np.float64)
