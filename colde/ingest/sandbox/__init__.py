"""Reading and drawing in child processes, so that a file that crashes, hangs or swells them harms nothing else.

Processes that have loaded the libraries are kept warm (`process_pool`) and fork for every file (`fork_server`). They
get its bytes through a pipe and send the Document, or the image of a page, back as JSON; nothing they send is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from colde.errors import ReadingStopped
from colde.ingest.pdf.page_image import MAX_PIXELS, MAX_SIDE_PIXELS, READ_AS_TEXT, Image
from colde.ingest.pdf.pdf_highlights import Highlight
from colde.ingest.reading_limits import MEBIBYTE, Limits
from colde.ingest.sandbox.process_pool import crashed, shared_pool
from colde.ingest.sandbox.protocol import Answer, to_lists, unpack
from colde.text.document import Document

_DRAWING = Limits(seconds=20.0, base_seconds=8.0, memory=384 * MEBIBYTE)  # what drawing one page may cost

ANNOTATING = Limits(seconds=60.0, base_seconds=30.0, memory=1024 * MEBIBYTE)
"""What putting highlights on the pages of a file may cost."""

_ANSWER_BYTES = 2**20  # what an answer may hold besides the characters, and the pixels
_ANSWER_BYTES_PER_CHARACTER = 60  # escaped text, spans, boxes
Result = TypeVar("Result")


def parse_in_sandbox(data: bytes, name: str, password: str | None, limits: Limits) -> Document:
    """As `parsing.parse`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: also ReadingStopped: `too_large` where time or memory run out, `corrupt` where the parser crashes,
            `busy` where too many files are being read.
    """
    request = {"task": "read", "name": name, "password": password}
    max_answer_bytes = _ANSWER_BYTES + _ANSWER_BYTES_PER_CHARACTER * limits.characters
    return _ask(request, data, limits, max_answer_bytes, lambda answer: unpack(answer.document))


def draw_in_sandbox(
    data: bytes, name: str, page: int, password: str | None, width: int, limits: Limits = _DRAWING
) -> Image:
    """As `page_image.draw_page`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: as `page_image.draw_page`; also ReadingStopped: `too_large`, `corrupt`, `busy`.
    """
    request = {"task": "draw", "name": name, "password": password, "page": page, "width": width}
    try:
        return _ask(request, data, limits, _ANSWER_BYTES + 4 * MAX_PIXELS, image_of_answer)
    except ReadingStopped as stop:
        if stop.reason == "busy":
            raise
        why = "takes too much time or memory" if stop.reason == "too_large" else "crashes the program"
        raise ReadingStopped(name, stop.reason, f"page {page} {why} to draw", READ_AS_TEXT) from None


def annotate_in_sandbox(
    data: bytes,
    name: str,
    notes: Sequence[Highlight],
    password: str | None = None,
    limits: Limits = ANNOTATING,
) -> bytes:
    """As `pdf_highlights.annotate`, in a child process. Safe to call from any thread.

    Raises:
        ReadError: as `pdf_highlights.annotate`; also ReadingStopped: `too_large`, `corrupt`, `busy`.
    """
    request = {"task": "annotate", "name": name, "password": password, "notes": to_lists(tuple(notes))}
    max_answer_bytes = _ANSWER_BYTES + 4 * len(data) + 4_000 * len(notes)
    return _ask(request, data, limits, max_answer_bytes, lambda answer: _given(answer.pdf))


def warm_up(files: int = 1) -> None:
    """Start a child for each of so many files before the first one comes, at most two; returns at once."""
    shared_pool().warm(files)


def _ask(
    request: dict[str, Any],
    data: bytes,
    limits: Limits,
    max_answer_bytes: int,
    decode: Callable[[Answer], Result],
) -> Result:
    """The result of a task, decoded from the answer of a child; an answer of another form counts as a crash."""
    try:
        with shared_pool().reader(request["name"] or "the text", limits) as reader:
            answer = reader.ask(request, data, limits, max_answer_bytes)
        return decode(answer)
    except ValueError as error:
        raise crashed(request["name"]) from error


def _given(value: Result | None) -> Result:
    """A part of an answer; raises ValueError where the answer lacks it."""
    if value is None:
        raise ValueError("the answer of another task")
    return value


def image_of_answer(answer: Answer) -> Image:
    """The image in an answer; raises ValueError where it is no WebP, or larger than any that is asked for."""
    data = _given(answer.image)
    if not all(0 < side <= MAX_SIDE_PIXELS + 1 for side in (answer.width, answer.height)):
        raise ValueError("no size of a page")
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise ValueError("not an image of a page")
    return Image(data, answer.width, answer.height)
