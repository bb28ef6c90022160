"""Parsing in child processes: a file that crashes, hangs or swells a parser harms its own reading only.

A few children are kept warm, so that a normal file costs little more than its parsing. They get the bytes
of the file through a pipe and send the Document back as JSON; nothing they send is executed here.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from colde.document import Document
from colde.errors import ReadError
from colde.ingest.limits import Limits
from colde.ingest.wire import unpack

PROCESSES = 2  # documents A and B at the same time
_RENEW_AFTER = 200  # documents; then a fresh child, so that nothing a parser leaks lasts
_OUT_OF_TIME = -getattr(signal, "SIGXCPU", -1)  # exit status of a child that used up its processor time
_ANSWER_BYTES = 2**20  # what an answer may hold besides the characters
_ANSWER_BYTES_A_CHARACTER = 60  # escaped text, spans, boxes
_ROOT = Path(__file__).resolve().parent.parent.parent


class _Child:
    """One reading process and the pipe to it."""

    def __init__(self) -> None:
        self.documents = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "colde.ingest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is for this process, which ends the child
            env=_environment(),
        )

    def parse(self, data: bytes, name: str, password: str | None, limits: Limits) -> Document:
        """Send one file, wait for its Document; a process that takes too long or says too much is killed."""
        self.documents += 1
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        watch = threading.Timer(limits.seconds, stop)
        watch.daemon = True
        watch.start()
        try:
            answer = self._ask(data, name, password, limits)
            if "document" in answer:
                return unpack(answer["document"])
            if "missing" in answer:
                raise ImportError(str(answer["missing"]))
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            self.close()
            called = name or "the text"
            if late.is_set() or self._process.returncode == _OUT_OF_TIME:
                after = f" after {limits.seconds:g} seconds" if late.is_set() else ": it took much too long"
                raise ReadError(
                    called,
                    "too_large",
                    f"reading it was stopped{after}",
                    "split the file, or raise the limit",
                ) from None
            raise ReadError(
                called, "corrupt", "the reader crashed on this file", "save it again, or in another format"
            ) from error
        except BaseException:  # interrupted between question and answer: the pipe is of no use any more
            self.close()
            raise
        finally:
            watch.cancel()
        problem = ReadError(*answer["error"])
        if problem.reason == "too_large":
            self.close()  # it may have come near its memory limit
        raise problem

    def _ask(self, data: bytes, name: str, password: str | None, limits: Limits) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        header = {"name": name, "password": password, "limits": asdict(limits), "size": len(data)}
        self._process.stdin.write(json.dumps(header).encode("ascii") + b"\n" + data)
        self._process.stdin.flush()
        size = int.from_bytes(_exactly(self._process.stdout, 8), "big")
        if size > _ANSWER_BYTES + _ANSWER_BYTES_A_CHARACTER * limits.characters:
            raise ValueError("the answer is larger than any document may be")
        answer = json.loads(_exactly(self._process.stdout, size))
        if not isinstance(answer, dict):
            raise ValueError("not an answer")
        return answer

    def usable(self) -> bool:
        return self._process.poll() is None and self.documents < _RENEW_AFTER

    def close(self) -> None:
        """End the process and take its last status, so that none is left behind."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()


class _Pool:
    """At most `PROCESSES` children; a thread waits for a free place."""

    def __init__(self) -> None:
        self._places: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        for _ in range(PROCESSES):
            self._places.put(None)
        self.owner = os.getpid()
        atexit.register(self.close)

    def parse(self, data: bytes, name: str, password: str | None, limits: Limits) -> Document:
        child = self._places.get()
        try:
            if child is None or not child.usable():
                if child is not None:
                    child.close()
                child = None
                child = _Child()
            return child.parse(data, name, password, limits)
        finally:
            self._places.put(child)

    def warm(self) -> None:
        child = self._places.get()
        try:
            child = child or _Child()
        finally:
            self._places.put(child)

    def close(self) -> None:
        if os.getpid() != self.owner:  # a fork of this program must not end its parent's children
            return
        while True:
            try:
                child = self._places.get_nowait()
            except queue.Empty:
                return
            if child is not None:
                child.close()


_pool: _Pool | None = None
_pool_lock = threading.Lock()


def _shared() -> _Pool:
    global _pool
    with _pool_lock:
        if _pool is None or _pool.owner != os.getpid():
            _pool = _Pool()
        return _pool


def parse_apart(data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    """As `worker.parse`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: also `too_large` where time or memory run out, `corrupt` where the parser crashes.
    """
    return _shared().parse(data, name, password, limits)


def warm_up() -> None:
    """Start a child before the first file comes; returns at once."""
    _shared().warm()


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) != size:
        raise EOFError("the reading process ended")
    return data


def _environment() -> dict[str, str]:
    """Only what Python needs: no secrets of this process, one thread for numeric libraries."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    environment = {key: os.environ[key] for key in kept if key in os.environ}
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return environment | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONIOENCODING": "utf-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
