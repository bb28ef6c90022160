"""The verdict as a bar from unrelated to related, and a score against its threshold."""

from __future__ import annotations

from dataclasses import dataclass

from colde.report.formatting import apart
from colde.results.model_score import Score
from colde.results.verdicts.verdict_words import UNDECIDED, percent_or_dash


@dataclass(frozen=True, slots=True)
class VerdictBar:
    """Positions on the bar, from 0 (unrelated) to 1 (related).

    Attributes:
        at: of the pair: its probability; without one, its score on a scale with the threshold in the middle.
        threshold: of the threshold.
        undecided: where the undecided part begins and ends; both are the threshold without a probability.
        label: the bar in words, for a screen reader.
    """

    at: float
    threshold: float
    undecided: tuple[float, float]
    label: str


def score_position(score: Score) -> float | None:
    """From 0 to 1, with the threshold in the middle, so that those of all models lie on one line; None without one.

    The scale runs from 0 (or the threshold minus 1, if it is not above 0) to the threshold, and on to 1 (or twice the
    threshold, if it is not below 1). Each side has its own scale, so positions of two models compare only as shares of
    these ranges.
    """
    threshold = score.threshold
    if threshold is None:
        return None
    low = 0.0 if threshold > 0 else threshold - 1.0
    high = 1.0 if threshold < 1 else 2.0 * threshold
    side = (low, 0.0) if score.score < threshold else (high, 1.0)
    share = (score.score - threshold) / (side[0] - threshold)
    end = side[1]
    return round(0.5 + (end - 0.5) * min(1.0, share), 4)


def verdict_bar(score: Score) -> VerdictBar | None:
    """The bar of a score; None without a threshold."""
    position = score_position(score)
    if position is None:
        return None
    if score.probability is None:
        value, threshold = apart(score.score, score.threshold)
        label = f"{score.says}: score {value}, threshold {threshold}"
        return VerdictBar(position, 0.5, (0.5, 0.5), label)
    limit = 0.5 if score.threshold_probability is None else score.threshold_probability
    label = (
        f"{score.says}: {percent_or_dash(score.probability)} on a bar from unrelated (0 %) to related (100 %), the "
        f"threshold at {percent_or_dash(limit)}"
    )
    return VerdictBar(score.probability, limit, UNDECIDED, label)
