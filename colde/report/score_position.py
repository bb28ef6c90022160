"""Position of a score against its threshold, so that the thresholds of all models lie on one line."""

from __future__ import annotations

from colde.results.model_score import Score


def score_position(score: Score) -> float | None:
    """From 0 to 1, with the threshold in the middle; None without a threshold.

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
