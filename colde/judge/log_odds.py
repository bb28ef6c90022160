"""Conversion of probabilities to log-odds and back, without the import time of scipy.special."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def log_odds(probabilities: ArrayLike, clip: float) -> NDArray[np.float64]:
    """ln(p / (1 − p)) of probabilities, of the same shape.

    Args:
        clip: least distance of a probability from 0 and 1, so that the result is finite.
    """
    p = np.asarray(probabilities, dtype=np.float64)
    p = np.clip(p, clip, 1 - clip)
    return np.asarray(np.log(p) - np.log1p(-p), dtype=np.float64)


def from_log_odds(odds: ArrayLike) -> NDArray[np.float64]:
    """1 / (1 + e^−x) of log-odds, of the same shape."""
    return np.asarray((1 + np.tanh(np.asarray(odds, dtype=np.float64) / 2)) / 2, dtype=np.float64)
