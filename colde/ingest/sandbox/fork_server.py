"""The process behind `sandbox`: it loads the readers once, then forks for every file.

The fork gives up what it can (`confine`), reads or draws this one file, answers, and ends. Whatever a file does to it
is gone with it: the next file, perhaps of somebody else, meets a process that has seen none. The process that forks
never looks into a file.
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
from types import ModuleType
from typing import IO, Any

from colde.errors import ReadError
from colde.ingest import page_image, parsing
from colde.ingest.language_detection import load_identifier
from colde.ingest.pdf_highlights import Note, annotate
from colde.ingest.reading_limits import Limits
from colde.ingest.sandbox.confinement import confine, limit_time
from colde.ingest.sandbox.protocol import END, NO_MEMORY, pack
from colde.text.document import Box
from colde.text.sentence_splitter import split_sentences

_PIECE = 2**16
_LIBRARIES = {
    "pdf": ("colde.ingest.pdf", "PIL.Image"),
    "docx": ("docx", "lxml.etree"),
    "rst": ("docutils.core",),
}


def main() -> None:
    """Serve requests from standard input until it ends.

    A request is a line of JSON and the bytes of the file; the answer is JSON in pieces, each behind its length, an
    empty piece, and `END`.
    """
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _leave_out()
    split_sentences("This loads the pipeline. One sentence would not.")
    load_identifier()
    while header := sys.stdin.buffer.readline():
        request = json.loads(header)
        data = sys.stdin.buffer.read(request["size"])
        for library in _LIBRARIES.get(request["name"].lower().rpartition(".")[2], ()):
            import_module(library)  # here, so that it is done once and not in every fork
        end = _apart(request, data, answers) if hasattr(os, "fork") else _here(request, data, answers)
        answers.write(bytes(4) + END.pack(*end))
        answers.flush()


def _leave_out() -> None:
    """What spaCy would import and nothing here uses: torch, a second and 180 MB; its command line, a quarter second."""
    sys.modules["torch"] = None  # type: ignore[assignment]
    commands, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    commands.__path__ = []
    info.info = None  # type: ignore[attr-defined]
    sys.modules |= {"spacy.cli": commands, "spacy.cli.info": info}


def _apart(request: dict[str, Any], data: bytes, answers: IO[bytes]) -> tuple[int, int]:
    """Answer from a fork; returns its exit status and its peak of memory in bytes."""
    taken, given = os.pipe()
    gc.freeze()  # what is there now is shared with the fork, as long as nobody writes to it
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _in_the_fork(request, data, given, parent)
    os.close(given)
    with os.fdopen(taken, "rb", buffering=0) as pieces:
        watch = select.poll()
        watch.register(pieces, select.POLLIN)
        watch.register(0, 0)  # tells of nothing but the end of the program that asks
        while True:
            if any(end == 0 for end, _ in watch.poll()):
                os.kill(child, signal.SIGKILL)
                os._exit(1)
            piece = pieces.read(_PIECE)
            if not piece:
                break
            answers.write(len(piece).to_bytes(4, "little") + piece)
            answers.flush()
    _, status, used = os.wait4(child, 0)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return os.waitstatus_to_exitcode(status), used.ru_maxrss * kilobyte


def _in_the_fork(request: dict[str, Any], data: bytes, given: int, parent: int) -> None:
    """Answer to `given` and end; nothing else is open, and no way leads back."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.closerange(3, given)
        os.closerange(given + 1, 4096)
        limits = Limits(**request["limits"])
        confine(limits.memory, limits.seconds, parent)
        left = memoryview(answer(request, data, limits))
        while left:
            left = left[os.write(given, left) :]
        status = 0
    except MemoryError:
        status = NO_MEMORY
    finally:
        os._exit(status)


def _here(request: dict[str, Any], data: bytes, answers: IO[bytes]) -> tuple[int, int]:
    """Answer from this process, where the system cannot fork."""
    body = answer(request, data, Limits(**request["limits"]))
    answers.write(len(body).to_bytes(4, "little") + body)
    return 0, 0


def answer(request: dict[str, Any], data: bytes, limits: Limits) -> bytes:
    """Do what is asked for with one file; the reply as JSON."""
    limit_time(limits.base_seconds)
    try:
        if request["task"] == "draw":
            reply: dict[str, Any] = _drawn(request, data)
        elif request["task"] == "annotate":
            reply = _annotated(request, data)
        else:
            document = parsing.parse(data, request["name"], request["password"], limits, limit_time)
            reply = {"document": pack(document)}
    except ReadError as error:
        reply = {"error": [error.source, error.reason, error.what, error.advice]}
    except ImportError as error:
        reply = {"missing": str(error)}
    return json.dumps(reply).encode("ascii")


def _annotated(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    notes = [
        Note(tuple(Box(int(b[0]), *b[1:]) for b in boxes), (colour[0], colour[1], colour[2]), text)
        for boxes, colour, text in request["notes"]
    ]
    written = annotate(data, request["name"], notes, request["password"])
    return {"pdf": base64.b64encode(written).decode("ascii")}


def _drawn(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    image = page_image.draw(data, request["name"], request["page"], request["password"], request["width"])
    return {
        "image": base64.b64encode(image.data).decode("ascii"),
        "width": image.width,
        "height": image.height,
    }


if __name__ == "__main__":
    main()
