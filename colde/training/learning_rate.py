"""The learning-rate schedule of all training: linear warm-up, then linear to zero."""

from __future__ import annotations

FIRST = 0.02  # share of the peak at step 0, which with a rate of 0 would change nothing


def warm_up_then_linear(step: int, steps: int, warm_up: float) -> float:
    """Share of the peak learning rate at a step. It depends on the step only, so that speed changes no weights.

    Args:
        step: from 0; steps: length of the run.
        warm_up: share of the steps until the peak.
    """
    done = step / max(1, steps)
    if done < warm_up:
        return max(done / warm_up, FIRST)
    return (1 - done) / (1 - warm_up) if done < 1 else 0.0
