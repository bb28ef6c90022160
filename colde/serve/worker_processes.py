"""Processes that do the work of requests: one that crashes ends the request it works on, and no other.

A process has its models once and a thread for each job. After each report of progress a job waits until the service
tells it to go on: the service decides who works next (`colde.comparison.fair_queue`), hears cancelling and counts time.
Messages between the two are pickled; files are parsed by neither, but in the process of `colde.ingest.sandbox`.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import multiprocessing
import os
import queue
import signal
import threading
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any, Protocol

from colde.comparison.model_run import Loader
from colde.encoders.cores import share_cores
from colde.encoders.memory import release_memory, use_one_heap
from colde.errors import Cancelled, ColdeError
from colde.meta_kernels import defer_meta_kernels
from colde.results.progress import OnProgress, Progress
from colde.serve.jobs import Job

logger = logging.getLogger("colde.serve")

_WORKER_DIED_MESSAGE = (
    "the process that worked on this request ended (killed, or out of memory): send it again"
)


class WorkerDied(ColdeError):
    """The process that worked on a request ended before it had answered."""


class WorkerBug(Exception):
    """A bug in the work of a request: the kind of exception, without its message, which may hold a document's text."""


class Runner(Protocol):
    """Does jobs, each called from a thread of its own."""

    def run(self, job: Job, report: OnProgress) -> str:
        """Do a job; `report` may wait, and raises what shall stop it."""
        ...

    def close(self) -> None: ...


class InProcessRunner:
    """Jobs are done in this process."""

    def __init__(self, loader: Loader) -> None:
        self.load = lru_cache(maxsize=32)(loader)

    def run(self, job: Job, report: OnProgress) -> str:
        return job(report, self.load)

    def close(self) -> None:
        pass


class ProcessRunner:
    """Runs jobs in a process, which is started when it is needed, and again if it has ended.

    Args:
        loader: loads a model by its name; a function of a module, since the process imports it.
        shares: how many such processes share the processor's cores.
        seconds: without progress of a job, after which the process is ended.

    Attributes:
        restarts: how often the process was started again.
    """

    def __init__(self, loader: Loader, shares: int, seconds: float) -> None:
        self._loader, self._shares, self._seconds = loader, shares, seconds
        self._lock = threading.Lock()
        self._process: _WorkerProcess | None = None
        self.restarts = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Of the process, if it runs."""
        process = self._process
        return None if process is None or process.ended else process.pid

    def run(self, job: Job, report: OnProgress) -> str:
        """As `Runner.run`; raises `WorkerDied` if the process ends during this job.

        A job that only waited when the process ended begins again in the next one.
        """
        while True:
            process = self._running()
            with contextlib.suppress(_DiedWhileWaiting):
                return process.run(job, report, self._seconds)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.end()

    def _running(self) -> _WorkerProcess:
        with self._lock:
            if self._closed:
                raise Cancelled("the service is ending")
            if self._process is None or self._process.ended:
                if self._process is not None:
                    self.restarts += 1
                    logger.warning("a worker process ended; another one takes its place")
                self._process = _WorkerProcess(self._loader, self._shares)
            return self._process


class _DiedWhileWaiting(Exception):
    """The process ended while it was another job's turn."""


class _WorkerProcess:
    """One process and the pipe to it. Messages are (number of the job, kind, value)."""

    def __init__(self, loader: Loader, shares: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, loader, shares), daemon=True)
        self._process.start()
        theirs.close()
        self.pid = self._process.pid
        self.ended = False
        self._numbers = itertools.count()
        self._sending, self._lock = threading.Lock(), threading.Lock()
        self._answers: dict[int, queue.SimpleQueue[tuple[str, Any]]] = {}
        threading.Thread(target=self._listen, name="worker answers", daemon=True).start()

    def run(self, job: Job, report: OnProgress, seconds: float) -> str:
        answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        number = next(self._numbers)
        with self._lock:
            self._answers[number] = answers
        stopped: BaseException | None = None
        try:
            if not self._send(number, "do", job):
                raise _DiedWhileWaiting
            while True:
                try:
                    kind, value = answers.get(timeout=seconds)
                except queue.Empty:
                    self.end()
                    raise WorkerDied(
                        f"the work did not respond for {seconds:.0f} seconds and was stopped"
                    ) from None
                match kind:
                    case "progress":
                        try:
                            if stopped is None:
                                report(value)
                        except BaseException as error:
                            stopped = error
                        sent = self._send(number, "go on" if stopped is None else "stop", None)
                        if not sent and stopped is None:
                            raise _DiedWhileWaiting
                    case "ended":
                        raise stopped or WorkerDied(_WORKER_DIED_MESSAGE)
                    case _ if stopped is not None:
                        raise stopped
                    case "failed":
                        raise value
                    case _:
                        return str(value)
        finally:
            with self._lock:
                del self._answers[number]

    def end(self) -> None:
        """Kill the process; whatever it works on ends with it."""
        self.ended = True
        self._process.kill()
        self._process.join(10)

    def _send(self, number: int, kind: str, value: Any) -> bool:
        try:
            with self._sending:
                if not self.ended:
                    self._pipe.send((number, kind, value))
                return not self.ended
        except OSError:
            return False

    def _listen(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                number, kind, value = self._pipe.recv()
                with self._lock:
                    answers = self._answers.get(number)
                if answers is not None:
                    answers.put((kind, value))
        self.ended = True
        with self._lock:
            for answers in self._answers.values():
                answers.put(("ended", None))
        self._process.join(10)


def _serve(pipe: Connection, loader: Loader, shares: int) -> None:
    """The process: do what is asked for until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends this
    use_one_heap()
    defer_meta_kernels()
    share_cores(shares)
    load = lru_cache(maxsize=32)(loader)
    sending = threading.Lock()
    instructions: dict[int, queue.SimpleQueue[str]] = {}

    def send(number: int, kind: str, value: Any) -> None:
        with sending:
            pipe.send((number, kind, value))

    def work(number: int, job: Job) -> None:
        def report(progress: Progress) -> None:
            send(number, "progress", Progress(progress.stage, progress.done, progress.total, progress.model))
            if instructions[number].get() != "go on":
                raise Cancelled("the service stopped it")

        try:
            answer: tuple[str, Any] = "done", job(report, load)
        except ColdeError as error:
            answer = "failed", error
        except BaseException as error:
            logger.error("a request failed: %s", type(error).__name__, exc_info=error)
            answer = "failed", WorkerBug(type(error).__name__)
        del instructions[number]
        release_memory()
        send(number, *answer)

    try:
        while True:
            number, kind, value = pipe.recv()
            if kind == "do":
                instructions[number] = queue.SimpleQueue()
                threading.Thread(target=work, args=(number, value), daemon=True).start()
            elif number in instructions:
                instructions[number].put(kind)
    except (EOFError, OSError):
        os._exit(0)
