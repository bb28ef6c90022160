"""Comparisons in the background: jobs that can be watched and cancelled. No Streamlit call in here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Literal

from colde.comparison.fair_queue import QueuePlace
from colde.encoders.memory import release_memory
from colde.errors import Cancelled, ColdeError
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress

logger = logging.getLogger(__name__)

State = Literal["waiting", "running", "done", "cancelled", "failed"]
Work = Callable[[OnProgress], Generator[Any, None, None]]
"""Yields what is known so far, a growing Comparison for example; calls its argument often, which raises Cancelled when
the work shall stop."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job at one moment.

    Attributes:
        comparison: what is known so far, with maps that still fill in; None before the first model answers.
        progress: the step in hand while running.
        error: one line for the reader, when failed.
        version: grows with every change; equal versions mean equal snapshots.
    """

    state: State
    comparison: Comparison | None
    progress: Progress | None
    error: str | None
    version: int

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    @property
    def stopped(self) -> Literal["cancelled", "failed"] | None:
        """How it ended, where it ended before all was done."""
        return self.state if self.state in ("cancelled", "failed") else None


class Job:
    """One comparison. Runs in an executor's thread; any thread may look at it or cancel it.

    Args:
        work: what it does.
        place: tells where it stands among all that are in hand.
    """

    def __init__(self, work: Work, place: Callable[[], QueuePlace] | None = None) -> None:
        self._work = work
        self._place = place
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._snapshot = Snapshot("waiting", None, None, None, 0)

    def start(self, executor: Executor) -> Job:
        """Queue the work; returns the job itself."""
        executor.submit(self._run)
        return self

    def cancel(self) -> None:
        """Ask to stop; what is known so far stays."""
        self._cancelled.set()
        with self._lock:
            if self._snapshot.state == "waiting":
                self._change(state="cancelled")

    def snapshot(self) -> Snapshot:
        """The job as it stands."""
        with self._lock:
            return self._snapshot

    def place(self) -> QueuePlace | None:
        """Where it stands among all that are in hand; None where it does not wait for others, or has ended."""
        return self._place() if self._place is not None and self.snapshot().active else None

    def _change(self, **values: object) -> None:
        """Replace parts of the snapshot; the lock is held."""
        self._snapshot = replace(self._snapshot, version=self._snapshot.version + 1, **values)  # type: ignore[arg-type]

    def _set(self, **values: object) -> None:
        with self._lock:
            self._change(**values)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled once somebody has asked to stop."""
        if self._cancelled.is_set():
            raise Cancelled("stopped by the reader")

    def _on_progress(self, progress: Progress) -> None:
        self.stop_if_cancelled()
        self._set(state="running", progress=progress)

    def _run(self) -> None:
        """Do the work; it counts as waiting until it says something, since it may have to wait for its turn."""
        if self._cancelled.is_set():
            return
        try:
            with closing(self._work(self._on_progress)) as steps:  # closed here, so that its turn ends here
                for known in steps:
                    self.stop_if_cancelled()
                    self._set(state="running", comparison=known)
            self._set(state="done", progress=None)
        except Cancelled:
            self._set(state="cancelled", progress=None)
        except ColdeError as error:
            self._set(state="failed", progress=None, error=str(error))
        except Exception as error:  # a bug must end as a sentence on the page, not as a job that never ends
            logger.exception("a comparison failed")
            self._set(state="failed", progress=None, error=f"{type(error).__name__}: {error}")
        except BaseException as error:  # what ends a thread ends this one; the page is told all the same
            self._set(state="failed", progress=None, error=f"the work was ended ({type(error).__name__})")
            raise
        finally:
            release_memory()
