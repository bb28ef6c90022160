"""Parsing itself: bytes in, Document out. Runs in the child process that `sandbox` starts, or in this one."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from colde.document import Document
from colde.errors import ReadError
from colde.ingest import docx, html, markdown, plain, rst
from colde.ingest.detect import detect
from colde.ingest.language import detect_language
from colde.ingest.limits import Limits
from colde.ingest.structure import language_warnings
from colde.ingest.wire import pack
from colde.segment import split_sentences

_WAITING = 60.0  # seconds of processor time for taking in the next file; what the last one left is not enough


def parse(
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow: Callable[[float], None] = lambda seconds: None,
) -> Document:
    """Read a file with the reader it belongs to.

    Args:
        data: the file.
        name: what the user calls it.
        password: for encrypted files.
        limits: what reading it may cost.
        allow: told how many seconds of processor time the file may take, as soon as that is known.

    Raises:
        ReadError: whatever is wrong with the file.
        ImportError: where a library of a reader is missing; no other exception leaves this function.
    """
    called = name or "the text"
    try:
        format = detect(data, name)
        allow(limits.processor_seconds(format, len(data)))
        document = _convert(format, data, called, password, limits, allow)
    except ReadError as error:
        if error.source == called:
            raise
        raise ReadError(called, error.reason, error.what, error.advice) from error
    except ImportError:  # a broken installation, not a broken file
        raise
    except MemoryError:
        raise ReadError(
            called, "too_large", "reading it took more memory than allowed", "split the file"
        ) from None
    except RecursionError:
        raise ReadError(
            called, "corrupt", "elements are nested too deeply", "save it in another format"
        ) from None
    except Exception as error:
        # Parsers of foreign formats fail in many ways; all of them mean that this file cannot be read.
        raise ReadError(
            called,
            "corrupt",
            f"the file is damaged or uses what this reader does not know ({type(error).__name__})",
            "open it in the program it comes from and save it again",
        ) from error
    if len(document.text) > limits.characters:
        raise ReadError(
            called,
            "too_large",
            f"{len(document.text):,} characters, the limit is {limits.characters:,}",
            "split it",
        )
    if not document.text.strip():
        raise ReadError(called, "empty", "there is no text in it", "choose a file with text in it")
    return document


def _convert(
    format: str,
    data: bytes,
    name: str,
    password: str | None,
    limits: Limits,
    allow: Callable[[float], None],
) -> Document:
    match format:
        case "pdf":
            from colde.ingest import pdf

            def counted(pages: int) -> None:
                allow(limits.processor_seconds("pdf", len(data), pages))

            return _with_language(pdf.convert(data, name, password, max_pages=limits.pages, counted=counted))
        case "docx":
            return docx.convert(data, name, password, limits)
        case "html":
            return html.convert(data, name)
        case "rst":
            return rst.convert(data, name)
        case "markdown":
            return markdown.convert(data, name)
        case _:
            return plain.convert(data, name)


def _with_language(document: Document) -> Document:
    """The document with its language, where its reader left that open."""
    if document.language is not None:
        return document
    language = detect_language(document.text)
    return replace(document, language=language, warnings=(*document.warnings, *language_warnings(language)))


def main() -> None:
    """Serve requests from standard input until it ends: a line of JSON and the bytes; answer in JSON."""
    # Standard output belongs to the protocol; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.modules["torch"] = None  # type: ignore[assignment]  # spaCy would import it: a second and 180 MB for nothing
    split_sentences("Warm up.")
    base = _mapped()
    while header := sys.stdin.buffer.readline():
        request = json.loads(header)
        limits = Limits(**request["limits"])
        data = sys.stdin.buffer.read(request["size"])
        _limit(base + limits.memory)
        began = time.process_time()

        def allow(seconds: float, began: float = began) -> None:
            _limit_time(began + seconds)

        allow(limits.seconds)
        try:
            document = parse(data, request["name"], request["password"], limits, allow)
            reply: dict[str, Any] = {"document": pack(document)}
        except ReadError as error:
            reply = {"error": [error.source, error.reason, error.what, error.advice]}
        except ImportError as error:
            reply = {"missing": str(error)}
        body = json.dumps(reply).encode("ascii")
        answers.write(len(body).to_bytes(8, "big") + body)
        answers.flush()
        _limit_time(time.process_time() + _WAITING)


def _mapped() -> int:
    """Bytes of address space the process has taken by now."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**30


def _limit(memory: int) -> None:
    """Limit address space; no files and no core dumps."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent still watches time and size
        return
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_FSIZE, 0)
    _set(resource.RLIMIT_AS, memory)


def _limit_time(seconds: float) -> None:
    """Let the system end this process once it has used that much processor time since its start.

    The parent's clock ends a child too, but counts what other programs take of the machine.
    """
    try:
        import resource
    except ImportError:
        return
    _set(resource.RLIMIT_CPU, math.ceil(seconds))


def _set(what: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


if __name__ == "__main__":
    main()
