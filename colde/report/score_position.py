"""Position of a score against its threshold, so that the thresholds of all models lie on one line."""

from __future__ import annotations

from colde.results.model_score import Score


def score_position(score: Score) -> float | None:
    """From 0 to 1, with the threshold in the middle; None without a threshold.

    Below the threshold the line runs from 0 (or one below a threshold that is not above it), above it to 1 (or to
    twice a threshold that is not below it). Each side has its own scale: places of two models tell which side they are
    on and how far along it, and nothing more.
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
