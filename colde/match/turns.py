"""Fair turns: the comparisons of all sessions share the processor slice by slice, instead of one after the other.

Only the one whose turn it is works; at its next sign of progress after a slice it lets the session go on that has had
least so far. A short comparison is done soon, however long the others take. No Streamlit call in here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLICE = 0.5
"""Seconds of work before somebody else may go on."""

_LOOK = 0.2  # seconds between two looks at whether who waits still wants to


class Turn:
    """The right of one piece of work to run; made by `Turns.take`."""

    def __init__(self, turns: Turns, owner: str, wanted: Callable[[], None]) -> None:
        self.turns, self.owner, self.wanted = turns, owner, wanted
        self.since = 0.0

    def offer(self) -> None:
        """Let somebody else go on, if a slice is over and somebody waits; returns when it is this one's turn again.

        Raises:
            Whatever `wanted` raises.
        """
        if self.turns.clock() - self.since >= SLICE:
            self.turns._pass_on(self)


class Turns:
    """One at a time, and the owner that has had least first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._changed = threading.Condition()
        self._running: Turn | None = None
        self._waiting: list[Turn] = []
        self._had: dict[str, float] = {}  # seconds of work of each owner since it came
        self._here: dict[str, int] = {}  # pieces of work of each owner

    @contextmanager
    def take(self, owner: str, wanted: Callable[[], None] = lambda: None) -> Iterator[Turn]:
        """Wait for a turn, and keep it until the end but for what `offer` gives away.

        Args:
            owner: whose work it is; what the works of one owner have had counts together.
            wanted: called while waiting; raises to stop that.
        """
        turn = Turn(self, owner, wanted)
        self._come(owner)
        try:
            self._wait(turn)
            yield turn
        finally:
            self._give(turn)
            self._leave(owner)

    def others(self, owner: str) -> int:
        """How many pieces of work of other owners run or wait."""
        with self._changed:
            return sum(count for name, count in self._here.items() if name != owner)

    def _come(self, owner: str) -> None:
        with self._changed:
            self._here[owner] = self._here.get(owner, 0) + 1
            # Who comes later does not get ahead of the others for all the time that these have had.
            self._had.setdefault(owner, min(self._had.values(), default=0.0))

    def _leave(self, owner: str) -> None:
        with self._changed:
            self._here[owner] -= 1
            if not self._here[owner]:
                del self._here[owner], self._had[owner]

    def _wait(self, turn: Turn) -> None:
        with self._changed:
            self._waiting.append(turn)
            try:
                while self._running is not None or self._next() is not turn:
                    self._changed.wait(_LOOK)
                    turn.wanted()
                self._running, turn.since = turn, self.clock()
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def _next(self) -> Turn:
        return min(self._waiting, key=lambda turn: self._had[turn.owner])  # the first of equals came first

    def _give(self, turn: Turn) -> None:
        with self._changed:
            if self._running is turn:
                self._had[turn.owner] += self.clock() - turn.since
                self._running = None
                self._changed.notify_all()

    def _pass_on(self, turn: Turn) -> None:
        with self._changed:
            if not self._waiting:
                return
        self._give(turn)
        self._wait(turn)
