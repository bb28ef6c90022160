"""Warm reading processes: at most eight at work, two of them kept when there is nothing to do."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from colde import strict_json
from colde.errors import ReadError, ReadingStopped
from colde.ingest.reading_limits import Limits
from colde.ingest.sandbox.protocol import ANSWER_END, OUT_OF_MEMORY_STATUS, Answer
from colde.strict_json import JsonError

MAX_PROCESSES = 8
"""Files read at the same time; a session of the explorer reads one after the other."""

WARM_PROCESSES = 2
"""Processes kept warm: documents A and B at the same time."""

COMMAND = (sys.executable, "-P", "-m", "colde.ingest.sandbox.fork_server")
"""The program of a reading process."""

_MAX_WAIT_FACTOR = 2.0  # how many times its own time limit a file waits for a free process
_RENEW_AFTER = 200  # documents; then a fresh process
_OUT_OF_TIME_STATUS = -getattr(signal, "SIGXCPU", -1)  # exit status of a fork that used up its processor time
_OUT_OF_MEMORY_STATUSES = (
    -getattr(signal, "SIGKILL", -1),  # by the system, which was short of memory
    OUT_OF_MEMORY_STATUS,  # by the fork itself
)
_HIGH_MEMORY_SHARE = 0.6  # of the allowed memory; a fork that crashes above it was probably refused more
_ROOT = Path(__file__).resolve().parents[3]
_KEPT_VARIABLES = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV",
)  # fmt: skip


class _ForkDied(Exception):
    """The fork ended without a complete answer: its exit status (negative: a signal) and its peak of memory."""

    def __init__(self, status: int, peak: int) -> None:
        super().__init__(status, peak)
        self.status, self.peak = status, peak


class Reader:
    """A reading process and the pipe to it."""

    def __init__(self) -> None:
        self.documents = 0
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is for the parent, which ends the child
            env=environment(),
            cwd=_ROOT,  # the current folder may have been removed
        )

    def ask(self, request: dict[str, Any], data: bytes, limits: Limits, max_answer_bytes: int) -> Answer:
        """Send one file and wait for the answer; a process that exceeds time or size of the answer is killed.

        Raises:
            ReadError: what the fork reports of the file; ReadingStopped where it was stopped or crashed.
            ImportError: a library of a format is missing.
        """
        self.documents += 1
        name = request["name"]
        timed_out = threading.Event()

        def stop() -> None:
            timed_out.set()
            self.process.kill()

        timer = threading.Timer(limits.seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            header = request | {"limits": asdict(limits), "size": len(data)}
            answer = self.exchange(header, data, max_answer_bytes)
        except _ForkDied as exit_of_fork:
            raise _stopped(name, exit_of_fork, limits) from None
        except (OSError, EOFError, ValueError) as error:
            self.close()
            if timed_out.is_set():
                raise _limit_exceeded(name, f" after {limits.seconds:g} seconds") from None
            raise crashed(name) from error
        except BaseException:  # interrupted between question and answer: the pipe cannot be used again
            self.close()
            raise
        finally:
            timer.cancel()
        if answer.missing is not None:
            raise ImportError(answer.missing)
        if answer.error is not None:
            raise ReadError(*answer.error)
        return answer

    def exchange(self, header: dict[str, Any], data: bytes, max_answer_bytes: int) -> Answer:
        """Write a request to the process and read its answer, without any limit of time.

        Raises:
            _ForkDied: the fork ended early, or its answer is no `Answer`.
            OSError, EOFError, ValueError: the process ended, or its answer is too large.
        """
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(header).encode("ascii") + b"\n" + data)
        self.process.stdin.flush()
        body = bytearray()
        while size := int.from_bytes(_read_exactly(self.process.stdout, 4), "little"):
            if len(body) + size > max_answer_bytes:
                raise ValueError("the answer is larger than any may be")
            body += _read_exactly(self.process.stdout, size)
        status, peak = ANSWER_END.unpack(_read_exactly(self.process.stdout, ANSWER_END.size))
        if status != 0:
            raise _ForkDied(status, peak)
        try:
            answer: Answer = strict_json.decode(body, Answer)
        except JsonError:
            raise _ForkDied(status, 0) from None
        return answer

    def usable(self) -> bool:
        """Whether the process runs and has not read so many documents that it is to be replaced."""
        return self.process.poll() is None and self.documents < _RENEW_AFTER

    def close(self) -> None:
        """End the process and wait for it, so that no zombie stays."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.process.wait()


