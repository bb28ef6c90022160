"""The program of a reading process: it loads the libraries once, then forks for every file.

The fork gives up its rights (`confine`), does its task with this one file, answers, and ends. Whatever a file does to
the fork ends with it. The process that forks never looks into a file, so no file can reach the next one.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import select
import signal
import sys
from importlib import import_module
from typing import IO, Any

from colde.errors import ReadError
from colde.ingest import parsing
from colde.ingest.formats import format_of_name
from colde.ingest.pdf import page_image
from colde.ingest.pdf.pdf_highlights import Highlight, annotate
from colde.ingest.reading_limits import Limits
from colde.ingest.sandbox.confinement import confine, limit_time
from colde.ingest.sandbox.protocol import ANSWER_END, OUT_OF_MEMORY_STATUS, from_lists, pack
from colde.ingest.shared.language_detection import load_identifier
from colde.text.sentences.sentence_splitter import load_sentence_rules

_PIECE_BYTES = 2**16
_OWN_TEXT = (
    "Lamps\n\nA keeper trims the wick – and writes a log [1]. The ferry to Malmö passes at dusk, café and all. "
    "灯台は港の入口に立つ。\n\n- She pays 4.70 for x² lamps, e.g. in May.\n\nReferences\n\n[1] A. Smith, Lamps, 2001."
)


def main() -> None:
    """Serve requests from standard input until it ends.

    A request is a line of JSON and the bytes of the file; the answer is JSON in pieces, each behind its length, an
    empty piece, and `ANSWER_END`.
    """
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    load()
    while header := sys.stdin.buffer.readline():
        request = json.loads(header)
        data = sys.stdin.buffer.read(request["size"])
        load_libraries(request["name"])
        end = (
            _answer_in_fork(request, data, answers)
            if hasattr(os, "fork")
            else _answer_in_process(request, data, answers)
        )
        answers.write(bytes(4) + ANSWER_END.pack(*end))
        answers.flush()


def load() -> None:
    """Make what reading any file needs, patterns and tables at their first use too: once, and not in every fork."""
    load_sentence_rules()
    load_identifier()
    parsing.parse(_OWN_TEXT.encode(), "text.txt", None, Limits())


def load_libraries(name: str) -> None:
    """Import what reads a file of this name: once, and not in every fork."""
    format = format_of_name(name)
    for library in format.libraries if format else ():
        import_module(library)


def _answer_in_fork(request: dict[str, Any], data: bytes, answers: IO[bytes]) -> tuple[int, int]:
    """Answer from a fork; returns its exit status and its peak of memory in bytes."""
    read_end, write_end = os.pipe()
    gc.freeze()  # what is there now is shared with the fork, as long as nobody writes to it
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _run_in_fork(request, data, write_end, parent)
    os.close(write_end)
    with os.fdopen(read_end, "rb", buffering=0) as pieces:
        poller = select.poll()
        poller.register(pieces, select.POLLIN)
        poller.register(0, 0)  # tells of nothing but the end of the program that asks
        while True:
            if any(end == 0 for end, _ in poller.poll()):
                os.kill(child, signal.SIGKILL)
                os._exit(1)
            piece = pieces.read(_PIECE_BYTES)
            if not piece:
                break
            answers.write(len(piece).to_bytes(4, "little") + piece)
            answers.flush()
    _, status, usage = os.wait4(child, 0)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * kilobyte


def _run_in_fork(request: dict[str, Any], data: bytes, write_end: int, parent: int) -> None:
    """Answer to `write_end` and end; nothing else is open, and no way leads back."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.closerange(3, write_end)
        os.closerange(write_end + 1, 4096)
        limits = Limits(**request["limits"])
        confine(limits.memory, limits.seconds, parent)
        unsent = memoryview(answer(request, data, limits))
        while unsent:
            unsent = unsent[os.write(write_end, unsent) :]
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY_STATUS
    finally:
        os._exit(status)


def _answer_in_process(request: dict[str, Any], data: bytes, answers: IO[bytes]) -> tuple[int, int]:
    """Answer from this process, where the system cannot fork."""
    body = answer(request, data, Limits(**request["limits"]))
    answers.write(len(body).to_bytes(4, "little") + body)
    return 0, 0


def answer(request: dict[str, Any], data: bytes, limits: Limits) -> bytes:
    """The reply to a request with one file, as JSON."""
    limit_time(limits.base_seconds)
    try:
        reply = TASKS[request["task"]](request, data, limits)
    except ReadError as error:
        reply = {"error": [error.source, error.reason, error.what, error.advice]}
    except ImportError as error:
        reply = {"missing": str(error)}
    return json.dumps(reply).encode("ascii")


def _read(request: dict[str, Any], data: bytes, limits: Limits) -> dict[str, Any]:
    document = parsing.parse(data, request["name"], request["password"], limits, limit_time)
    return {"document": pack(document)}


def _draw(request: dict[str, Any], data: bytes, limits: Limits) -> dict[str, Any]:
    image = page_image.draw_page(
        data, request["name"], request["page"], request["password"], request["width"]
    )
    webp = base64.b64encode(image.data).decode("ascii")
    return {"image": webp, "width": image.width, "height": image.height}


def _annotate(request: dict[str, Any], data: bytes, limits: Limits) -> dict[str, Any]:
    notes: tuple[Highlight, ...] = from_lists(tuple[Highlight, ...], request["notes"])
    written = annotate(data, request["name"], notes, request["password"])
    return {"pdf": base64.b64encode(written).decode("ascii")}


TASKS = {"read": _read, "draw": _draw, "annotate": _annotate}
"""What a reading process does with one file, by the name of the task in the request."""


if __name__ == "__main__":
    main()
