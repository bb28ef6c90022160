"""Contributions to a combined verdict: its members' own, in proportion to how far each moves the log-odds.

The probability is σ(bias + Σ x_k), x_k the weighted score of member k less its mean. Along the straight way from the
members' references to their scores each x_k has the part (σ(L) − σ(L₀)) / (L − L₀) · (x_k − x_k of its reference) in
the probability, L and L₀ the log-odds at the end and at the beginning: integrated gradients of a logistic function of a
sum, which are exact. A member's part is spread over pairs of passages as its own score is. A member that does not say
what made its score belongs to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from colde.explain.contribution import KEYS, Exact, contribution_map
from colde.judge.log_odds import from_log_odds
from colde.results.maps import Level, SimilarityMap
from colde.results.pair import PairResult
from colde.text.document import Span
from colde.text.term_weights import Counts

MEANING = (
    "the members' own contributions, each as far as it moves the log-odds, of which the probability is a function; "
    "exact but for the members' residuals. The reference is the probability at the members' references; a negative "
    "cell speaks against likeness."
)


@dataclass(frozen=True, slots=True)
class MemberMaps:
    """Result of a member, and what a score of it adds to the log-odds."""

    result: PairResult
    log_odds: Callable[[float], float]

    @property
    def maps(self) -> dict[Level, SimilarityMap]:
        """Its maps of what made its score, the finest last."""
        return {level: self.result.maps[name] for level, name in KEYS.items() if name in self.result.maps}


def combined_contributions(members: Sequence[MemberMaps], bias: float) -> dict[str, SimilarityMap]:
    """Maps of what made the probability; none where no member says what made its score.

    Args:
        bias: log-odds where every member finds the pair average.
    """
    known = [(m, list(m.maps.values())[-1]) for m in members if m.maps]
    if not known:
        return {}
    score = bias + sum(m.log_odds(m.result.score) for m in members)
    steps = [m.log_odds(m.result.score) - m.log_odds(found.reference or 0.0) for m, found in known]
    start = score - sum(steps)
    probability, reference = (float(from_log_odds(x)) for x in (score, start))
    far = abs(score - start) > 1e-9
    slope = (probability - reference) / (score - start) if far else probability * (1 - probability)
    host = max(known, key=lambda k: len(k[0].maps))[0].maps  # whose passages all parts are put on
    fine = list(host.values())[-1]
    values = np.zeros(fine.values.shape)
    for (member, found), step in zip(known, steps, strict=True):
        whole = member.result.score - (found.reference or 0.0)
        if abs(whole) > 1e-9:  # else it moves nothing
            parts = found.values.astype(np.float64) * (slope * step / whole)
            values += _moved(parts, _onto(fine.rows, found.rows), _onto(fine.columns, found.columns))
    found_maps = {}
    for level, m in host.items():
        summed = _moved(values, _onto(m.rows, fine.rows), _onto(m.columns, fine.columns))
        found_maps[KEYS[level]] = contribution_map(
            summed, m.rows, m.columns, level, probability, MEANING, reference
        )
    return found_maps


def _moved(values: Exact, rows: Counts, columns: Counts) -> Exact:
    """Values over other passages: [rows, columns]."""
    return np.asarray((columns @ (rows @ values).T).T, dtype=np.float64)


def _onto(host: Sequence[Span], spans: Sequence[Span]) -> Counts:
    """Spread of passages over others of the same text, by characters: [host, spans]; columns sum to one.

    A character that no passage of the host holds belongs to the one before it.

    Args:
        host: in reading order, not overlapping.
    """
    starts = np.array([s.start for s in host], dtype=np.int64)
    ends = np.append(starts[1:], np.iinfo(np.int64).max)
    row: list[int] = []
    column: list[int] = []
    share: list[float] = []
    for number, span in enumerate(spans):
        first, last = np.maximum(np.searchsorted(starts, [span.start, span.end - 1], side="right") - 1, 0)
        inside = np.arange(first, max(first, last) + 1)
        common = np.minimum(ends[inside], span.end) - np.maximum(starts[inside], span.start)
        weights = np.maximum(common, 0).astype(np.float64)
        weights = weights / weights.sum() if weights.sum() else np.eye(len(inside))[0]
        row += inside.tolist()
        column += [number] * len(inside)
        share += weights.tolist()
    return sparse.csr_matrix((share, (row, column)), shape=(len(host), len(spans)))
