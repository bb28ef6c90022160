"""Fair queue: the comparisons of all sessions share the processor in slices of time.

One piece of work runs at a time. After a slice, at its next report of progress, the session with the least work so far
goes on; of those with as many slices, the cheapest piece of work. So a short comparison is done soon, however long the
others take.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

from colde import models
from colde.results.progress import OnProgress, Progress, Stage

SLICE = 0.5
"""Seconds of work before somebody else may go on."""

_CHECK_INTERVAL = 0.2  # seconds between two checks that a waiting piece of work is still wanted


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


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """Place of a piece of work among all that run or wait.

    Attributes:
        place: 1 for the one that is expected to be done first.
        of: pieces of work that run or wait.
        seconds: until it is done, by the estimates of all of them; infinite where one has no estimate.
    """

    place: int
    of: int
    seconds: float


class Turn:
    """The right of one piece of work to run, as a context; made by `FairQueue.take`.

    Attributes:
        worked: seconds it has worked so far.
    """

    def __init__(self, turns: FairQueue, owner: str, wanted: Callable[[], None], cost: float) -> None:
        self.turns, self.owner, self.wanted, self.cost = turns, owner, wanted, cost
        self.since: float | None = None  # when its slice began; None while it waits
        self.given = 0.0  # seconds of the slices that are over

    def __enter__(self) -> Turn:
        self.turns._come(self)
        try:
            self.turns._wait(self)
        except BaseException:
            self.turns._leave(self)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.turns._give(self)
        self.turns._leave(self)

    @property
    def worked(self) -> float:
        since = self.since
        return self.given + (0.0 if since is None else self.turns.clock() - since)

    @property
    def left(self) -> float:
        """Seconds of work that are still expected, never zero, since an estimate may be wrong; infinite if unknown."""
        return max(self.cost - self.worked, 0.1 * self.cost) if self.cost else math.inf

    def offer(self) -> None:
        """Let another go on, if a slice is over and one waits; returns when it is this one's turn again.

        Raises:
            Whatever `wanted` raises.
        """
        if self.since is not None and self.turns.clock() - self.since >= SLICE:
            self.turns._pass_on(self)

    def reporter(self, on_progress: OnProgress, estimator: TimeEstimator, words: int) -> OnProgress:
        """`on_progress`, which also tells the estimator how long each model took, and lets others take their turn.

        Args:
            words: of all texts.
        """
        done = 0.0

        def report(progress: Progress) -> None:
            nonlocal done
            on_progress(progress)
            if progress.stage is Stage.DONE and progress.model:
                estimator.learn(progress.model, words, self.worked - done)
                done = self.worked
            self.offer()

        return report

    def place(self) -> QueuePlace:
        """Its place now. Safe to call from any thread."""
        return self.turns._place(self)


class FairQueue:
    """One piece of work at a time; the owner with the least work so far comes first.

    Args:
        clock: seconds.
        here: whether an owner still waits for the result; such work comes before that of others.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, here: Callable[[str], bool] = lambda owner: True
    ) -> None:
        self.clock = clock
        self._is_here = here
        self._changed = threading.Condition()
        self._running: Turn | None = None
        self._waiting: list[Turn] = []
        self._had: dict[str, float] = {}  # seconds of work of each owner since it came
        self._all: list[Turn] = []  # all that run or wait

    def take(self, owner: str, wanted: Callable[[], None] = lambda: None, cost: float = 0.0) -> Turn:
        """A turn, to be used as a context: it waits at the beginning, and runs but for the slices that `offer` yields.

        Args:
            owner: whose work it is; all work of one owner counts together.
            wanted: called while waiting; raises to stop that.
            cost: estimated seconds of work; 0 where it is not known, which counts as long.
        """
        return Turn(self, owner, wanted, cost)

    def others(self, owner: str) -> int:
        """Number of pieces of work of other owners that run or wait."""
        with self._changed:
            return sum(turn.owner != owner for turn in self._all)

    @property
    def waiting(self) -> int:
        """Number of pieces of work that wait."""
        with self._changed:
            return len(self._waiting)

    def _come(self, turn: Turn) -> None:
        with self._changed:
            self._all.append(turn)
            # A new owner does not get ahead of the others by all the time that these have had.
            self._had.setdefault(turn.owner, min(self._had.values(), default=0.0))

    def _leave(self, turn: Turn) -> None:
        with self._changed:
            self._all.remove(turn)
            if all(other.owner != turn.owner for other in self._all):
                del self._had[turn.owner]

    def _wait(self, turn: Turn) -> None:
        with self._changed:
            self._waiting.append(turn)
            try:
                while self._running is not None or self._next() is not turn:
                    self._changed.wait(_CHECK_INTERVAL)
                    turn.wanted()
                self._running, turn.since = turn, self.clock()
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def _next(self) -> Turn:
        """The next one: an owner who still waits first, then the fewest slices, then the least work left."""
        return min(
            self._waiting,
            key=lambda turn: (not self._is_here(turn.owner), self._had[turn.owner] // SLICE, turn.left),
        )

    def _give(self, turn: Turn) -> None:
        with self._changed:
            if self._running is turn and turn.since is not None:
                had = self.clock() - turn.since
                self._had[turn.owner] += had
                turn.given += had
                self._running = turn.since = None
                self._changed.notify_all()

    def _pass_on(self, turn: Turn) -> None:
        with self._changed:
            if not self._waiting:
                return
        self._give(turn)
        self._wait(turn)

    def _place(self, turn: Turn) -> QueuePlace:
        """Slices go round, so that work longer than this one takes no more time from it than it needs itself."""
        with self._changed:
            left = turn.left
            others = [other.left for other in self._all if other is not turn]
        place = 1 + sum(other < left for other in others)
        return QueuePlace(place, len(others) + 1, left + sum(min(other, left) for other in others))
