"""Reading and drawing in child processes: a file that crashes, hangs or swells them harms its own reading only.

Processes that have loaded the readers are kept warm (`serve`); they fork for every file. They get its bytes through a
pipe and send the Document, or the image of a page, back as JSON; nothing they send is executed here.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, get_args

from colde.errors import ReadError, ReadingStopped, Reason
from colde.ingest.page_image import MAX_PIXELS, MAX_SIDE_PIXELS, READ_AS_TEXT, Image
from colde.ingest.pdf_highlights import Highlight
from colde.ingest.reading_limits import MEBIBYTE, Limits
from colde.ingest.sandbox.protocol import ANSWER_END, OUT_OF_MEMORY_STATUS, unpack
from colde.text.document import Document

MAX_PROCESSES = 8
"""Files in hand at the same time; a session of the explorer reads one after the other."""

WARM_PROCESSES = 2
"""Processes kept warm: documents A and B at the same time."""

DRAWING = Limits(seconds=20.0, base_seconds=8.0, memory=384 * MEBIBYTE)
"""What drawing one page may cost."""

ANNOTATING = Limits(seconds=60.0, base_seconds=30.0, memory=1024 * MEBIBYTE)
"""What putting highlights on the pages of a file may cost."""

_MAX_WAIT_FACTOR = 2.0  # how many times its own time limit a file waits for a free process
_RENEW_AFTER = 200  # documents; then a fresh process
_OUT_OF_TIME_STATUS = -getattr(signal, "SIGXCPU", -1)  # exit status of a fork that used up its processor time
_OUT_OF_MEMORY_STATUSES = (
    -getattr(signal, "SIGKILL", -1),
    OUT_OF_MEMORY_STATUS,
)  # by the system, which was short of memory, or by itself
_HIGH_MEMORY_SHARE = 0.6  # of the memory allowed: who crashes with that much in use was refused more
_ANSWER_BYTES = 2**20  # what an answer may hold besides the characters, and the pixels
_ANSWER_BYTES_PER_CHARACTER = 60  # escaped text, spans, boxes
_ROOT = Path(__file__).resolve().parents[3]
_COMMAND = (sys.executable, "-P", "-m", "colde.ingest.sandbox.fork_server")


class _ForkDied(Exception):
    """The fork ended without a whole answer: its exit status (negative: a signal) and its peak of memory."""

    def __init__(self, status: int, peak: int) -> None:
        super().__init__(status, peak)
        self.status, self.peak = status, peak


class _ReadingProcess:
    """One serving process and the pipe to it."""

    def __init__(self) -> None:
        self.documents = 0
        self._process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is for this process, which ends the child
            env=_environment(),
        )

    def ask(
        self, request: dict[str, Any], data: bytes, limits: Limits, max_answer_bytes: int
    ) -> dict[str, Any]:
        """Send one file, wait for the answer; a process that takes too long or says too much is killed.

        Raises:
            ReadError: what the fork says of the file; ReadingStopped where it was stopped or crashed.
            ImportError: a library of a reader is missing.
        """
        self.documents += 1
        timed_out = threading.Event()

        def stop() -> None:
            timed_out.set()
            self._process.kill()

        timer = threading.Timer(limits.seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            answer = self._ask(
                request | {"limits": asdict(limits), "size": len(data)}, data, max_answer_bytes
            )
        except _ForkDied as exit_of_fork:
            raise _stopped(request["name"], exit_of_fork, limits) from None
        except (OSError, EOFError, ValueError) as error:
            self.close()
            if timed_out.is_set():
                raise _limit_exceeded(request["name"], f" after {limits.seconds:g} seconds") from None
            raise _crashed(request["name"]) from error
        except BaseException:  # interrupted between question and answer: the pipe is of no use any more
            self.close()
            raise
        finally:
            timer.cancel()
        if "missing" in answer:
            raise ImportError(str(answer["missing"]))
        if "error" in answer:
            raise _read_error(request["name"], answer["error"])
        return answer

    def _ask(self, header: dict[str, Any], data: bytes, max_answer_bytes: int) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(header).encode("ascii") + b"\n" + data)
        self._process.stdin.flush()
        body = bytearray()
        while size := int.from_bytes(_read_exactly(self._process.stdout, 4), "little"):
            if len(body) + size > max_answer_bytes:
                raise ValueError("the answer is larger than any may be")
            body += _read_exactly(self._process.stdout, size)
        status, peak = ANSWER_END.unpack(_read_exactly(self._process.stdout, ANSWER_END.size))
        if status != 0:
            raise _ForkDied(status, peak)
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise _ForkDied(status, 0)
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
    """At most `MAX_PROCESSES` children at work, and `WARM_PROCESSES` of them warm when there is nothing to do."""

    def __init__(self) -> None:
        self._free_places = threading.BoundedSemaphore(MAX_PROCESSES)
        self._lock = threading.Lock()
        self.idle: list[_ReadingProcess] = []
        self.owner = os.getpid()
        atexit.register(self.close)

    @contextlib.contextmanager
    def child(self, name: str, limits: Limits) -> Iterator[_ReadingProcess]:
        """A child for one file, as soon as a place is free.

        Raises:
            ReadingStopped: `busy`, where none is free for long.
        """
        if not self._free_places.acquire(timeout=_MAX_WAIT_FACTOR * limits.seconds):
            what = f"{MAX_PROCESSES} other files are being read, none of them is done"
            raise ReadingStopped(name, "busy", what, "try again in a minute")
        child = None
        try:
            child = self._take() or _ReadingProcess()
            yield child
        finally:
            if child is not None:
                self._put(child)
            self._free_places.release()

    def warm(self) -> None:
        """Start a child where none is."""
        child = self._take() or _ReadingProcess()
        self._put(child)

    def _take(self) -> _ReadingProcess | None:
        with self._lock:
            while self.idle:
                child = self.idle.pop()
                if child.usable():
                    return child
                child.close()
        return None

    def _put(self, child: _ReadingProcess) -> None:
        with self._lock:
            if len(self.idle) < WARM_PROCESSES and child.usable():
                self.idle.append(child)
                return
        child.close()

    def close(self) -> None:
        if os.getpid() != self.owner:  # a fork of this program must not end its parent's children
            return
        with self._lock:
            while self.idle:
                self.idle.pop().close()


_pool: _Pool | None = None
_pool_lock = threading.Lock()


def _shared_pool() -> _Pool:
    global _pool
    with _pool_lock:
        if _pool is None or _pool.owner != os.getpid():
            _pool = _Pool()
        return _pool


def parse_in_sandbox(data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    """As `worker.parse`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: also ReadingStopped: `too_large` where time or memory run out, `corrupt` where the parser crashes,
            `busy` where too many files are being read.
    """
    request = {"task": "read", "name": name, "password": password}
    max_answer_bytes = _ANSWER_BYTES + _ANSWER_BYTES_PER_CHARACTER * limits.characters
    try:
        return unpack(_ask_process(request, data, limits, max_answer_bytes)["document"])
    except (ValueError, KeyError, TypeError) as error:
        raise _crashed(name) from error


def draw_in_sandbox(
    data: bytes, name: str, page: int, password: str | None, width: int, limits: Limits = DRAWING
) -> Image:
    """As `drawing.draw`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: as `drawing.draw`; also ReadingStopped: `too_large`, `corrupt`, `busy`.
    """
    request = {"task": "draw", "name": name, "password": password, "page": page, "width": width}
    try:
        return _image(_ask_process(request, data, limits, _ANSWER_BYTES + 4 * MAX_PIXELS))
    except ReadingStopped as stop:
        if stop.reason == "busy":
            raise
        reason, why = (
            stop.reason,
            "takes too much time or memory" if stop.reason == "too_large" else "crashes the program",
        )
    except (ValueError, KeyError, TypeError):
        reason, why = "corrupt", "crashes the program"
    raise ReadingStopped(name, reason, f"page {page} {why} to draw", READ_AS_TEXT)


def annotate_in_sandbox(
    data: bytes,
    name: str,
    notes: Sequence[Highlight],
    password: str | None = None,
    limits: Limits = ANNOTATING,
) -> bytes:
    """As `annotate.annotate`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: as `annotate.annotate`; also ReadingStopped: `too_large`, `corrupt`, `busy`.
    """
    packed = [[[list(box) for box in note.boxes], list(note.colour), note.text] for note in notes]
    request = {"task": "annotate", "name": name, "password": password, "notes": packed}
    max_answer_bytes = _ANSWER_BYTES + 4 * len(data) + 4_000 * len(notes)
    try:
        return base64.b64decode(_ask_process(request, data, limits, max_answer_bytes)["pdf"], validate=True)
    except (ValueError, KeyError, TypeError) as error:
        raise _crashed(name) from error


def _ask_process(
    request: dict[str, Any], data: bytes, limits: Limits, max_answer_bytes: int
) -> dict[str, Any]:
    display_name = request["name"] or "the text"
    with _shared_pool().child(display_name, limits) as child:
        return child.ask(request, data, limits, max_answer_bytes)


def _image(answer: dict[str, Any]) -> Image:
    """The image of an answer, if it is one of a size that was asked for."""
    data, width, height = base64.b64decode(answer["image"], validate=True), answer["width"], answer["height"]
    sizes = (
        type(width) is int
        and type(height) is int
        and 0 < width <= MAX_SIDE_PIXELS + 1
        and 0 < height <= MAX_SIDE_PIXELS + 1
    )
    if not sizes or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise ValueError("not an image of a page")
    return Image(data, width, height)


def _read_error(name: str, values: Any) -> ReadError:
    """What the fork says of the file, if it is something that can be said."""
    texts = isinstance(values, list) and len(values) == 4 and all(isinstance(part, str) for part in values)
    if not texts or values[1] not in get_args(Reason):
        return _crashed(name)
    return ReadError(*values)


def _stopped(name: str, exit_of_fork: _ForkDied, limits: Limits) -> ReadingStopped:
    """What the end of a fork means for the reader of the file."""
    if exit_of_fork.status == _OUT_OF_TIME_STATUS:
        return _limit_exceeded(name, ": it took much too long")
    if (
        exit_of_fork.status in _OUT_OF_MEMORY_STATUSES
        or exit_of_fork.peak > _HIGH_MEMORY_SHARE * limits.memory
    ):
        return _limit_exceeded(name, ": it took more memory than allowed")
    return _crashed(name)


def _limit_exceeded(name: str, why: str) -> ReadingStopped:
    advice = "split the file, or raise the limit"
    return ReadingStopped(name or "the text", "too_large", f"reading it was stopped{why}", advice)


def _crashed(name: str) -> ReadingStopped:
    advice = "save it again, or in another format"
    return ReadingStopped(name or "the text", "corrupt", "the reader crashed on this file", advice)


def warm_up() -> None:
    """Start a child before the first file comes; returns at once."""
    _shared_pool().warm()


def _read_exactly(pipe: IO[bytes], size: int) -> bytes:
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
