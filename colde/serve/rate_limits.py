"""Limits of one request and of one client."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from colde.ingest.reading_limits import MEBIBYTE


@dataclass(frozen=True, slots=True)
class ServeLimits:
    """Limits of the service; beyond them a request is refused.

    Attributes:
        body: bytes of a request.
        total: bytes of the bodies of all requests together, from their arrival to the end of their work.
        seconds: from the arrival of a request to the end of its work, waiting included.
        body_seconds: from the beginning of a request to the last byte of its body.
        per_minute: requests of one client (its address).
        active_requests: requests that are at work or wait.
    """

    body: int = 100 * MEBIBYTE
    total: int = 256 * MEBIBYTE
    seconds: float = 600.0
    body_seconds: float = 60.0
    per_minute: int = 60
    active_requests: int = 32


class RateLimit:
    """A bucket of requests for each client, filled again over time; clients of long ago are forgotten."""

    MOST_CLIENTS = 10_000

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._most = float(per_minute)
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests left, and when that was

    def wait(self, client: str) -> float:
        """Take one request; 0, or the seconds after which there will be one."""
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(client, (self._most, now))
            left = min(self._most, left + (now - since) * self._rate)
            seconds = 0.0 if left >= 1 else (1 - left) / self._rate
            self._left[client] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > self.MOST_CLIENTS:
                self._left.popitem(last=False)
            return seconds
