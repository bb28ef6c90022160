"""Jobs in the background that can be watched and cancelled. This module does not call Streamlit."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from colde.comparison.fair_queue import QueuePlace
from colde.encoders.memory import release_memory
from colde.errors import Cancelled, ColdeError
from colde.results.progress import OnProgress, Progress
from colde_explorer_app.page_parts.page_texts import without_command

logger = logging.getLogger(__name__)

T = TypeVar("T")
State = Literal["waiting", "running", "done", "cancelled", "failed"]
Work = Callable[[OnProgress], Generator[T, None, None]]
"""Yields the result so far, for example a growing Comparison. It calls its argument often, which raises Cancelled when
the work is to stop."""


@dataclass(frozen=True, slots=True)
class StepStart:
    """The beginning of a step: its progress then, and the time in seconds of a monotonic clock."""

    progress: Progress
    seconds: float


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[T]):
    """A job at one moment.

    Attributes:
        result: the result so far; None before the first.
        progress: the current step, while running.
        error: one line for the reader, when failed.
        step: when the current step began.
    """

    state: State
    result: T | None
    progress: Progress | None
    error: str | None
    step: StepStart | None = None

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    @property
    def stopped(self) -> Literal["cancelled", "failed"] | None:
        """How it ended, if it did not finish."""
        return self.state if self.state in ("cancelled", "failed") else None


class Job(Generic[T]):
    """Work in a thread of an executor. Any thread may look at it or cancel it.

    Args:
        work: what it does.
        place: returns its place in the queue of all jobs.
    """

    def __init__(self, work: Work[T], place: Callable[[], QueuePlace] | None = None) -> None:
        self._work = work
        self._place = place
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._snapshot: Snapshot[T] = Snapshot("waiting", None, None, None)

    def start(self, executor: Executor) -> Job[T]:
        """Queue the work; returns the job."""
        executor.submit(self._run)
        return self

    def cancel(self) -> None:
        """Ask the work to stop; the result so far stays."""
        self._cancelled.set()
        with self._lock:
            if self._snapshot.state == "waiting":
                self._change(state="cancelled")

    def snapshot(self) -> Snapshot[T]:
        """The job at this moment."""
        with self._lock:
            return self._snapshot

    def place(self) -> QueuePlace | None:
        """Its place in the queue; None if it waits for no other job, or has ended."""
        return self._place() if self._place is not None and self.snapshot().active else None

    def _change(self, **values: object) -> None:
        """Replace parts of the snapshot; the lock is held."""
        self._snapshot = replace(self._snapshot, **values)  # type: ignore[arg-type]

    def _set(self, **values: object) -> None:
        with self._lock:
            self._change(**values)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled after `cancel` was called."""
        if self._cancelled.is_set():
            raise Cancelled("stopped by the reader")

    def _on_progress(self, progress: Progress) -> None:
        self.stop_if_cancelled()
        step = self._snapshot.step
        if step is None or _step_of(step.progress) != _step_of(progress):
            step = StepStart(progress, time.monotonic())
        self._set(state="running", progress=progress, step=step)

    def _run(self) -> None:
        """Do the work. The job counts as waiting until the first progress, since the work may wait for its turn."""
        if self._cancelled.is_set():
            return
        try:
            with closing(self._work(self._on_progress)) as steps:  # closed here, so that its turn ends here
                for known in steps:
                    self.stop_if_cancelled()
                    self._set(state="running", result=known)
            self._set(state="done", progress=None)
        except Cancelled:
            self._set(state="cancelled", progress=None)
        except ColdeError as error:
            self._set(state="failed", progress=None, error=without_command(error.sentence))
        except Exception as error:  # a bug must end as a sentence on the page, not as a job that never ends
            logger.exception("a comparison failed")
            self._set(state="failed", progress=None, error=f"{type(error).__name__}: {error}")
        except BaseException as error:  # ends the thread; the page is told all the same
            self._set(state="failed", progress=None, error=f"the work was stopped ({type(error).__name__})")
            raise
        finally:
            release_memory()


def _step_of(progress: Progress) -> tuple[object, ...]:
    return progress.stage, progress.model, progress.total