class ReaderPool:
    """At most `MAX_PROCESSES` readers at work, and `WARM_PROCESSES` of them warm when there is nothing to do."""

    def __init__(self) -> None:
        self.free_places = threading.BoundedSemaphore(MAX_PROCESSES)
        self._lock = threading.Lock()
        self.idle: list[Reader] = []
        self.owner = os.getpid()
        atexit.register(self.close)

    @contextlib.contextmanager
    def reader(self, name: str, limits: Limits) -> Iterator[Reader]:
        """A reader for one file, as soon as a place is free.

        Raises:
            ReadingStopped: `busy`, where none is free for long.
        """
        if not self.free_places.acquire(timeout=_MAX_WAIT_FACTOR * limits.seconds):
            what = f"{MAX_PROCESSES} other files are being read at the moment"
            raise ReadingStopped(name, "busy", what, "try again in a minute")
        reader = None
        try:
            reader = self._take()
            yield reader
        finally:
            if reader is not None:
                self._put(reader)
            self.free_places.release()

    def warm(self, count: int) -> None:
        """Start readers until so many are idle, at most `WARM_PROCESSES`."""
        for reader in [self._take() for _ in range(count)]:
            self._put(reader)

    def _take(self) -> Reader:
        with self._lock:
            while self.idle:
                reader = self.idle.pop()
                if reader.usable():
                    return reader
                reader.close()
        return Reader()

    def _put(self, reader: Reader) -> None:
        with self._lock:
            if len(self.idle) < WARM_PROCESSES and reader.usable():
                self.idle.append(reader)
                return
        reader.close()

    def close(self) -> None:
        """End the idle readers."""
        if os.getpid() != self.owner:  # a fork of this program must not end its parent's children
            return
        with self._lock:
            while self.idle:
                self.idle.pop().close()


_pool: ReaderPool | None = None
_pool_lock = threading.Lock()


def shared_pool() -> ReaderPool:
    """The pool of this process; a fork of the program gets its own."""
    global _pool
    with _pool_lock:
        if _pool is None or _pool.owner != os.getpid():
            _pool = ReaderPool()
        return _pool


def _stopped(name: str, exit_of_fork: _ForkDied, limits: Limits) -> ReadingStopped:
    if exit_of_fork.status == _OUT_OF_TIME_STATUS:
        return _limit_exceeded(name, ": it took much too long")
    high = exit_of_fork.peak > _HIGH_MEMORY_SHARE * limits.memory
    if exit_of_fork.status in _OUT_OF_MEMORY_STATUSES or high:
        return _limit_exceeded(name, ": it took more memory than allowed")
    return crashed(name)


def _limit_exceeded(name: str, why: str) -> ReadingStopped:
    advice = "split the file, or raise the limit"
    return ReadingStopped(name or "the text", "too_large", f"reading it was stopped{why}", advice)


def crashed(name: str) -> ReadingStopped:
    """The error for a reader that crashed, or whose answer makes no sense."""
    advice = "save it again, or in another format"
    return ReadingStopped(name or "the text", "corrupt", "the reader crashed on this file", advice)


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise EOFError("the reading process ended")
    return data


def environment() -> dict[str, str]:
    """The environment of a reading process: no secrets of this process, one thread for numeric libraries."""
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ} | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONIOENCODING": "utf-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
