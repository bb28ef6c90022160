"""Measures of PAN's text alignment task (Potthast et al. 2010): a case or a detection is a span of each text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

Stretch = tuple[int, int]
"""First character, and the one after the last."""
Case = tuple[Stretch, Stretch]
"""A stretch of each text."""


@dataclass(frozen=True, slots=True)
class Measures:
    """Means over the detections (precision) and the cases (recall) of all pairs.

    Attributes:
        granularity: detections of each case that was detected.
    """

    precision: float
    recall: float
    granularity: float

    @property
    def plagdet(self) -> float:
        """F1, divided by log2(1 + granularity)."""
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return f1 / math.log2(1 + self.granularity)


def measure(pairs: Iterable[tuple[Sequence[Case], Sequence[Case]]]) -> Measures:
    """Measures of the cases and detections of each pair of texts."""
    recall: list[float] = []
    precision: list[float] = []
    counts: list[int] = []
    for cases, detections in pairs:
        shares = [covered(case, detections) for case in cases]
        recall += [share for share, _ in shares]
        counts += [count for _, count in shares if count]
        precision += [covered(detection, cases)[0] for detection in detections]
    return Measures(
        mean(precision) if precision else 0.0,
        mean(recall) if recall else 0.0,
        mean(counts) if counts else 1.0,
    )


def covered(case: Case, others: Iterable[Case]) -> tuple[float, int]:
    """Share of the characters of both stretches that others cover which overlap both, and how many these are."""
    hits = [other for other in others if all(map(_overlap, case, other))]
    both = sum(
        characters([(max(case[k][0], hit[k][0]), min(case[k][1], hit[k][1])) for hit in hits]) for k in (0, 1)
    )
    return both / max(1, sum(end - start for start, end in case)), len(hits)


def characters(stretches: Iterable[Stretch]) -> int:
    """Characters that lie in at least one of these stretches."""
    total, reached = 0, 0
    for start, end in sorted(stretches):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _overlap(one: Stretch, other: Stretch) -> bool:
    return one[0] < other[1] and other[0] < one[1]
