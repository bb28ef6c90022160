"""Work of requests in threads: fair turns between clients, progress, cancelling, a time limit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from typing import Generic, TypeVar

from colde import models
from colde.errors import Cancelled, ColdeError
from colde.match.memory import give_back
from colde.match.pace import Pace
from colde.match.turns import QueuePlace, Turn, Turns
from colde.models.base import Matcher
from colde.results.progress import OnProgress, Progress, Stage
from colde.serve.limits import ServeLimits

T = TypeVar("T")


class Busy(ColdeError):
    """More requests are in hand than the service takes."""


class TimedOut(ColdeError):
    """The work of a request took longer than it may."""


class Task(Generic[T]):
    """The work of one request.

    Attributes:
        future: its result, or what went wrong.
        progress: the last step it told of; None before the first.
        changed: set at each step and at the end; belongs to the loop that waits.
        turn: its turn, which knows its place among all that are in hand.
    """

    turn: Turn

    def __init__(self, seconds: float) -> None:
        self.future: Future[T] = Future()
        self.progress: Progress | None = None
        self.changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ends = time.monotonic() + seconds
        self._seconds = seconds
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Ask to stop, at the next sign of progress."""
        self._cancelled.set()

    def place(self) -> QueuePlace:
        """Where it stands among all that are in hand, and how long it may still take."""
        return self.turn.place()

    def check(self) -> None:
        """Raise Cancelled or TimedOut where the work shall not go on."""
        if self._cancelled.is_set():
            raise Cancelled("the client has gone")
        if time.monotonic() > self._ends:
            raise TimedOut(f"the work took longer than {self._seconds:.0f} seconds, which is the limit here")

    def report(self, progress: Progress) -> None:
        """Called by the work."""
        self.check()
        self.progress = progress
        self.tell()

    def tell(self) -> None:
        """Wake up who waits."""
        self._loop.call_soon_threadsafe(self.changed.set)


class Workshop:
    """Runs the work of all requests; one works at a time, the client that has had least goes on first."""

    def __init__(self, limits: ServeLimits, load: Callable[[str], Matcher] = models.load) -> None:
        self.limits = limits
        self.load = lru_cache(maxsize=32)(load)
        self._turns, self._pace = Turns(), Pace()
        self._threads = ThreadPoolExecutor(limits.in_hand, thread_name_prefix="request")
        self._lock = threading.Lock()
        self._in_hand = 0

    @property
    def in_hand(self) -> int:
        """Requests at work or waiting."""
        return self._in_hand

    def begin(
        self, client: str, work: Callable[[OnProgress], T], names: Sequence[str] = (), words: int = 0
    ) -> Task[T]:
        """Queue the work of a client's request.

        Args:
            names, words: the models at work and about how long all texts are, to tell how long it will take.

        Raises:
            Busy: too much is in hand.
        """
        with self._lock:
            if self._in_hand >= self.limits.in_hand:
                raise Busy("too many requests are in hand: try again in a moment")
            self._in_hand += 1
        task: Task[T] = Task(self.limits.seconds)
        task.turn = self._turns.take(client, task.check, self._pace.estimate(names, words))
        self._threads.submit(self._run, work, task, words)
        return task

    def close(self) -> None:
        """Take no more work, and drop what waits."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _run(self, work: Callable[[OnProgress], T], task: Task[T], words: int) -> None:
        try:
            with task.turn as turn:
                done = 0.0

                def report(progress: Progress) -> None:
                    nonlocal done
                    task.report(progress)
                    if progress.stage is Stage.DONE and progress.model:
                        self._pace.saw(progress.model, words, turn.worked - done)
                        done = turn.worked
                    turn.offer()

                task.future.set_result(work(report))
        except BaseException as error:
            task.future.set_exception(error)
        finally:
            with self._lock:
                self._in_hand -= 1
            task.tell()
            give_back()
