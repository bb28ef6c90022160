"""Seeds of shared passages: pairs of sentences that are likely to say the same, with what is known of each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

MOST_LOG_ODDS = 9.2
"""Limit of log odds on both sides: probabilities of 0.0001 and 0.9999."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """Pairs of sentences.

    Attributes:
        rows, columns: [pairs], positions among the sentences of a and of b.
        log_odds: [pairs], of the probability that the two say the same.
        common: [pairs], words that both sentences have in the same order.
        order: [pairs], `common` as a share of the words of both sentences, 0 to 1.
        run: [pairs], most words of both sentences in a row that are in an identical run; where the run holds both
            whole sentences, its words.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    log_odds: NDArray[np.float64]
    common: NDArray[np.int64]
    order: NDArray[np.float64]
    run: NDArray[np.int64]

    @classmethod
    def none(cls) -> Self:
        """No pairs."""
        places, values = np.zeros(0, dtype=np.int64), np.zeros(0)
        return cls(places, places, values, places, values, places)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All pairs, in order."""
        parts = [cls.none(), *several]
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls)))

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Self:
        """Some of the pairs, by position or mask."""
        return type(self)(*(getattr(self, f.name)[which] for f in fields(self)))

    def swapped(self) -> Self:
        """The same pairs with a and b swapped."""
        return replace(self, rows=self.columns, columns=self.rows)

    def best_by_row(self) -> Self:
        """The pair with the highest log odds of each row, of equal ones that with the longest run, by row."""
        order = np.lexsort((self.columns, -self.run, -self.log_odds, self.rows))
        _, first = np.unique(self.rows[order], return_index=True)
        return self.take(order[first])


def log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log odds of probabilities, within ± `MOST_LOG_ODDS`."""
    kept = np.clip(probability, 1e-12, 1 - 1e-12)
    return np.clip(np.log(kept / (1 - kept)), -MOST_LOG_ODDS, MOST_LOG_ODDS)


def certain_seeds(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Seeds:
    """Seeds of pairs of sentences that have no words in common and are certain to say the same."""
    none = np.zeros(len(rows), dtype=np.int64)
    return Seeds(rows, columns, np.full(len(rows), MOST_LOG_ODDS), none, np.zeros(len(rows)), none)
