"""Many comparisons in one table: p values that hold for all of them at once (Holm 1979)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p values [comparisons]: below α where Holm's step-down procedure rejects at α.

    The smallest of m is multiplied by m, the next by m − 1 and so on, none below the one before it and none above 1.
    The chance of even one false finding among all then stays below α, however the comparisons depend on each other.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = np.arange(len(values), 0, -1) * values[order]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
