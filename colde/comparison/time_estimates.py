"""Estimates of the time of a comparison, learned from earlier ones, for the queue and the time left."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from colde import models

SECONDS_PER_THOUSAND_WORDS = {"instant": 0.02, "fast": 0.25, "slow": 3.0}
"""Seconds by the cost of a model, until one of its comparisons was measured."""

BASE = 0.2
"""Seconds of a model that do not depend on the length of the texts."""

_NEW_WEIGHT = 0.3  # weight of the latest comparison


class TimeEstimator:
    """Seconds of work for a thousand words by model. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, float] = {}

    def estimate(self, names: Iterable[str], words: int) -> float:
        """Seconds of work for two documents with so many words together."""
        return sum(BASE + self._rate(name) * words / 1000 for name in names)

    def learn(self, name: str, words: int, seconds: float) -> None:
        """Learn from the seconds of work of a model, without waiting."""
        rate = max(seconds - BASE, 0.0) / max(words, 1) * 1000
        with self._lock:
            known = self._seen.get(name, rate)
            self._seen[name] = known * (1 - _NEW_WEIGHT) + rate * _NEW_WEIGHT

    def _rate(self, name: str) -> float:
        with self._lock:
            return self._seen.get(name, SECONDS_PER_THOUSAND_WORDS[models.card(name).cost])
