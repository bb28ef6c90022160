"""Estimates of how long a comparison will take, learned from those before it: for the queue and the time left."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from colde import models

SECONDS_PER_THOUSAND_WORDS = {"instant": 0.02, "fast": 0.25, "slow": 3.0}
"""Seconds by the cost of a model, as long as it has not been seen at work."""

BASE = 0.2
"""Seconds of a model that do not hang on the length of the texts."""

_NEW_WEIGHT = 0.3  # weight of the latest comparison


class TimeEstimator:
    """Seconds of work a thousand words by model. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, float] = {}

    def estimate(self, names: Iterable[str], words: int) -> float:
        """Seconds of work for two documents that have so many words together."""
        return sum(BASE + self._rate(name) * words / 1000 for name in names)

    def learn(self, name: str, words: int, seconds: float) -> None:
        """Learn from a model that has done its part in so many seconds of work, waiting not counted."""
        found = max(seconds - BASE, 0.0) / max(words, 1) * 1000
        with self._lock:
            self._seen[name] = (
                found
                if name not in self._seen
                else self._seen[name] * (1 - _NEW_WEIGHT) + found * _NEW_WEIGHT
            )

    def _rate(self, name: str) -> float:
        with self._lock:
            return self._seen.get(name, SECONDS_PER_THOUSAND_WORDS[models.card(name).cost])
