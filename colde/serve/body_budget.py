"""Memory for the bodies of all requests together: they are kept in memory, and never written to a disk."""

from __future__ import annotations

import threading


class BodyBudget:
    """Bytes that the bodies of all requests may have together, from their arrival to the end of their work."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.used = 0
        self._lock = threading.Lock()

    def fits(self, count: int) -> bool:
        """Whether so many bytes more are within the budget."""
        return self.used + count <= self.total

    def take(self, count: int) -> bool:
        """Take so many bytes; False, and nothing is taken, where they are more than is left."""
        with self._lock:
            if not self.fits(count):
                return False
            self.used += count
            return True

    def give_back(self, count: int) -> None:
        """Give back bytes that were taken."""
        with self._lock:
            self.used -= count


class HeldBody:
    """The bytes of one request's body. They are given back when the last that uses them lets go."""

    def __init__(self, budget: BodyBudget) -> None:
        self._budget = budget
        self._count, self._users = 0, 1
        self._lock = threading.Lock()

    def add(self, count: int) -> bool:
        """Count bytes that have arrived; False where they exceed the budget."""
        if not self._budget.take(count):
            return False
        self._count += count
        return True

    def share(self) -> None:
        """Keep the bytes for one more user."""
        with self._lock:
            self._users += 1

    def let_go(self) -> None:
        """Called by each user at its end."""
        with self._lock:
            self._users -= 1
            if self._users:
                return
        self._budget.give_back(self._count)
