"""The queue of requests, a thread for each: fair turns between clients, progress, cancelling, a time limit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from colde import models
from colde.comparison.fair_queue import FairQueue, QueuePlace, TimeEstimator, Turn
from colde.encoders.memory import release_memory
from colde.errors import Cancelled, ColdeError
from colde.models.base import Matcher
from colde.results.progress import Progress
from colde.serve.jobs import Job, LoadModels
from colde.serve.rate_limits import ServeLimits
from colde.serve.worker_processes import InProcessRunner, ProcessRunner, Runner, WorkerBug


class QueueFull(ColdeError):
    """The service has as many requests as it takes."""


class TimedOut(ColdeError):
    """The work of a request took longer than it may."""


class RequestTask:
    """The work of one request.

    Attributes:
        future: its JSON, or what went wrong.
        progress: the last step it told of; None before the first.
        changed: set at each step and at the end; belongs to the loop that waits.
        turn: its turn, which knows its place among all that are in hand.
    """

    turn: Turn

    def __init__(self, seconds: float) -> None:
        self.future: Future[str] = Future()
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
        """Raise Cancelled or TimedOut if the work must stop."""
        if self._cancelled.is_set():
            raise Cancelled("the client has gone")
        if time.monotonic() > self._ends:
            raise TimedOut(f"the work took longer than {self._seconds:.0f} seconds, which is the limit here")

    def report(self, progress: Progress) -> None:
        """Called by the work."""
        self.check()
        self.progress = progress
        self.notify()

    def notify(self) -> None:
        """Wake up the waiting coroutine."""
        self._loop.call_soon_threadsafe(self.changed.set)


class WorkerSlot:
    """Runs one job at a time; `active_requests` are at work or waiting."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.turns = FairQueue()
        self.active_requests = 0


class JobQueue:
    """Runs the work of all requests; in each slot one works at a time, the client that has had least goes first.

    Args:
        load: loads a model by its name.
        workers: processes that do the work; with 0 this process does it, one job at a time.
    """

    def __init__(
        self, limits: ServeLimits, load: Callable[[str], Matcher] = models.load, workers: int = 0
    ) -> None:
        self.limits = limits
        runners: list[Runner] = [ProcessRunner(load, workers, limits.seconds) for _ in range(workers)]
        self.places = [WorkerSlot(runner) for runner in runners or [InProcessRunner(load)]]
        self._pace = TimeEstimator()
        self._threads = ThreadPoolExecutor(limits.active_requests, thread_name_prefix="request")
        self._lock = threading.Lock()

    @property
    def active_requests(self) -> int:
        """Requests at work or waiting."""
        return sum(place.active_requests for place in self.places)

    @property
    def restarts(self) -> int:
        """How often a process was started anew."""
        return sum(p.runner.restarts for p in self.places if isinstance(p.runner, ProcessRunner))

    def warm(self, names: Sequence[str]) -> None:
        """Load models in every slot."""
        for place in self.places:
            place.runner.run(LoadModels(names), lambda progress: None)

    def submit(self, client: str, job: Job, names: Sequence[str] = (), words: int = 0) -> RequestTask:
        """Queue the work of a client's request, in the slot with the fewest requests.

        Args:
            names, words: models, and about how long all texts are, to estimate the time.

        Raises:
            QueueFull: there are too many requests.
        """
        with self._lock:
            if self.active_requests >= self.limits.active_requests:
                raise QueueFull("too many requests are being processed: try again in a moment")
            place = min(self.places, key=lambda place: place.active_requests)
            place.active_requests += 1
        task = RequestTask(self.limits.seconds)
        task.turn = place.turns.take(client, task.check, self._pace.estimate(names, words))
        self._threads.submit(self._run, job, task, words, place)
        return task

    def close(self) -> None:
        """Take no more work, and drop what waits."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for place in self.places:
            place.runner.close()

    def _run(self, job: Job, task: RequestTask, words: int, place: WorkerSlot) -> None:
        try:
            with task.turn as turn:
                report = turn.reporter(task.report, self._pace, words)
                task.future.set_result(place.runner.run(job, report))
        except Exception as error:
            task.future.set_exception(error)
        except BaseException as error:  # would end who waits for the answer, too
            task.future.set_exception(WorkerBug(type(error).__name__))
        finally:
            with self._lock:
                place.active_requests -= 1
            task.notify()
            release_memory()
